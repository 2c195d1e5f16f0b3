import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeProcessRecord } from './processes.mjs'
import { Fault, print } from './report.mjs'

/**
 * @typedef {object} DaemonSpec
 * @property {string} name
 * @property {string} url where clients reach it
 * @property {number} port
 * @property {string} file the program
 * @property {string} [argv0] the name to call it by
 * @property {string[]} args
 * @property {string} log file for its output, appended to
 * @property {string} record file that notes the process
 * @property {() => void} [beforeStart]
 * @property {() => void} [afterStart] when it serves, or has failed to
 * @property {() => Promise<boolean>} serves whether it answers now
 * @property {boolean} revive start it again when it ends by itself
 */

/** A database may have to go through its log after a crash before it serves. */
const START_PATIENCE_MS = 120_000
const STOP_PATIENCE_MS = 60_000
const ASK_AGAIN_MS = 1_000
const MOST_REVIVALS_A_MINUTE = 5

/** @type {Set<Daemon>} */
const running = new Set()

// The last resort: whatever way this process ends, what it started is asked to end too.
process.on('exit', () => {
  for (const daemon of running) daemon.signal('SIGTERM')
})

/**
 * A server of our own: started, watched, stopped. It is a session of its own, so that a Ctrl-C in the
 * terminal reaches only the launcher, which then stops things in order.
 */
export class Daemon {
  /** @type {DaemonSpec} */
  #spec
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child
  /** Settles when the process that runs now has ended. @type {Promise<void>} */
  #end = Promise.resolve()
  /** Whether it is meant to run. */
  #wanted = false
  /** @type {number[]} */
  #revivals = []

  /** @param {DaemonSpec} spec */
  constructor(spec) {
    this.#spec = spec
  }

  get url() {
    return this.#spec.url
  }

  get port() {
    return this.#spec.port
  }

  /** The process that runs now. @returns {number | undefined} */
  get pid() {
    return this.#child?.pid
  }

  /**
   * Starts it and resolves when it serves: on the same port, with the same data, as before.
   *
   * @returns {Promise<void>}
   * @throws {Fault} with the last lines of its log
   */
  async start() {
    this.#wanted = true
    await this.#launch()
  }

  /** Stops it in the orderly way; what it was told is on disk. @returns {Promise<void>} */
  async stop() {
    this.#wanted = false
    this.signal('SIGTERM')
    // A process stopped by SIGSTOP sees no SIGTERM before it is continued.
    this.signal('SIGCONT')
    // Redis refuses while it writes its first append-only file, and forgets that it was asked.
    const again = setInterval(() => this.signal('SIGTERM'), ASK_AGAIN_MS)
    const kill = setTimeout(() => this.signal('SIGKILL'), STOP_PATIENCE_MS)
    await this.#end
    clearInterval(again)
    clearTimeout(kill)
  }

  /**
   * Sends a signal; after one that ends it, resolves when it has ended, and it stays ended.
   *
   * @param {NodeJS.Signals} [signal]
   * @returns {Promise<void>}
   */
  async kill(signal = 'SIGKILL') {
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') {
      this.signal(signal)
      return
    }
    this.#wanted = false
    this.signal(signal)
    await this.#end
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    this.#child?.kill(signal)
  }

  async #launch() {
    const { name, file, args, argv0, log, record } = this.#spec
    this.#spec.beforeStart?.()
    const output = openSync(log, 'a', 0o600)
    const child = spawn(file, args, { argv0, detached: true, stdio: ['ignore', output, output] })
    closeSync(output)
    this.#child = child
    running.add(this)

    let serving = false
    let ending = ''
    this.#end = new Promise((resolve) => {
      /** @param {string} how */
      const ended = (how) => {
        ending = how
        this.#child = undefined
        running.delete(this)
        rmSync(record, { force: true })
        resolve()
        if (serving && this.#wanted) this.#lost(how)
      }
      child.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`))
      child.once('error', (error) => ended(error.message))
    })
    if (child.pid !== undefined) writeProcessRecord(record, child.pid)

    try {
      const deadline = performance.now() + START_PATIENCE_MS
      while (!(await this.#spec.serves())) {
        if (ending !== '') throw new Fault(`${name} stopped while starting (${ending}). See its log: ${log}`, this.#logTail())
        if (performance.now() > deadline) {
          await this.kill()
          throw new Fault(`${name} did not answer within ${START_PATIENCE_MS / 1000} s. See its log: ${log}`, this.#logTail())
        }
        await sleep(30)
      }
      serving = true
    } finally {
      this.#spec.afterStart?.()
    }
  }

  /** @param {string} how it ended */
  #lost(how) {
    print(`terse: ${this.#spec.name} stopped unexpectedly (${how}). The last lines of ${this.#spec.log}:\n${this.#logTail()}`)
    if (this.#spec.revive) void this.#revive()
  }

  async #revive() {
    while (this.#wanted) {
      const aMinuteAgo = performance.now() - 60_000
      this.#revivals = this.#revivals.filter((time) => time > aMinuteAgo)
      if (this.#revivals.length >= MOST_REVIVALS_A_MINUTE) {
        print(
          `terse: ${this.#spec.name} keeps stopping, so Terse no longer restarts it. See ${this.#spec.log}, then start Terse again.`,
        )
        return
      }
      await sleep(200 * 2 ** this.#revivals.length)
      if (!this.#wanted) return
      this.#revivals.push(performance.now())
      try {
        await this.#launch()
        print(`terse: ${this.#spec.name} is running again.`)
        return
      } catch {
        // What its log says was printed when it ended; the next try is a little later.
      }
    }
  }

  #logTail() {
    try {
      return readFileSync(this.#spec.log, 'utf8').trimEnd().split('\n').slice(-15).join('\n')
    } catch {
      return ''
    }
  }
}

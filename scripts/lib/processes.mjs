/** Programs that run to their end, and what can be known of a process by its number. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Fault, Interrupted, print } from './report.mjs'

/** The folder of the repository, where everything is run. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** @typedef {{ pid: number, started: string }} ProcessRecord */

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env] default: this process's own
 * @property {AbortSignal} [signal] ends the program and throws `Interrupted`
 * @property {string} [argv0] the name to call it by
 */

/**
 * Runs a program quietly to its end.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>} what it printed
 * @throws {Fault} with what it printed, when it fails or cannot be started
 */
export async function run(file, args, options = {}) {
  const child = spawn(file, args, { cwd: ROOT, env: options.env, argv0: options.argv0, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text
    })
  }
  const code = await ended(child, file, options.signal)
  if (code !== 0) {
    const words = [file, ...args].map((word) => (path.isAbsolute(word) ? path.basename(word) : word))
    throw new Fault(`\`${words.join(' ')}\` failed (exit code ${code}). Its output is above.`, output)
  }
  return output
}

/**
 * Runs a program that talks to the person itself.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} its exit code
 */
export async function runInFront(file, args, options = {}) {
  const child = spawn(file, args, { cwd: ROOT, env: options.env, stdio: 'inherit' })
  return await ended(child, file, options.signal)
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} file
 * @param {AbortSignal} [signal]
 * @returns {Promise<number>}
 */
async function ended(child, file, signal) {
  const kill = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', kill)
  if (signal?.aborted) kill()
  try {
    const [code] = await once(child, 'close')
    if (signal?.aborted) throw new Interrupted()
    return code ?? 1
  } catch (error) {
    if (error instanceof Interrupted) throw error
    throw new Fault(`cannot start ${file}: ${reason(error)}.`)
  } finally {
    signal?.removeEventListener('abort', kill)
  }
}

/**
 * The path of a program that an installed package brings. It is run with Node itself.
 *
 * @param {string} name
 */
export function packageProgram(name) {
  // Another package brings a compiler of this name along, and npm links whichever it likes.
  if (name === 'tsc') return path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  return path.join(ROOT, 'node_modules', '.bin', name)
}

/**
 * What tells a process from a later one that got the same number: when it was started, and in which run
 * of the machine. Its command line would not do, as programs change theirs.
 *
 * @param {number} pid
 * @returns {string | undefined} undefined when there is no such process
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses and may hold blanks and parentheses itself.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[18]}`
  } catch {
    if (process.platform === 'linux') return undefined
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

/**
 * @param {number} pid
 * @returns {ProcessRecord}
 */
export function describeProcess(pid) {
  return { pid, started: startOf(pid) ?? '' }
}

/** @param {ProcessRecord} record */
export function isAlive(record) {
  return record.started !== '' && startOf(record.pid) === record.started
}

/**
 * @param {string} file
 * @returns {ProcessRecord | undefined} undefined when there is none, or an unreadable one
 */
export function readProcessRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Notes which process is at work, for a later launcher to find it should this one be killed.
 *
 * @param {string} file
 * @param {number} pid
 */
export function writeProcessRecord(file, pid) {
  writeFileSync(file, JSON.stringify(describeProcess(pid)), { mode: 0o600 })
}

/**
 * Stops the process that a killed launcher left behind, if it still runs, in the orderly way.
 *
 * @param {string} recordFile
 * @param {number} patienceMs after which it is killed
 */
export async function stopLeftover(recordFile, patienceMs) {
  const record = readProcessRecord(recordFile)
  if (record && isAlive(record)) {
    print(`  stopping ${path.basename(recordFile, '.pid')} (process ${record.pid}), left over from an earlier start`)
    process.kill(record.pid, 'SIGTERM')
    // A process stopped by SIGSTOP sees no SIGTERM before it is continued.
    process.kill(record.pid, 'SIGCONT')
    const deadline = performance.now() + patienceMs
    while (isAlive(record)) {
      if (performance.now() > deadline) process.kill(record.pid, 'SIGKILL')
      await sleep(50)
    }
  }
  rmSync(recordFile, { force: true })
}

/**
 * @param {unknown} error
 * @returns {string} the message alone
 */
export function reason(error) {
  return error instanceof Error ? error.message : String(error)
}

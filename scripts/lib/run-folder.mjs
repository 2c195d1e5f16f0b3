/**
 * One folder for all that a run of tests or of the benchmark writes, and an end of all that it started, whatever ends it: a
 * process of its own (reaper.mjs) holds a pipe to the runner, and cleans up when that closes, be it by a `kill -9`.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { RUN_VARIABLE } from './leftovers.mjs'
import { PORTS_VARIABLE, portsFolder } from './loopback.mjs'

/**
 * Makes the folder, and has everything that is started from now on write its temporary files into it. Inside of a run that has
 * one, that is used.
 *
 * @param {string} purpose part of its name
 * @param {string[]} [others] folders that the runner itself has made outside of it
 * @returns {Promise<() => Promise<void>>} ends whatever still runs, and removes the folder
 */
export async function openRunFolder(purpose, others = []) {
  if (process.env[RUN_VARIABLE]) return async () => {}
  const dir = mkdtempSync(path.join(os.tmpdir(), `terse-${purpose}-`))
  const { TMPDIR, [PORTS_VARIABLE]: ports } = process.env
  // A session of its own, so that no Ctrl-C reaches it; without the variable, by which it would take itself for one of the run's.
  const reaper = spawn(process.execPath, [path.join(import.meta.dirname, 'reaper.mjs'), dir, ...others], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(reaper, 'exit')
  reaper.unref()
  Object.assign(process.env, { [RUN_VARIABLE]: dir, [PORTS_VARIABLE]: portsFolder(), TMPDIR: dir })
  return async () => {
    restore('TMPDIR', TMPDIR)
    restore(PORTS_VARIABLE, ports)
    restore(RUN_VARIABLE, undefined)
    reaper.ref()
    reaper.stdin?.end()
    await ended
  }
}

/** @param {string} name @param {string | undefined} value */
function restore(name, value) {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

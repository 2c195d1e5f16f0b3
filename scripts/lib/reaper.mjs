/**
 * `node reaper.mjs FOLDER OTHERS…`: waits until its standard input ends, then kills what was started in that run and removes its
 * folders.
 */

import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesOfRun } from './leftovers.mjs'

const [, , folder = '', ...others] = process.argv
const PATIENCE_MS = 20_000

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => {})
process.stdin.on('error', () => {})
process.stdin.resume().once('close', () => void clear())

async function clear() {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    // Again and again: one that is killed may have started another at that moment.
    const pids = processesOfRun(folder)
    if (pids.length === 0 || performance.now() > deadline) break
    for (const pid of pids) kill(pid)
    await sleep(30)
  }
  for (const each of [folder, ...others]) rmSync(each, { recursive: true, force: true, maxRetries: 5 })
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Finds what a run has started: every process that was given its variable, however far down. */

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isAlive, readProcessRecord } from './processes.mjs'

/** Names the folder of the run. Code that starts a process with an environment of its own hands it on. */
export const RUN_VARIABLE = 'TERSE_RUN_FOLDER'

/**
 * @param {string} folder of the run
 * @returns {number[]} the processes of it that have not ended
 */
export function processesOfRun(folder) {
  return [...new Set([...givenTheVariable(folder), ...recorded(folder)])]
}

/**
 * Servers note their processes in the folder. Redis writes its title over its environment, so it is found by this alone.
 *
 * @param {string} folder
 */
function recorded(folder) {
  if (!existsSync(folder)) return []
  return listed(folder)
    .filter((name) => name.endsWith('.pid'))
    .map((name) => readProcessRecord(path.join(folder, name)))
    .flatMap((record) => (record?.started && isAlive(record) ? [record.pid] : []))
}

/** @param {string} folder @returns {string[]} the files below it; [] while one of its folders is being removed */
function listed(folder) {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}

/** @param {string} folder */
function givenTheVariable(folder) {
  const setting = `${RUN_VARIABLE}=${folder}`
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && environmentOf(name).split('\0').includes(setting))
      .map(Number)
  }
  const lines = execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 64e6 }).split('\n')
  return lines.filter((line) => line.split(' ').includes(setting)).map((line) => Number.parseInt(line, 10))
}

/** @param {string} pid @returns {string} '' for one that has ended, or is another user's */
function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

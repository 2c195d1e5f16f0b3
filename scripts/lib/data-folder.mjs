/** The data folder (`.terse`): who may use it now, its secrets, and where things lie in it. */

import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describeProcess, isAlive, ROOT, readProcessRecord, reason, stopLeftover } from './processes.mjs'
import { Fault } from './report.mjs'

/**
 * @typedef {object} Secrets
 * @property {string} appSecret
 * @property {string} databasePassword
 * @property {string} redisPassword
 */

/** @typedef {import('./backing.mjs').Backing} Backing */

/**
 * @typedef {object} DataFolder
 * @property {string} dir absolute
 * @property {Secrets} secrets
 * @property {(name: string) => string} log the log file of a server
 * @property {(name: string) => string} record the file that notes the process of a server
 * @property {(backing: Backing) => void} publish tells other commands where the servers are
 * @property {() => void} release lets another launcher use the folder
 */

/** The order in which the processes of a killed launcher are stopped, and how long each is waited for. */
const LEFTOVERS = /** @type {const} */ ([
  ['app', 15_000],
  ['redis', 30_000],
  ['mariadb', 60_000],
])

/** The data folder that the settings name. */
export function settingsDataFolder() {
  return path.resolve(ROOT, process.env.DATA_DIR || '.terse')
}

/**
 * Makes the folder if need be, takes it for this process alone, and stops what a killed launcher
 * left running in it.
 *
 * @param {string} dir
 * @returns {Promise<DataFolder>}
 * @throws {Fault} when another launcher uses it, or it cannot be written
 */
export async function openDataFolder(dir) {
  try {
    for (const folder of [dir, path.join(dir, 'logs'), path.join(dir, 'run')]) makeFolder(folder)
    lock(dir)
    for (const [name, patience] of LEFTOVERS) await stopLeftover(recordFile(dir, name), patience)
    return {
      dir,
      secrets: readOrMakeSecrets(secretsFile(dir)),
      log: (name) => path.join(dir, 'logs', `${name}.log`),
      record: (name) => recordFile(dir, name),
      publish: (backing) => writeFileSync(urlsFile(dir), JSON.stringify(backing), { mode: 0o600 }),
      release: () => {
        rmSync(urlsFile(dir), { force: true })
        rmSync(lockFile(dir), { force: true })
      },
    }
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(`cannot use the data folder ${dir} (${reason(error)}). Make it writable, or set DATA_DIR to another folder.`)
  }
}

/**
 * What a running launcher has told of itself.
 *
 * @param {string} dir
 * @returns {Backing | undefined} undefined when none runs, or not yet
 */
export function readRunning(dir) {
  if (userOf(dir) === undefined || !existsSync(urlsFile(dir))) return undefined
  return JSON.parse(readFileSync(urlsFile(dir), 'utf8'))
}

/**
 * @param {string} dir
 * @returns {number | undefined} the process that uses the folder now
 */
function userOf(dir) {
  const holder = readProcessRecord(lockFile(dir))
  return holder && isAlive(holder) ? holder.pid : undefined
}

/**
 * Not by mkdir's `recursive`, which never returns where a folder exists but none can be made in it, as in
 * /proc.
 *
 * @param {string} folder
 */
export function makeFolder(folder) {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * A link and not a plain write: the lock appears with its content, so nobody sees it half made. Two
 * launchers that find the same stale lock in the same instant could both go on; the servers' own locks
 * on their data then stop the second.
 *
 * @param {string} dir
 */
function lock(dir) {
  const mine = `${lockFile(dir)}.${process.pid}`
  writeFileSync(mine, JSON.stringify(describeProcess(process.pid)), { mode: 0o600 })
  try {
    const holder = userOf(dir)
    if (holder !== undefined) {
      throw new Fault(
        `Terse is already running in ${dir} (process ${holder}). Stop it first, or set another DATA_DIR and PORT to run a second one.`,
      )
    }
    rmSync(lockFile(dir), { force: true })
    linkSync(mine, lockFile(dir))
  } finally {
    rmSync(mine, { force: true })
  }
}

/**
 * @param {string} file
 * @returns {Secrets}
 */
function readOrMakeSecrets(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // Anything but a missing file is not to be papered over: new secrets would lock out the old data.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
  }
  const secret = () => randomBytes(32).toString('base64url')
  const secrets = { appSecret: secret(), databasePassword: secret(), redisPassword: secret() }
  writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  return secrets
}

/** @param {string} dir @param {string} name */
function recordFile(dir, name) {
  return path.join(dir, 'run', `${name}.pid`)
}

/** @param {string} dir */
function lockFile(dir) {
  return path.join(dir, 'lock')
}

/** @param {string} dir */
export function secretsFile(dir) {
  return path.join(dir, 'secrets.json')
}

/** @param {string} dir */
function urlsFile(dir) {
  return path.join(dir, 'run', 'urls.json')
}

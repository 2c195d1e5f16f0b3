/** Knowing whether a result is still what its sources would give, by their content and not their times. */

import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './processes.mjs'
import { Fault } from './report.mjs'

/** Inside the result, so that deleting the result also deletes the claim that it is up to date. */
const STAMP = '.terse-stamp'

/**
 * Does `work` unless its result in `folder` was made from the same `inputs`.
 *
 * @param {string} folder of the result, relative to the repository
 * @param {string} inputs a hash of all that the result depends on
 * @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>} whether there was work to do
 * @throws {Fault} when there is, and this user may not do it
 */
export async function unlessFresh(folder, inputs, work) {
  const stamp = path.join(ROOT, folder, STAMP)
  try {
    if (readFileSync(stamp, 'utf8') === inputs) return false
  } catch {
    // No stamp: never made, deleted, or interrupted.
  }
  try {
    forget(folder)
    mkdirSync(path.dirname(stamp), { recursive: true })
    accessSync(path.dirname(stamp), constants.W_OK)
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new Fault(
      `${folder} is out of date, and this user may not write there. Run \`npm run build\` as the one to whom ${ROOT} belongs.`,
    )
  }
  await work()
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, inputs)
  return true
}

/** @param {unknown} error whether it says that this user, or anyone, may not write there */
function isRefusal(error) {
  return ['EACCES', 'EPERM', 'EROFS'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')
}

/**
 * Says that what is in `folder` is no longer what its stamp claims.
 *
 * @param {string} folder relative to the repository
 */
export function forget(folder) {
  rmSync(path.join(ROOT, folder, STAMP), { force: true })
}

/**
 * @param {string[]} files relative to the repository; a missing one counts as empty
 * @param {string[]} [facts] other things that the result depends on
 */
export function hashFiles(files, facts = []) {
  const hash = createHash('sha256')
  for (const fact of facts) hash.update(`${fact}\0`)
  for (const file of files) hash.update(`${file}\0`).update(contentHash(file))
  return hash.digest('hex')
}

/**
 * The files below a folder, sorted, relative to the repository.
 *
 * @param {string} folder relative to the repository; '' for its root
 * @param {(name: string, folder: string) => boolean} leaveOut
 * @returns {string[]}
 */
export function listFiles(folder, leaveOut) {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !leaveOut(entry.name, folder))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) return listFiles(file, leaveOut)
      return entry.isFile() ? [file] : []
    })
    .sort()
}

/** @param {string} file */
function contentHash(file) {
  const hash = createHash('sha256')
  try {
    hash.update(readFileSync(path.join(ROOT, file)))
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
  }
  return hash.digest()
}

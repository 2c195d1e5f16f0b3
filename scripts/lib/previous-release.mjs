/** The previous release, built in a cache folder, for the test that runs it beside this version. */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ROOT, run } from './processes.mjs'
import { Fault, Interrupted, step } from './report.mjs'

/** About 1 GB for each release; delete it when you like. */
const CACHE = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'terse', 'releases')

/**
 * @param {AbortSignal} signal
 * @returns {Promise<{ folder: string, source: string } | { missing: string }>} where it is, or why there is none
 * @throws {Fault} when it cannot be built
 */
export async function buildPreviousRelease(signal) {
  const { source } = JSON.parse(readFileSync(path.join(ROOT, 'prisma/previous-release.json'), 'utf8'))
  const commit = await findCommit(source, signal)
  if (commit === undefined) {
    return { missing: `this clone does not have ${source}, the previous release; run \`git fetch --unshallow --tags\`` }
  }
  const folder = path.join(CACHE, commit)
  if (!existsSync(folder)) await step('previous release', () => build(commit, folder, signal))
  return { folder, source }
}

/**
 * A shallow clone has neither tags nor older commits: then it is asked for alone.
 *
 * @param {string} source a tag or commit
 * @param {AbortSignal} signal
 * @returns {Promise<string | undefined>} its full hash
 */
async function findCommit(source, signal) {
  const find = async (/** @type {string} */ name) =>
    (await run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { signal })).trim()
  try {
    return await find(source).catch(async (error) => {
      if (error instanceof Interrupted) throw error
      await run('git', ['fetch', '--quiet', '--depth=1', 'origin', source], { signal })
      return await find('FETCH_HEAD')
    })
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/**
 * Made under another name and renamed: a folder with the right name is whole.
 *
 * @param {string} commit
 * @param {string} folder
 * @param {AbortSignal} signal
 */
async function build(commit, folder, signal) {
  const work = `${folder}.building-${process.pid}`
  try {
    mkdirSync(work, { recursive: true })
    const archive = path.join(work, 'source.tar')
    await run('git', ['archive', '--format=tar', `--output=${archive}`, commit], { signal })
    await run('tar', ['-xf', archive, '-C', work], { signal })
    rmSync(archive)
    await shareDependencies(work, signal)
    await run(process.execPath, [path.join(work, 'scripts/build.mjs')], { signal })
    rmSync(path.join(work, '.next/cache'), { recursive: true, force: true })
    renameSync(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * With the same package-lock.json, its packages are ours. Otherwise, or where files cannot be linked, its own build installs them.
 *
 * @param {string} work
 * @param {AbortSignal} signal
 */
async function shareDependencies(work, signal) {
  const lockOf = (/** @type {string} */ folder) => readFileSync(path.join(folder, 'package-lock.json'), 'utf8')
  if (process.platform !== 'linux' || lockOf(work) !== lockOf(ROOT)) return
  try {
    await run('cp', ['-al', path.join(ROOT, 'node_modules'), path.join(work, 'node_modules')], { signal })
  } catch (error) {
    if (error instanceof Interrupted) throw error
    rmSync(path.join(work, 'node_modules'), { recursive: true, force: true })
  }
}

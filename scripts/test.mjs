/**
 * `npm test`: everything that can be checked, with one sum at the end.
 *
 *   npm test                        all suites, whatever becomes of the earlier ones (but none on a failed build)
 *   npm test -- quick               lint, types, and the unit tests without fault runs
 *   npm test -- unit [arguments]    one suite; the arguments go to its runner
 */

import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { buildAll, generatePrismaClient } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { complain, Fault, Interrupted, print, seconds } from './lib/report.mjs'
import { openRunFolder } from './lib/run-folder.mjs'
import { forgetSettings } from './lib/settings.mjs'
import { QUICK, SUITES } from './lib/suites.mjs'
import { withTemporaryServers } from './lib/temporary-servers.mjs'

/** @typedef {import('./lib/suites.mjs').Outcome} Outcome */
/** @typedef {import('./lib/suites.mjs').SuiteName} SuiteName */
/** @typedef {Map<SuiteName, Outcome & { time: number }>} Results */

/** How many of the slowest tests are named, of those that take so long, in ms. */
const SLOWEST = 10
const SLOW = 1_000

await command(async ([only, ...args], signal) => {
  const since = performance.now()
  const all = /** @type {SuiteName[]} */ (Object.keys(SUITES))
  const quick = only === 'quick'
  const names = quick ? QUICK : all.filter((name) => only === undefined || name === only)
  if (names.length === 0) throw new Fault(`unknown suite: ${only}. Use one of: ${all.join(', ')}, quick.`)
  forgetSettings()

  const closeRun = await openRunFolder('run')
  const reports = mkdtempSync(path.join(os.tmpdir(), 'terse-reports-'))
  try {
    await installDependencies(signal)
    await generatePrismaClient(signal)
    /** @param {Partial<NodeJS.ProcessEnv>} env */
    const runAll = (env) => runSuites(names, { args, env: { ...process.env, ...env }, reports, signal, quick })
    const results = names.some((name) => SUITES[name].needsServers)
      ? await withTemporaryServers('test', signal, ({ databaseUrl, redisUrl }) =>
          runAll({ TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl }),
        )
      : await runAll({})
    return summarise(results, performance.now() - since)
  } catch (error) {
    if (error instanceof Interrupted) throw error
    // What all suites need is missing: that is a failure too, and ends in the same kind of line.
    complain(error)
    print('\n0 passed, 1 failed')
    return 1
  } finally {
    rmSync(reports, { recursive: true, force: true })
    await closeRun()
  }
})

/**
 * @param {SuiteName[]} names
 * @param {import('./lib/suites.mjs').Context} context
 * @returns {Promise<Results>}
 */
async function runSuites(names, context) {
  /** @type {Results} */
  const results = new Map()
  for (const name of names) {
    const since = performance.now()
    print(`\n── ${name} ──`)
    const outcome = await runSuite(name, context, results)
    results.set(name, { ...outcome, time: performance.now() - since })
  }
  return results
}

/**
 * @param {SuiteName} name
 * @param {import('./lib/suites.mjs').Context} context
 * @param {Results} results of the suites before this one
 * @returns {Promise<Outcome>}
 */
async function runSuite(name, context, results) {
  const suite = SUITES[name]
  try {
    if (suite.needsBuild && !context.quick) {
      if (results.get('build')?.failed) throw new Fault('not run, because the build failed.')
      if (!results.has('build')) await buildAll(context.signal)
    }
    return await suite.run(context)
  } catch (error) {
    if (error instanceof Interrupted) throw error
    complain(error)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/**
 * Prints the slowest tests and those that failed, a line a suite and the time of all, and as the very last line the sum over
 * all of them.
 *
 * @param {Results} results
 * @param {number} time of the whole run, in ms
 * @returns {number} the exit code
 */
function summarise(results, time) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  const tests = [...results.values()].flatMap((outcome) => outcome.tests ?? [])
  const slow = tests.filter(({ time }) => time >= SLOW).sort((a, b) => b.time - a.time)
  if (slow.length > 0) print('\nSlowest tests:')
  for (const { name, time } of slow.slice(0, SLOWEST)) print(`  ${seconds(time)}  ${name}`)
  for (const { name, error } of tests) if (error !== undefined) print(`\n✗ ${name}\n${firstLines(error)}`)
  print('')
  for (const [name, outcome] of results) {
    sum.passed += outcome.passed
    sum.failed += outcome.failed
    sum.skipped += outcome.skipped
    const mark = outcome.failed > 0 ? '✗' : outcome.passed > 0 ? '✓' : '-'
    const note = outcome.note === undefined ? '' : ` (${outcome.note})`
    print(`  ${mark} ${name.padEnd(10)}${seconds(outcome.time)}  ${inWords(outcome)}${note}`)
  }
  print(`    ${'all'.padEnd(10)}${seconds(time)}`)
  print(`\n${inWords(sum)}`)
  return sum.failed === 0 && sum.passed > 0 ? 0 : 1
}

/** @param {string} error */
function firstLines(error) {
  const lines = stripVTControlCharacters(error).split('\n').slice(0, 12)
  return lines.map((line) => `    ${line.slice(0, 300)}`).join('\n')
}

/** @param {Outcome} outcome */
function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

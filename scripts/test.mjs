/**
 * `npm test`: everything that can be checked, with one sum at the end.
 *
 *   npm test                        all suites, whatever becomes of the earlier ones
 *   npm test -- unit [arguments]    one suite; the arguments go to its runner
 */

import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { generatePrismaClient } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { complain, Fault, Interrupted, print, seconds } from './lib/report.mjs'
import { SUITES } from './lib/suites.mjs'
import { withTemporaryServers } from './lib/temporary-servers.mjs'

/** @typedef {import('./lib/suites.mjs').Outcome} Outcome */
/** @typedef {import('./lib/suites.mjs').SuiteName} SuiteName */

/** Settings of the person's own app, by which no test may be swayed. */
const APP_SETTINGS = [
  'NODE_ENV',
  'DATABASE_URL',
  'REDIS_URL',
  'DATA_DIR',
  'APP_SECRET',
  'APP_SECRET_FILE',
  'BASE_URL',
  'PORT',
  'HOST',
  'WEB_CONCURRENCY',
  'ROLE',
  'TRUSTED_PROXIES',
  'RATE_LIMIT',
  'CODE_LENGTH',
  'CODE_REUSE_AFTER',
  'BLOOM_CAPACITY',
  'BLOOM_ERROR_RATE',
]

await command(async ([only, ...args], signal) => {
  const all = /** @type {SuiteName[]} */ (Object.keys(SUITES))
  if (only !== undefined && !all.some((name) => name === only)) {
    throw new Fault(`there is no suite "${only}". The suites are ${all.join(', ')}.`)
  }
  const names = all.filter((name) => only === undefined || name === only)
  for (const name of APP_SETTINGS) delete process.env[name]

  const reports = mkdtempSync(path.join(os.tmpdir(), 'terse-reports-'))
  try {
    await installDependencies(signal)
    await generatePrismaClient(signal)
    /** @param {Partial<NodeJS.ProcessEnv>} env */
    const runAll = (env) => runSuites(names, { args, env: { ...process.env, ...env }, reports, signal })
    const outcomes = names.some((name) => SUITES[name].needsServers)
      ? await withTemporaryServers('test', signal, ({ databaseUrl, redisUrl }) =>
          runAll({ TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl }),
        )
      : await runAll({})
    return summarise(outcomes)
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
})

/**
 * @param {SuiteName[]} names
 * @param {import('./lib/suites.mjs').Context} context
 * @returns {Promise<Map<SuiteName, Outcome & { time: number }>>}
 */
async function runSuites(names, context) {
  const outcomes = new Map()
  for (const name of names) {
    const since = performance.now()
    print(`\n── ${name} ──`)
    const outcome = await runSuite(name, context)
    outcomes.set(name, { ...outcome, time: performance.now() - since })
  }
  return outcomes
}

/**
 * @param {SuiteName} name
 * @param {import('./lib/suites.mjs').Context} context
 * @returns {Promise<Outcome>}
 */
async function runSuite(name, context) {
  try {
    return await SUITES[name].run(context)
  } catch (error) {
    if (error instanceof Interrupted) throw error
    complain(error)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/**
 * Prints a line a suite, and as the very last line the sum over all of them.
 *
 * @param {Map<SuiteName, Outcome & { time: number }>} outcomes
 * @returns {number} the exit code
 */
function summarise(outcomes) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  print('')
  for (const [name, outcome] of outcomes) {
    sum.passed += outcome.passed
    sum.failed += outcome.failed
    sum.skipped += outcome.skipped
    print(`  ${outcome.failed === 0 ? '✓' : '✗'} ${name.padEnd(10)}${seconds(outcome.time)}  ${inWords(outcome)}`)
  }
  print(`\n${inWords(sum)}`)
  return sum.failed === 0 && sum.passed > 0 ? 0 : 1
}

/** @param {Outcome} outcome */
function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

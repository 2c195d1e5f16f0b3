/** The suites of `npm test`, in their order, and how each one's result is read. */

import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { buildAll } from './build.mjs'
import { findMysqlEngine } from './mysql-engine.mjs'
import { packageProgram, runInFront } from './processes.mjs'
import { Fault, print } from './report.mjs'
import { withTemporaryServers } from './temporary-servers.mjs'
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs'
import { ensureTools } from './tools.mjs'

/**
 * @typedef {object} Context
 * @property {string[]} args for the runner
 * @property {NodeJS.ProcessEnv} env
 * @property {string} reports a folder for the runners' reports
 * @property {AbortSignal} signal
 * @property {boolean} [quick] without fault runs
 */

/** @typedef {import('./test-reports.mjs').Outcome} Outcome */
/**
 * @typedef {object} Suite
 * @property {(context: Context) => Promise<Outcome>} run
 * @property {boolean} [needsServers]
 * @property {boolean} [needsBuild] starts the app as it would run, from dist/ and .next/
 */

/** @typedef {'lint' | 'types' | 'build' | 'unit' | 'plans' | 'mysql' | 'browser'} SuiteName */

/** What `npm test -- quick` runs: what needs no built app, and the unit tests without fault runs. @type {SuiteName[]} */
export const QUICK = ['lint', 'types', 'unit']

/**
 * What quick leaves out, as patterns: faults made for real with the built app or on servers that are stopped, crowds, rebuilds,
 * and the tests of accounts that hash passwords by the dozen. Half of the time of lib/ is theirs.
 */
const FAULT_RUNS = [
  'tests/**',
  'lib/**/*{faults,failover,gaps,processes,sentinel}.test.ts',
  'lib/**/{rebuild,rebuild-job,migrate,stretch}.test.ts',
  'lib/accounts/{attempts,mail,mail-limit,notices,oidc,passwords,proof,remove,second-factor,setup}.test.ts',
  'lib/accounts/sign-*.test.ts',
]

/** @type {Record<SuiteName, Suite>} */
export const SUITES = {
  lint: { run: async (context) => asOneTest(await runInFront('npm', ['run', '--silent', 'lint'], context)) },
  types: { run: checkTypes },
  build: {
    run: async ({ signal }) => {
      await buildAll(signal)
      return asOneTest(0)
    },
  },
  unit: { needsServers: true, needsBuild: true, run: runUnit },
  plans: { needsServers: true, run: checkPlans },
  mysql: { needsBuild: true, run: runOnMysql },
  browser: { needsServers: true, needsBuild: true, run: runPlaywright },
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function checkTypes(context) {
  // The types of routes, images and styles, which Next.js writes and a fresh clone has not.
  const typegen = await runPackage(context, 'next', ['typegen'])
  return asOneTest(typegen || (await runPackage(context, 'tsc', ['--noEmit', ...context.args])))
}

/** @param {Context} context @returns {Promise<Outcome>} */
function runUnit(context) {
  if (context.quick) return runVitest({ ...context, args: FAULT_RUNS.flatMap((pattern) => ['--exclude', pattern]) })
  return runVitest({ ...context, env: { ...context.env, TEST_STATEMENTS: statementsFolder(context) } })
}

/**
 * Holds the statements that the tests before made, or else those of lib/, against a database in use.
 *
 * @param {Context} context
 * @returns {Promise<Outcome>}
 */
async function checkPlans(context) {
  if (!existsSync(statementsFolder(context))) {
    await runUnit({ ...context, args: context.args.length > 0 ? context.args : ['lib'] })
  }
  const env = { ...context.env, TEST_STATEMENTS_OF: statementsFolder(context) }
  return runVitest({ ...context, env, args: ['--config', 'vitest.plans.config.ts'] })
}

/** @param {Context} context */
function statementsFolder({ reports }) {
  return path.join(reports, 'statements')
}

/** What is run on MySQL unless other files are named: the migrations, the schema, and the app as a whole. */
const ON_MYSQL = ['lib/db', 'tests/smoke.test.ts']

/** @param {Context} context @returns {Promise<Outcome>} */
async function runOnMysql(context) {
  const engine = await findMysqlEngine(context.signal)
  if ('missing' in engine) {
    print(`  skipped: ${engine.missing}`)
    return { passed: 0, failed: 0, skipped: 1, note: engine.missing }
  }
  const { programs, version } = engine
  print(`  MySQL ${version} (${programs.mariadb}) and ${path.basename(programs.redis)}`)
  const args = context.args.length > 0 ? context.args : ON_MYSQL
  return await withTemporaryServers(
    'mysql',
    context.signal,
    async ({ databaseUrl, redisUrl }) => {
      const urls = { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl }
      const own = { TEST_DATABASE_PROGRAM: programs.mariadb, TEST_REDIS_PROGRAM: programs.redis }
      const env = { ...context.env, ...urls, ...own }
      const outcome = await runVitest({ ...context, args, env })
      // The plans of another engine's optimizer: of what the unit tests asked, where they have run.
      if (!existsSync(statementsFolder(context))) return outcome
      return sum(outcome, await checkPlans({ ...context, env }))
    },
    programs,
  )
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function runVitest(context) {
  const report = path.join(context.reports, 'vitest.json')
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runPackage(context, 'vitest', ['run', ...reporters, ...context.args])
  return withExitCode(code, readVitestReport(report))
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function runPlaywright(context) {
  const { curl } = await ensureTools(['curl'], context.signal)
  const browsers = await findBrowsers(context)
  const report = path.join(context.reports, 'playwright.json')
  const env = { ...context.env, ...browsers, CURL_PATH: curl, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await runPackage({ ...context, env }, 'playwright', ['test', '--reporter=list,json', ...context.args])
  return withExitCode(code, readPlaywrightReport(report))
}

/**
 * The browser of most tests is Chromium without what draws windows, which takes half the processor time. The whole one has
 * extensions too, and stands in for it where there is no such package.
 *
 * @param {Context} context
 * @returns {Promise<{ CHROMIUM_PATH: string, WHOLE_CHROMIUM_PATH: string }>}
 */
async function findBrowsers({ env: { CHROMIUM_PATH }, signal }) {
  if (CHROMIUM_PATH) return { CHROMIUM_PATH, WHOLE_CHROMIUM_PATH: CHROMIUM_PATH }
  try {
    const { chromium, headlessShell } = await ensureTools(['chromium', 'headlessShell'], signal)
    return { CHROMIUM_PATH: headlessShell, WHOLE_CHROMIUM_PATH: chromium }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { chromium } = await ensureTools(['chromium'], signal)
    return { CHROMIUM_PATH: chromium, WHOLE_CHROMIUM_PATH: chromium }
  }
}

/**
 * @param {Context} context
 * @param {string} name
 * @param {string[]} args
 */
function runPackage({ env, signal }, name, args) {
  return runInFront(process.execPath, [packageProgram(name), ...args], { env, signal })
}

/** @param {Outcome} one @param {Outcome} other @returns {Outcome} */
function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    tests: [...(one.tests ?? []), ...(other.tests ?? [])],
  }
}

/** @param {number} code @returns {Outcome} */
function asOneTest(code) {
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/**
 * A runner that failed for a reason other than a test has failed all the same.
 *
 * @param {number} code
 * @param {Outcome} outcome
 * @returns {Outcome}
 */
function withExitCode(code, outcome) {
  return code !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome
}

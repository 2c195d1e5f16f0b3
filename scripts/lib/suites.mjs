/** The suites of `npm test`, in their order, and how each one's result is read. */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { buildAll } from './build.mjs'
import { buildCli, CLI_FOLDER, generateClient } from './cli.mjs'
import { PARTS } from './engine-parts.mjs'
import { onEngine } from './engine-run.mjs'
import { engineOf } from './engines.mjs'
import { buildPreviousRelease } from './previous-release.mjs'
import { runInFront } from './processes.mjs'
import { print } from './report.mjs'
import { runPackage, runPlaywright, runVitest, sum } from './runners.mjs'
import { ensureTools } from './tools.mjs'

/** @typedef {import('./runners.mjs').Context} Context */
/** @typedef {import('./test-reports.mjs').Outcome} Outcome */
/**
 * @typedef {object} Suite
 * @property {(context: Context) => Promise<Outcome>} run
 * @property {boolean} [needsServers]
 * @property {boolean} [needsBuild] starts the app as it would run, from dist/ and .next/
 */

/** @typedef {'lint' | 'types' | 'build' | 'unit' | 'plans' | 'mysql' | 'upgrade' | 'browser'} SuiteName */

/** What `npm test -- quick` runs: what needs no built app, and the unit tests without fault runs. @type {SuiteName[]} */
export const QUICK = ['lint', 'types', 'unit']

/**
 * What quick leaves out, as patterns: faults made for real with the built app or on servers that are stopped, crowds, rebuilds,
 * and the tests of accounts that hash passwords by the dozen. Half of the time of lib/ is theirs.
 */
const FAULT_RUNS = [
  'tests/**',
  'packages/cli/tests/**',
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
  upgrade: { needsServers: true, needsBuild: true, run: runUpgrade },
  browser: { needsServers: true, needsBuild: true, run: runPlaywright },
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function checkTypes(context) {
  // The types of routes, images and styles, which Next.js writes and a fresh clone has not.
  const typegen = await runPackage(context, 'next', ['typegen'])
  await generateClient(context.signal)
  const ours = await runPackage(context, 'tsc', ['--noEmit', ...context.args])
  return asOneTest(typegen || ours || (await runPackage(context, 'tsc', ['--noEmit', '-p', CLI_FOLDER])))
}

/** Tests with so many processes of their own that others beside them would wait for a processor. */
const CROWDS = [
  'lib/ids/handles-processes.test.ts',
  'tests/backup.test.ts',
  'tests/redis-cluster.test.ts',
  'tests/redis-sentinel.test.ts',
]

/** @param {Context} context @returns {Promise<Outcome>} */
async function runUnit(context) {
  if (context.quick) return runVitest({ ...context, args: FAULT_RUNS.flatMap((pattern) => ['--exclude', pattern]) })
  await buildCli(context.signal)
  const recording = { ...context, env: { ...context.env, TEST_STATEMENTS: statementsFolder(context) } }
  if (context.args.length > 0) return await runVitest(recording)
  // Without them, what they complete would not be tested.
  await ensureTools(['zsh', 'fish'], context.signal)
  const most = await runVitest({ ...recording, args: CROWDS.flatMap((file) => ['--exclude', file]) })
  return sum(most, await runVitest({ ...recording, args: [...CROWDS, '--maxWorkers=1'] }))
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

/** What is run on MySQL and Valkey unless other files are named: all that is SQL of its own, and moving to MariaDB and back. */
const ON_MYSQL = [...PARTS.sql.tests, 'tests/backup.test.ts']

/** @param {Context} context @returns {Promise<Outcome>} */
async function runOnMysql(context) {
  const found = await engineOf('mysql-valkey').find(context.signal)
  if ('missing' in found) {
    print(`  skipped: ${found.missing}`)
    return { passed: 0, failed: 0, skipped: 1, note: found.missing }
  }
  const args = context.args.length > 0 ? context.args : ON_MYSQL
  return await onEngine('mysql', found, context, async (own, versions) => {
    print(`  ${versions.database} and ${versions.redis}`)
    const outcome = await runVitest({ ...own, args })
    // The plans of another engine's optimizer: of what the unit tests asked, where they have run.
    if (!existsSync(statementsFolder(context))) return outcome
    return sum(outcome, await checkPlans(own))
  })
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function runUpgrade(context) {
  const release = await buildPreviousRelease(context.signal)
  if ('missing' in release) {
    print(`  skipped: ${release.missing}`)
    return { passed: 0, failed: 0, skipped: 1, note: release.missing }
  }
  const env = { ...context.env, PREVIOUS_RELEASE: release.folder }
  return await runVitest({ ...context, env, args: ['--config', 'vitest.upgrade.config.ts', ...context.args] })
}

/** @param {number} code @returns {Outcome} */
function asOneTest(code) {
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

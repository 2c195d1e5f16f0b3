/** The suites of `npm test`, in their order, and how each one's result is read. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildAll } from './build.mjs'
import { packageProgram, runInFront } from './processes.mjs'
import { ensureTools } from './tools.mjs'

/**
 * @typedef {object} Context
 * @property {string[]} args for the runner
 * @property {NodeJS.ProcessEnv} env
 * @property {string} reports a folder for the runners' reports
 * @property {AbortSignal} signal
 */

/** @typedef {{ passed: number, failed: number, skipped: number }} Outcome */
/** @typedef {{ needsServers: boolean, run: (context: Context) => Promise<Outcome> }} Suite */
/** @typedef {'lint' | 'types' | 'unit' | 'build' | 'browser'} SuiteName */

/** @type {Record<SuiteName, Suite>} */
export const SUITES = {
  lint: {
    needsServers: false,
    run: async (context) => asOneTest(await runPackage(context, 'biome', ['check', '.', ...context.args])),
  },
  types: { needsServers: false, run: checkTypes },
  unit: { needsServers: true, run: runVitest },
  build: {
    needsServers: false,
    run: async ({ signal }) => {
      await buildAll(signal)
      return asOneTest(0)
    },
  },
  browser: { needsServers: true, run: runPlaywright },
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function checkTypes(context) {
  // The types of routes, images and styles, which Next.js writes and a fresh clone has not.
  const typegen = await runPackage(context, 'next', ['typegen'])
  return asOneTest(typegen || (await runPackage(context, 'tsc', ['--noEmit', ...context.args])))
}

/** @param {Context} context @returns {Promise<Outcome>} */
async function runVitest(context) {
  const report = path.join(context.reports, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runPackage(context, 'vitest', ['run', ...reporters, ...context.args])
  /** @type {VitestReport} */
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  // A file that cannot be loaded, or whose hooks fail, fails without a failed test of its own.
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  return withExitCode(code, {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles.length,
    skipped: numPendingTests + numTodoTests,
  })
}

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults
 */

/** @param {Context} context @returns {Promise<Outcome>} */
async function runPlaywright(context) {
  const chromium = context.env.CHROMIUM_PATH ?? (await ensureTools(['chromium'], context.signal)).chromium
  await buildAll(context.signal)
  const report = path.join(context.reports, 'playwright.json')
  const env = { ...context.env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await runPackage({ ...context, env }, 'playwright', ['test', '--reporter=list,json', ...context.args])
  /** @type {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} */
  const { stats } = JSON.parse(readFileSync(report, 'utf8'))
  return withExitCode(code, { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped })
}

/**
 * @param {Context} context
 * @param {string} name
 * @param {string[]} args
 */
function runPackage({ env, signal }, name, args) {
  return runInFront(process.execPath, [packageProgram(name), ...args], { env, signal })
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

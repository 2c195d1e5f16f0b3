/** The programs that run tests, and what they report. */

import { rmSync } from 'node:fs'
import path from 'node:path'
import { packageProgram, runInFront } from './processes.mjs'
import { Fault } from './report.mjs'
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs'
import { ensureTools } from './tools.mjs'

/**
 * @typedef {object} Context
 * @property {string[]} args for the runner
 * @property {NodeJS.ProcessEnv} env
 * @property {string} reports a folder for the runners' reports
 * @property {AbortSignal} signal
 * @property {boolean} [quick] without fault runs
 * @property {string} [node] the program that everything is run with; default: the one that runs this
 */

/** @typedef {import('./test-reports.mjs').Outcome} Outcome */

/** @param {Context} context @returns {Promise<Outcome>} */
export async function runVitest(context) {
  const report = path.join(context.reports, 'vitest.json')
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runPackage(context, 'vitest', ['run', ...reporters, ...context.args])
  return withExitCode(code, readVitestReport(report))
}

/** @param {Context} context @returns {Promise<Outcome>} */
export async function runPlaywright(context) {
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
export function runPackage({ env, signal, node = process.execPath }, name, args) {
  // First on the PATH too: what is started as `node` is of this version.
  const PATH = [path.dirname(node), env.PATH].join(path.delimiter)
  return runInFront(node, [packageProgram(name), ...args], { env: { ...env, PATH }, signal })
}

/** @param {Outcome} one @param {Outcome} other @returns {Outcome} */
export function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    skips: [...(one.skips ?? []), ...(other.skips ?? [])],
    tests: [...(one.tests ?? []), ...(other.tests ?? [])],
  }
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

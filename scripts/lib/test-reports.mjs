/** What the runners of `npm test` write down of each test. */

import { existsSync, readFileSync } from 'node:fs'
import { Fault } from './report.mjs'

/** @typedef {{ name: string, time: number, error?: string }} Test one that ran; `time` in ms; `error`: why it failed */
/**
 * @typedef {{ passed: number, failed: number, skipped: number, note?: string, skips?: string[], tests?: Test[] }} Outcome
 *   `note`: why all was skipped; `skips`: why tests were, as their names say
 */

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {VitestFile[]} testResults
 *
 * @typedef {{ name: string, status: string, message: string, startTime: number, endTime: number, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ status: string, fullName: string, duration?: number, failureMessages: string[] }} VitestTest
 */

/**
 * @param {string} file
 * @returns {Outcome}
 * @throws {Fault} when there is no report
 */
export function readVitestReport(file) {
  /** @type {VitestReport} */
  const report = readReport(file)
  // A file that cannot be loaded, or whose hooks fail, fails without a failed test of its own.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const brokenFiles = broken.map(({ name, message, startTime, endTime }) => ({
    name: shortPath(name),
    time: endTime - startTime,
    error: message || 'The file failed.',
  }))
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ status, fullName, duration, failureMessages }) => ({
        name: `${shortPath(name)}: ${fullName}`,
        time: duration ?? 0,
        ...(status === 'failed' && { error: failureMessages.join('\n') }),
      })),
  )
  const skipped = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ fullName }) => /\((skipped: .*)\)$/.exec(fullName)?.[1] ?? [])
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    skips: [...new Set(skipped)],
    tests: [...tests, ...brokenFiles],
  }
}

/**
 * @typedef {object} PlaywrightReport
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {PlaywrightSuite[]} suites
 * @property {{ message?: string }[]} [errors] of no test
 *
 * @typedef {{ title: string, specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ title: string, tests: { projectName: string, status: string, results: PlaywrightResult[] }[] }} PlaywrightSpec
 * @typedef {{ duration: number, error?: { message?: string } }} PlaywrightResult
 */

/**
 * @param {string} file
 * @returns {Outcome}
 * @throws {Fault} when there is no report
 */
export function readPlaywrightReport(file) {
  /** @type {PlaywrightReport} */
  const { stats, suites, errors = [] } = readReport(file)
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    tests: [
      ...suites.flatMap((suite) => testsOf(suite, [])),
      ...errors.map(({ message = '' }) => ({ name: 'browser', time: 0, error: message })),
    ],
  }
}

/**
 * @param {PlaywrightSuite} suite
 * @param {string[]} above titles of the suites it stands in
 * @returns {Test[]}
 */
function testsOf({ title, specs = [], suites = [] }, above) {
  const titles = [...above, title]
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status !== 'skipped')
      .map(({ projectName, status, results }) => ({
        name: `[${projectName}] ${[...titles, spec.title].join(' › ')}`,
        time: results.reduce((sum, { duration }) => sum + duration, 0),
        ...(status !== 'expected' && { error: results.map(({ error }) => error?.message ?? '').join('\n') }),
      })),
  )
  return [...own, ...suites.flatMap((suite) => testsOf(suite, titles))]
}

/** @param {string} file */
function readReport(file) {
  if (!existsSync(file)) throw new Fault('the test runner stopped without a report. Its output is above.')
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** @param {string} file within this project */
function shortPath(file) {
  return file.startsWith(process.cwd()) ? file.slice(process.cwd().length + 1) : file
}

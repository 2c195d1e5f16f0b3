/** The table of docs/engines.md: what has run, with which versions, and when. Rows that did not run again stay. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PARTS } from './engine-parts.mjs'
import { ENGINES, engineOf } from './engines.mjs'
import { ROOT, run } from './processes.mjs'
import { Fault } from './report.mjs'

export const FILE = path.join(ROOT, 'docs/engines.md')
const BEGIN = '<!-- written by npm run test:engines -->'
const END = '<!-- end -->'
const COLUMNS = [
  ...['engine', 'tests', 'Node', 'database', 'Redis', 'passed', 'failed', 'skipped'],
  ...['took', 'on', 'commit', 'newest migration', 'notes'],
]

/**
 * @typedef {object} Row
 * @property {string} name of the engine
 * @property {import('./engine-run.mjs').Versions} versions
 * @property {import('./test-reports.mjs').Outcome} outcome
 * @property {number} time in ms
 * @property {State} state
 */

/** @typedef {{ commit: string, migration: string }} State of the files that ran */

/**
 * @param {Row} row
 * @param {Date} on
 * @returns {string} a line of the table
 */
export function lineOf({ name, versions, outcome, time, state }, on) {
  const { passed, failed, skipped, skips = [], tests = [] } = outcome
  const failures = tests.filter(({ error }) => error !== undefined).map((test) => `failed: ${test.name}`)
  const notes = [...failures, ...skips].join('<br>')
  const { title, part } = engineOf(name)
  const took = `${Math.max(1, Math.round(time / 60_000))} min`
  const { node, database, redis } = versions
  const cells = [title, part, node, database, redis, passed, `${failed > 0 ? '✗ ' : ''}${failed}`, skipped, took]
  return asLine([...cells, on.toISOString().slice(0, 10), state.commit, state.migration, notes])
}

/**
 * @param {string} text of the whole page
 * @param {string[]} lines each in place of the one of its engine
 * @returns {string} the page with them, in the order of the engines
 */
export function withLines(text, lines) {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin === -1 || end < begin) throw new Fault(`${FILE} has no lines ${BEGIN} and ${END}.`)
  const known = new Map(Object.values(ENGINES).map(({ title }) => [title, '']))
  const before = text.slice(begin, end).split('\n')
  for (const line of [...before.filter((one) => one.startsWith('| ')), ...lines]) {
    const title = titleOf(line)
    if (known.has(title)) known.set(title, line)
  }
  const rows = [...known.values()].filter((line) => line !== '')
  const parts = Object.entries(PARTS).map(([name, { says }]) => `- **${name}**: ${says}.`)
  const table = [asLine(COLUMNS), `|${COLUMNS.map(() => ' --- |').join('')}`, ...rows]
  return `${text.slice(0, begin)}${[BEGIN, '', ...table, '', ...parts, ''].join('\n')}\n${text.slice(end)}`
}

/** @param {AbortSignal} signal @returns {Promise<State>} the commit, with a + where files were changed since; ? outside of git */
export async function stateOfFiles(signal) {
  const git = (/** @type {string[]} */ ...args) => run('git', ['-C', ROOT, ...args], { signal })
  const commit = await git('rev-parse', '--short=9', 'HEAD').catch(() => '?')
  const changed = await git('status', '--porcelain').catch(() => '')
  const migrations = readdirSync(path.join(ROOT, 'prisma/migrations')).filter((name) => /^\d/.test(name))
  return { commit: `${commit.trim()}${changed === '' ? '' : '+'}`, migration: migrations.sort().at(-1)?.split('_')[0] ?? '' }
}

/** @param {Row} row */
export function record(row) {
  writeFileSync(FILE, withLines(readFileSync(FILE, 'utf8'), [lineOf(row, new Date())]))
}

/** @param {(string | number)[]} cells */
const asLine = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`

/** @param {string} line */
const titleOf = (line) => line.split(' | ')[0]?.slice(2) ?? ''

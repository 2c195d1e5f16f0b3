import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Machine } from './machine'
import type { Comparison, Cost } from './measure'
import type { Plan } from './world'

/** One line of the table. */
export interface Row {
  title: string
  /** What was hoped for, in words; '' for a row that is there for information only. */
  goal: string
  /** What was measured, in words. */
  result: string
  /** Null where there is no goal. */
  met: boolean | null
  /** Of the app, in requests/s and ms. */
  rate?: number
  p50?: number
  p99?: number | null
  /** At 70 % of the rate, sent at a steady pace. */
  steadyP99?: number | null
  cost?: Cost
  /** Requests/s of the control around it. */
  control?: number
  /** Something a reader has to know, such as wrong answers. */
  note?: string
  /** The raw numbers, for the JSON file. */
  raw: unknown
}

/** A row of a case that is held against the control. Wrong answers make any figure worthless, so they miss the goal. */
export function comparisonRow(title: string, goal: number | null, comparison: Comparison): Row {
  const { rate, p50, p99, ratio, controlRate, cost, paced, wrong } = comparison
  return {
    title,
    goal: goal === null ? '' : `≥ ${goal}`,
    result: ratio.toFixed(2),
    met: goal === null ? null : ratio >= goal && wrong === 0,
    rate,
    p50,
    p99,
    steadyP99: paced.p99,
    cost,
    control: controlRate,
    note: notes(tiers(comparison.answers), wrongAnswers(wrong)),
    raw: comparison,
  }
}

/** What the app's redirecting thread, and everything with counting, may cost: multiples of the control. */
export const THREAD_GOAL = 1.4
export const ALL_GOAL = 3

/** Rows about the processor time of a case. */
export function costRows(title: string, { cost, wrong }: Comparison): Row[] {
  const row = (part: string, times: number, goal: number): Row => ({
    title: `${title}: processor time a request, ${part}, to the control's`,
    goal: `≤ ${goal}`,
    result: times.toFixed(2),
    met: times <= goal && wrong === 0,
    raw: cost,
  })
  return [row('redirecting thread', cost.thread, THREAD_GOAL), row('all processes', cost.all, ALL_GOAL)]
}

/** A row without a goal. */
export const infoRow = (title: string, result: string, note: string, raw: unknown): Row => ({
  title,
  goal: '',
  result,
  met: null,
  note,
  raw,
})

/** A number without its fraction, as the table writes it. */
export const number = (n: number) => Math.round(n).toLocaleString('en-US')

/** What is worth saying, in one line. */
export const notes = (...parts: string[]) => parts.filter(Boolean).join('; ')

export const wrongAnswers = (wrong: number) => (wrong === 0 ? '' : `${wrong} WRONG ANSWERS`)

/** Where the links were found, in whole percent. */
export function tiers(answers: Record<string, number>): string {
  const all = Object.values(answers).reduce((total, count) => total + count, 0)
  return Object.entries(answers)
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => `${key.split('/')[1]} ${share(count / all)}`)
    .join(', ')
}

const share = (part: number) => (part > 0 && part < 0.01 ? '<1 %' : `${Math.round(part * 100)} %`)

/** The columns: head, what a row says there, and whether it is a number. */
const COLUMNS: { head: string; text: (row: Row) => string; right?: true }[] = [
  { head: 'case', text: ({ title }) => title },
  { head: 'goal', text: ({ goal }) => goal },
  { head: 'result', text: ({ result }) => result },
  { head: '', text: ({ met }) => (met === null ? '' : met ? '✓' : '✗') },
  { head: 'requests/s', text: ({ rate }) => whole(rate), right: true },
  { head: 'p50 ms', text: ({ p50 }) => time(p50), right: true },
  { head: 'p99 ms', text: ({ p99 }) => time(p99), right: true },
  { head: 'p99 ms at 70 %', text: ({ steadyP99 }) => time(steadyP99), right: true },
  { head: 'control/s', text: ({ control }) => whole(control), right: true },
  { head: 'µs redirecting', text: ({ cost }) => time(cost?.each.redirecting), right: true },
  { head: 'counting', text: ({ cost }) => time(cost?.each.counting), right: true },
  { head: 'other threads', text: ({ cost }) => time(cost?.each.others), right: true },
  { head: 'Redis', text: ({ cost }) => time(cost?.each.redis), right: true },
  { head: 'MySQL', text: ({ cost }) => time(cost?.each.database), right: true },
  { head: '× control: redirecting', text: ({ cost }) => ratio(cost?.thread), right: true },
  { head: 'all', text: ({ cost }) => ratio(cost?.all), right: true },
  { head: 'notes', text: ({ note }) => note ?? '' },
]
const HEAD = COLUMNS.map(({ head }) => head)

const whole = (value: number | undefined) => (value === undefined ? '' : Math.round(value).toLocaleString('en-US'))
/** More requests than that were never answered: without end, which is null in JSON. */
const time = (value: number | null | undefined) =>
  value === undefined ? '' : value === null || value === Number.POSITIVE_INFINITY ? '∞' : value.toFixed(value < 10 ? 2 : 0)
const ratio = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2))

const cells = (row: Row) => COLUMNS.map(({ text }) => text(row))

/** The table for a terminal, aligned. */
export function textTable(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const aligned = lines.map((line) =>
    line
      .map((text, column) => (COLUMNS[column]?.right ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  aligned.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '))
  return aligned.join('\n')
}

function markdownTable(rows: readonly Row[]): string {
  const rule = HEAD.map((_, column) => (COLUMNS[column]?.right ? '---:' : '---'))
  return [HEAD, rule, ...rows.map(cells)].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** One JSON file with everything: the machine, how much was measured, each row and its raw numbers. */
export function writeJson(path: string, machine: Machine, plan: Plan, rows: readonly Row[]): void {
  mkdirSync(dirname(path), { recursive: true })
  const text = JSON.stringify(
    { machine, plan, cases: rows },
    (_, value) => (typeof value === 'number' ? rounded(value) : typeof value === 'bigint' ? Number(value) : value),
    2,
  )
  writeFileSync(path, `${text}\n`)
}

const rounded = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(6)))

const BEGIN = '<!-- bench:begin -->'
const END = '<!-- bench:end -->'

/** Puts the table between the markers of a Markdown file; the words around it stay. @throws Error when a marker is missing */
export function writeMarkdown(path: string, machine: Machine, plan: Plan, rows: readonly Row[]): void {
  writeFileSync(path, withTable(readFileSync(path, 'utf8'), machine, plan, rows))
}

/** A Markdown page with the table between its markers. @throws Error when a marker is missing */
export function withTable(page: string, machine: Machine, plan: Plan, rows: readonly Row[]): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin === -1 || end < begin) throw new Error(`the page lacks the markers ${BEGIN} and ${END}`)
  const { date, cpu, cores, memory, system, node, database, redis } = machine
  const where = `${date.slice(0, 10)}, ${cores} cores (${cpu}), ${memory} GB, ${system}, Node ${node}, ${database}, Redis ${redis}`
  const remark = plan.quick ? 'A QUICK RUN, whose figures mean little. ' : ''
  const table = `${BEGIN}\n${remark}${where}:\n\n${markdownTable(rows)}\n${END}`
  return page.slice(0, begin) + table + page.slice(end + END.length)
}

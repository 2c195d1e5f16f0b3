import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Machine } from './machine'
import type { Comparison } from './measure'
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
  p99?: number
  /** Requests/s of the control around it. */
  control?: number
  /** Something a reader has to know, such as wrong answers. */
  note?: string
  /** The raw numbers, for the JSON file. */
  raw: unknown
}

/** A row of a case that is held against the control. Wrong answers make any figure worthless, so they miss the goal. */
export function comparisonRow(title: string, goal: number | null, comparison: Comparison): Row {
  const { rate, p50, p99, ratio, controlRate, wrong } = comparison
  return {
    title,
    goal: goal === null ? '' : `≥ ${goal}`,
    result: ratio.toFixed(2),
    met: goal === null ? null : ratio >= goal && wrong === 0,
    rate,
    p50,
    p99,
    control: controlRate,
    note: [tiers(comparison), wrongAnswers(wrong)].filter(Boolean).join('; '),
    raw: comparison,
  }
}

export const wrongAnswers = (wrong: number) => (wrong === 0 ? '' : `${wrong} WRONG ANSWERS`)

/** Where the links were found, in whole percent. */
function tiers({ answers }: Comparison): string {
  const all = Object.values(answers).reduce((total, count) => total + count, 0)
  return Object.entries(answers)
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => `${key.split('/')[1]} ${share(count / all)}`)
    .join(', ')
}

const share = (part: number) => (part > 0 && part < 0.01 ? '<1 %' : `${Math.round(part * 100)} %`)

const HEAD = ['case', 'goal', 'result', '', 'requests/s', 'p50 ms', 'p99 ms', 'control/s', 'notes']
const RIGHT = new Set([4, 5, 6, 7])

function cells(row: Row): string[] {
  const whole = (value: number | undefined) => (value === undefined ? '' : Math.round(value).toLocaleString('en-US'))
  const time = (value: number | undefined) => (value === undefined ? '' : value.toFixed(value < 10 ? 2 : 0))
  const mark = row.met === null ? '' : row.met ? '✓' : '✗'
  return [
    row.title,
    row.goal,
    row.result,
    mark,
    whole(row.rate),
    time(row.p50),
    time(row.p99),
    whole(row.control),
    row.note ?? '',
  ]
}

/** The table for a terminal, aligned. */
export function textTable(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const aligned = lines.map((line) =>
    line
      .map((text, column) => (RIGHT.has(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  aligned.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '))
  return aligned.join('\n')
}

function markdownTable(rows: readonly Row[]): string {
  const rule = HEAD.map((_, column) => (RIGHT.has(column) ? '---:' : '---'))
  return [HEAD, rule, ...rows.map(cells)].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** One JSON file with everything: the machine, how much was measured, each row and its raw numbers. */
export function writeJson(path: string, machine: Machine, plan: Plan, rows: readonly Row[]): void {
  mkdirSync(dirname(path), { recursive: true })
  const text = JSON.stringify(
    { machine, plan, cases: rows },
    (_, value) => (typeof value === 'number' ? rounded(value) : value),
    2,
  )
  writeFileSync(path, `${text}\n`)
}

const rounded = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(6)))

const BEGIN = '<!-- bench:begin -->'
const END = '<!-- bench:end -->'

/** Puts the table between the markers of a Markdown file; the words around it stay. @throws when a marker is missing */
export function writeMarkdown(path: string, machine: Machine, plan: Plan, rows: readonly Row[]): void {
  const page = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin === -1 || end < begin) throw new Error(`${path} lacks the markers ${BEGIN} and ${END}`)
  const { date, cpu, cores, memory, system, node, database, redis } = machine
  const where = `${date.slice(0, 10)}, ${cores} cores (${cpu}), ${memory} GB, ${system}, Node ${node}, ${database}, Redis ${redis}`
  const remark = plan.quick ? 'A QUICK RUN, whose figures mean little. ' : ''
  const table = `${BEGIN}\n${remark}${where}:\n\n${markdownTable(rows)}\n${END}`
  writeFileSync(path, page.slice(0, begin) + table + page.slice(end + END.length))
}

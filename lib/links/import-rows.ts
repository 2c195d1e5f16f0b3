import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { CsvError, readCsv } from '@/lib/tools/csv'
import { toLines } from '@/lib/tools/line'

/** More than any list of links has, and a cell more than an address may have. */
const LIMITS = { columns: 200, cell: 10_000 }
/** Characters of the first line that tell what the cells are separated by. */
const SAMPLE = 10_000

/** What a link can be given by a column, and the names, in small letters and digits, that other shorteners give it. */
const COLUMNS = {
  url: ['url', 'longurl', 'destination', 'destinationurl', 'target', 'targeturl', 'originalurl', 'address'],
  code: ['code', 'shortcode', 'customcode', 'slug', 'customslug', 'alias', 'keyword', 'backhalf', 'key'],
  domain: ['domain', 'host'],
  title: ['title', 'name'],
  startsAt: ['startsat', 'validsince'],
  expiresAt: ['expiresat', 'expires', 'expireson', 'expirationdate', 'validuntil'],
  expiredUrl: ['expiredurl'],
  maxClicks: ['maxclicks', 'maxvisits', 'clicklimit'],
  redirectStatus: ['redirectstatus', 'statuscode'],
  listed: ['listed'],
  enabled: ['enabled', 'active', 'isactive'],
} as const

export type Column = keyof typeof COLUMNS
export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[]

/** The cells of one line that hold anything, as they were written. */
export type Row = Partial<Record<Column, string>>

export interface Sheet {
  rows: Row[]
  /** Names of columns that mean nothing here. */
  unknown: string[]
}

/**
 * Reads links from CSV, separated by commas, semicolons or tabs, in short stretches. The first line names the columns; where it
 * holds an address instead, the columns are `url`, `code` and `title`.
 * @param most rows that there may be
 * @throws TerseError 'bad_request' for what is not CSV, 'validation_failed' for what holds no links or too many
 */
export async function readSheet(text: string, most: number): Promise<Sheet> {
  try {
    return await readRows(readCsv(text, delimiterOf(text), LIMITS), most)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new TerseError('bad_request', say('api.import.csv', { fault: error.fault, line: error.line, most: error.most }))
  }
}

async function readRows(lines: AsyncGenerator<string[], void>, most: number): Promise<Sheet> {
  const { value: head } = await lines.next()
  if (!head) throw new TerseError('validation_failed', say('api.import.empty'))
  const isBare = /^https?:/i.test(head[0] ?? '')
  const names = isBare ? ['url', 'code', 'title'] : head
  const columns = names.map(columnOf)
  if (!columns.includes('url')) {
    throw new TerseError('validation_failed', say('api.import.noUrl'))
  }
  const password = names.findIndex((name) => plainName(name) === 'password')
  const rows: Row[] = isBare ? [rowOf(columns, head)] : []
  for await (const cells of lines) {
    // Left out, they would open what was closed; taken, they would lie here in plain text until the job is forgotten.
    if (password !== -1 && cells[password]) {
      throw new TerseError('validation_failed', say('api.import.passwords'))
    }
    rows.push(rowOf(columns, cells))
    if (rows.length > most) {
      throw new TerseError('validation_failed', say('api.import.tooMany', { most }))
    }
  }
  if (rows.length === 0) throw new TerseError('validation_failed', say('api.import.noRows'))
  return { rows, unknown: names.filter((name, index) => columns[index] === null && name !== '') }
}

/** Of the three the one that the first line has most of. */
function delimiterOf(text: string): string {
  const [first = ''] = text.slice(0, SAMPLE).split('\n', 1)
  const count = (mark: string) => first.split(mark).length
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => count(b) - count(a))
  return delimiter
}

function columnOf(name: string): Column | null {
  const plain = plainName(name)
  return COLUMN_NAMES.find((column) => COLUMNS[column].some((known) => known === plain)) ?? null
}

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Of two columns that mean the same the first that holds something counts. */
function rowOf(columns: readonly (Column | null)[], cells: readonly string[]): Row {
  const row: Row = {}
  for (const [index, column] of columns.entries()) {
    // What nobody sees is taken out of titles in any case, and would be most of what is stored.
    const cell = column === 'title' ? toLines(cells[index] ?? '') : cells[index]
    if (column !== null && cell) row[column] ??= cell
  }
  return row
}

/** A row as `CreateLink` wants it: numbers, truths and times in their own form, what cannot be read as it was. */
export function fieldsOf(row: Row): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...row }
  for (const name of ['maxClicks', 'redirectStatus'] as const) {
    if (row[name] !== undefined && /^\d{1,15}$/.test(row[name])) fields[name] = Number(row[name])
  }
  for (const name of ['startsAt', 'expiresAt'] as const) if (row[name] !== undefined) fields[name] = timeOf(row[name])
  for (const name of ['listed', 'enabled'] as const) {
    if (/^(true|yes|1)$/i.test(row[name] ?? '')) fields[name] = true
    else if (/^(false|no|0)$/i.test(row[name] ?? '')) fields[name] = false
  }
  return fields
}

/** A day is its beginning, and a time without a zone is of UTC. */
function timeOf(text: string): string {
  const [, day, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d:\d\d)?$/i.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${time.length === 5 ? `${time}:00` : time}${zone.toUpperCase()}`
}

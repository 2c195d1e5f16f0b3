import { z } from 'zod'
import { TerseError } from '@/lib/errors'
import { type Message, say } from '@/lib/i18n/message'
import { MOST_ROUTING_TEXT } from '@/lib/routing/values'
import { CsvError, type CsvRow, readCsv } from '@/lib/tools/csv'
import { armed } from '@/lib/tools/csv-writer'
import { JsonError, readJson } from '@/lib/tools/json-rows'
import { EncodingError, textOf } from '@/lib/tools/pieces-of-text'
import { addCell, type Column, cellOf, columnOf, isToldBesides, plainName, type Row } from './properties'

/**
 * What an import is given: rows in one form, whatever they were written in. An importer of another system's format is one more
 * function that yields such rows (`readImport`), and everything behind it is the same.
 */

/**
 * One link: its properties as the text of their cells, the line it begins in, why it is refused if it cannot be read, and what is
 * said of it if it can.
 */
export type ImportRow = Row & { line?: number; fault?: Message; note?: Message }

/** The same, as a job keeps it. Properties that another release knows go on to the schema of a link, which refuses them. */
export const ImportRow: z.ZodType<ImportRow> = z
  .object({ line: z.int().optional(), fault: z.custom<Message>().optional(), note: z.custom<Message>().optional() })
  .catchall(z.string())

export const IMPORT_FORMATS = ['csv', 'json'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

export interface ImportFile {
  format: ImportFormat
  bytes: AsyncIterable<Uint8Array>
}

/** How the columns of a CSV, or the fields of objects in JSON, become rows. `Target`: what one can be. */
export interface TableReading<Target extends string = Column> {
  columnOf: (name: string) => Target | null
  rowOf: (cells: Partial<Record<Target, string>>) => ImportRow
  /** The columns of a file whose first line names none. */
  bare?: readonly string[]
  /** One of these has to be there: a file without any would give each link a code that nobody knows. */
  codeIn?: readonly Target[]
}

/** As we name them, and as most others do. */
const OURS: TableReading = {
  columnOf,
  rowOf(cells) {
    const row: ImportRow = {}
    for (const [column, cell] of Object.entries(cells)) addCell(row, column as Column, cell)
    return row
  },
}

/** What was found out about a file besides its rows. */
export interface Told {
  /** Names of columns that mean nothing here, as many as are shown. */
  unknown: Set<string>
  /** What owners are called, by how rows before have them: of a dump in which accounts come after links. */
  called: Map<string, string>
  /** Some of what was taken for Windows-1252, if the file was. */
  windows?: string
}

const MOST_UNKNOWN = 20

/** More columns than any list of links has, and a cell as much as the largest field. */
const LIMITS = { columns: 200, cell: MOST_ROUTING_TEXT, row: 1_000_000 }

/** Name of the list of links in an export of an account. */
const LIST_NAME = 'links'

/**
 * Reads links as they come, some at a time and in short stretches, and holds no more than these.
 * @param told is told what is passed over
 * @throws TerseError 'bad_request' for what cannot be read at all, 'validation_failed' for what holds no links
 */
export async function* readImport({ format, bytes }: ImportFile, told: Told): AsyncGenerator<ImportRow[], void> {
  yield* readable(() => {
    const text = textOf(bytes, (sample) => (told.windows = sample))
    return format === 'csv' ? fromCsv(text, told, OURS) : fromJson(text, LIST_NAME, objectReader(told, OURS))
  })
}

/** The rows of a reader, of which what it cannot read is told. @throws TerseError 'bad_request' */
export async function* readable(read: () => AsyncGenerator<ImportRow[], void>): AsyncGenerator<ImportRow[], void> {
  try {
    yield* read()
  } catch (error) {
    if (error instanceof EncodingError) throw new TerseError('bad_request', say('api.import.encoding'))
    if (error instanceof CsvError || error instanceof JsonError) throw new TerseError('bad_request', faultOf(error))
    throw error
  }
}

function faultOf(error: CsvError | JsonError): Message {
  const { fault, line, most } = error
  return say(error instanceof CsvError ? 'api.import.csv' : 'api.import.json', { fault, line, most })
}

/** How the columns of a CSV are read. */
interface Head<Target extends string> {
  columns: (Target | null)[]
  /** Places of columns for passwords. */
  passwords: number[]
  /** By its column that was named twice, the place where it was first. */
  again: Map<number, number>
  /** Whether it is an export of ours, in which formulas were made harmless. */
  isOurs: boolean
  /** Places of an export's clicks: those of before, and those that were counted where it comes from. */
  clicks: readonly number[]
}

/** @throws CsvError, TerseError 'validation_failed' */
export async function* fromCsv<Target extends string>(
  text: AsyncIterable<string>,
  told: Told,
  reading: TableReading<Target>,
): AsyncGenerator<ImportRow[], void> {
  let head: Head<Target> | null = null
  for await (const lines of readCsv(text, LIMITS)) {
    const rows: ImportRow[] = []
    for (const line of lines) {
      if (head) rows.push(rowOf(head, line, reading))
      else {
        if (line.error) throw line.error
        const bare = bareNames(line.cells, reading)
        head = headOf(bare ?? line.cells, told, reading)
        if (bare) rows.push(rowOf(head, line, reading))
      }
    }
    if (rows.length > 0) yield rows
  }
  if (!head) throw new TerseError('validation_failed', say('api.import.empty'))
}

/** What the columns are called where the first line does not say so; null where it does. */
export function bareNames(cells: readonly string[], { bare }: { bare?: readonly string[] }): readonly string[] | null {
  const isUrl = (cell: string | undefined) => /^https?:/i.test(cell ?? '')
  if (isUrl(cells[0])) return ['url', 'code', 'title']
  return bare && cells.length === bare.length && isUrl(cells[bare.indexOf('url')]) ? bare : null
}

function headOf<Target extends string>(
  names: readonly string[],
  told: Told,
  { columnOf: targetOf, codeIn }: TableReading<Target>,
): Head<Target> {
  const columns = names.map(targetOf)
  if (!columns.some((column) => column === 'url')) throw new TerseError('validation_failed', say('api.import.noUrl'))
  if (codeIn && !columns.some((column) => column !== null && codeIn.includes(column))) {
    throw new TerseError('validation_failed', say('api.import.noShortLinks'))
  }
  const places = new Map<string, number>()
  const again = new Map<number, number>()
  for (const [index, name] of names.entries()) {
    const first = places.get(plainName(name))
    if (first === undefined) places.set(plainName(name), index)
    else if (columns[index]) again.set(index, first)
    if (columns[index] === null && plainName(name) !== 'password') noteUnknown(told, name)
  }
  const passwords = names.flatMap((name, index) => (plainName(name) === 'password' ? [index] : []))
  // Only an export has this column.
  const isOurs = names.includes('shortUrl') && names.every((name) => columnOf(name) === name || isToldBesides(name))
  const clicks = isOurs ? [names.indexOf('clicksBefore'), names.indexOf('clicks')].filter((index) => index >= 0) : []
  return { columns, passwords, again, isOurs, clicks }
}

function noteUnknown({ unknown }: Told, name: string): void {
  if (name !== '' && !isToldBesides(name) && unknown.size < MOST_UNKNOWN) unknown.add(name.slice(0, 100))
}

function rowOf<Target extends string>(
  head: Head<Target>,
  { line, cells, error }: CsvRow,
  reading: TableReading<Target>,
): ImportRow {
  if (error) return { line, fault: faultOf(error) }
  const said: Partial<Record<Target, string>> = {}
  for (const [index, column] of head.columns.entries()) {
    const cell = cells[index] ?? ''
    // Of two columns that are the same the first that holds something counts.
    if (column !== null && cell !== '') said[column] ||= head.isOurs ? armed(cell) : cell
  }
  const row: ImportRow = { line, ...reading.rowOf(said) }
  addClicks(
    row,
    head.clicks.map((index) => cells[index] ?? ''),
  )
  row.fault = rowFault(row, head, cells)
  if (!row.fault) delete row.fault
  return row
}

/** Seen from here, what was counted where an export comes from is clicks of before too. */
function addClicks(row: ImportRow, counted: readonly string[]): void {
  const clicks = counted.map(Number)
  if (clicks.length > 1 && clicks.every(Number.isSafeInteger)) row.clicksBefore = String(clicks.reduce((sum, n) => sum + n, 0))
}

/** What is wrong with the cells of a row, before anyone asks what they say. */
function rowFault<Target extends string>(
  row: ImportRow,
  { columns, passwords, again }: Head<Target>,
  cells: readonly string[],
): Message | undefined {
  // Left out, they would open what was closed; taken, they would lie here in plain text until the job is forgotten.
  if (passwords.some((index) => cells[index])) return say('api.import.passwords')
  if (cells.slice(columns.length).some((cell) => cell !== '')) {
    return say('api.import.moreCells', { cells: cells.length, columns: columns.length })
  }
  for (const [index, first] of again) {
    const [one = '', other = ''] = [cells[first], cells[index]]
    if (one !== '' && other !== '' && one !== other) return say('api.import.twice', { column: columns[index] ?? '' })
  }
  return zeroFault(row)
}

const zeroFault = (row: ImportRow): Message | undefined =>
  Object.values(row).some((cell) => typeof cell === 'string' && cell.includes('\0')) ? say('api.import.zeros') : undefined

/**
 * @param list the name of the list, where it is in an object
 * @throws JsonError, TerseError 'validation_failed'
 */
export async function* fromJson(
  text: AsyncIterable<string>,
  list: string,
  read: (line: number, value: Readonly<Record<string, unknown>>) => ImportRow,
): AsyncGenerator<ImportRow[], void> {
  let isEmpty = true
  async function* watched() {
    for await (const piece of text) {
      isEmpty &&= piece.trim() === ''
      yield piece
    }
  }
  for await (const objects of readJson(watched(), list)) {
    yield objects.map(({ line, value, error }) => (error ? { line, fault: faultOf(error) } : read(line, value)))
  }
  if (isEmpty) throw new TerseError('validation_failed', say('api.import.empty'))
}

/** Reads objects by the names of their fields. */
export const objectReader =
  <Target extends string>(told: Told, { columnOf: targetOf, rowOf }: TableReading<Target>) =>
  (line: number, value: Readonly<Record<string, unknown>>): ImportRow => {
    const cells: Partial<Record<Target, string>> = {}
    let fault: Message | undefined
    for (const [name, said] of Object.entries(value)) {
      const column = targetOf(name)
      if (column !== null) cells[column] ||= cellOf(said)
      else if (plainName(name) === 'password') {
        if (said) fault = say('api.import.passwords')
      } else noteUnknown(told, name)
    }
    const row: ImportRow = { line, ...rowOf(cells) }
    if (Object.hasOwn(value, 'clicksBefore') && Object.hasOwn(value, 'clicks')) {
      addClicks(row, [cellOf(value.clicksBefore), cellOf(value.clicks)])
    }
    const found = fault ?? zeroFault(row)
    if (found) row.fault = found
    return row
  }

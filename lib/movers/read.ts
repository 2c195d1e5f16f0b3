import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import {
  fromCsv,
  fromJson,
  type ImportRow,
  objectReader,
  readable,
  type TableReading,
  type Told,
} from '@/lib/links/import-source'
import { columnOf, plainName, type Row } from '@/lib/links/properties'
import { textOf } from '@/lib/tools/pieces-of-text'
import { strip } from '@/lib/tools/strip'
import type { Columns, Mover, SqlForm, TableForm, Target } from './mover'
import { cellsOf, rowOf, shortLinkOf } from './said'
import { OpenQuoteError } from './sql-lexer'
import { readSql, type SqlRow } from './sql-rows'

/** How the file of another system is read. */
export interface MovedFile {
  mover: Mover
  bytes: AsyncIterable<Uint8Array>
  /** What columns are, by their names, where the guess is wrong; '': nothing. */
  columns?: Columns
  /** Where paths in destinations lead; null: not said. */
  site?: URL | null
}

/**
 * Reads the links of another system's file as they come: a dump, a CSV, JSON or another text, whichever of them it is.
 * @throws TerseError 'bad_request' for what cannot be read at all, 'validation_failed' for what holds no links
 */
export async function* readMoved({ mover, bytes, columns, site }: MovedFile, told: Told): AsyncGenerator<ImportRow[], void> {
  yield* readable(async function* () {
    const { head, text } = await begun(textOf(bytes, (sample) => (told.windows = sample)))
    const status = mover.redirectStatus
    const rows = rowsOf(mover, head, text, told, { columns: columns ?? {}, site: site ?? null })
    if (status === undefined) return yield* rows
    for await (const some of rows) yield some.map((row) => ({ redirectStatus: String(status), ...row }))
  })
}

/** What one thing of a dump alone has at its beginning. */
const SQL = /^(?:--|#|\/\*|PRAGMA\b|BEGIN\b|SET\b|(?:CREATE|DROP|INSERT|REPLACE|COPY|LOCK)\s)/i

function rowsOf(
  mover: Mover,
  head: string,
  text: AsyncIterable<string>,
  told: Told,
  { columns, site }: { columns: Columns; site: URL | null },
): AsyncGenerator<ImportRow[], void> {
  if (mover.lines) return mover.lines(text, site)
  const start = head.trimStart()
  if (/^[[{]/.test(start)) {
    const { json } = mover
    if (json) return fromJson(text, json.list, (line, value) => moved(line, json.read(value)))
    return fromJson(text, 'links', objectReader(told, tableReading(mover.table, columns)))
  }
  if (mover.sql && SQL.test(start)) return fromSql(text, mover.sql, told)
  if (mover.table) return fromCsv(text, told, tableReading(mover.table, columns))
  throw new TerseError('bad_request', say('api.import.form'))
}

const moved = (line: number, { said, fault, left }: ReturnType<NonNullable<Mover['json']>['read']>) =>
  rowOf(line, said, fault, left)

/** As many characters are read until there is something else than spaces. */
const MOST_SPACES = 200_000

/** The first piece of a text, and all of it. */
async function begun(pieces: AsyncGenerator<string, void>): Promise<{ head: string; text: AsyncGenerator<string, void> }> {
  let head = ''
  let isOver = false
  while (head.length < MOST_SPACES && head.trim().length < 20 && !isOver) {
    const { value, done } = await pieces.next()
    isOver = done === true
    head += value ?? ''
  }
  async function* text() {
    if (head !== '') yield head
    if (!isOver) yield* pieces
  }
  return { head, text: text() }
}

async function* fromSql(
  text: AsyncIterable<string>,
  { reader, ...options }: SqlForm,
  told: Told,
): AsyncGenerator<ImportRow[], void> {
  const read = reader(told)
  let wasThere = false
  try {
    for await (const rows of readSql(text, options)) {
      wasThere ||= rows.length > 0
      const links = rows.flatMap((row) => sqlRow(row, read) ?? [])
      if (links.length > 0) yield links
    }
  } catch (error) {
    if (error instanceof OpenQuoteError) throw new TerseError('bad_request', say('api.import.openQuote', { line: error.line }))
    throw error
  }
  if (!wasThere) throw new TerseError('validation_failed', say('api.import.noTable'))
}

function sqlRow({ line, table, values, fault }: SqlRow, read: ReturnType<SqlForm['reader']>): ImportRow | null {
  if (fault) return rowOf(line, {}, say('api.import.sql', { fault, table }))
  const link = read(table, values)
  return link && moved(line, link)
}

/** How the columns of a table are read, of which some are named otherwise. */
export function tableReading(form: TableForm | undefined, said: Columns): TableReading<Target> {
  return {
    ...(form?.bare && { bare: form.bare }),
    ...(form && !form.mayLackCodes && { codeIn: ['code', 'customUrl', 'shortUrl'] as const }),
    columnOf: (name) => targetOf(form, said, name),
    rowOf: (cells) => completed(cells, form),
  }
}

/** What a column is: as it was said, or else as it is called. */
export function targetOf(form: TableForm | undefined, said: Columns, name: string): Target | null {
  if (Object.hasOwn(said, name)) return said[name] || null
  const plain = plainName(name)
  const own = form?.columns ?? {}
  if (Object.hasOwn(own, plain)) return own[plain] ?? null
  return columnOf(name) ?? (plain === 'email' ? 'owner' : null)
}

/** A row as an import takes it: the code and host of a whole short link, codes without slashes around, times in one form. */
function completed(cells: Partial<Record<Target, string>>, form: TableForm | undefined): Row {
  const { shortUrl, customUrl, ...said } = cells
  const whole = shortLinkOf(customUrl ?? shortUrl ?? '')
  return cellsOf({
    ...said,
    code: said.code ? strip(said.code, '/') : whole?.code,
    domain: said.domain || whole?.domain,
    tags: form?.tagMark ? said.tags?.split(form.tagMark).join(', ') : said.tags,
  })
}

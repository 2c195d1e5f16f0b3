import { namesIn } from '@/lib/labels/names'
import { toLines } from '@/lib/tools/line'
import { decodeText } from '@/lib/tools/url'

/**
 * What a link can be given by an import and tells in an export, in CSV and JSON. **A new property of links is one line here**: an
 * optional field of `CreateLink` (./schemas.ts) that the API shows by the same name (`LinkView`, lib/links/view.ts). Import, dry
 * run, export, the documentation and the test that brings a link through both follow from it; lib/links/properties.test.ts fails
 * for a field of `CreateLink` that is missing here.
 */

interface Property {
  /** What others call its column, in small letters and digits. */
  names: readonly string[]
  /**
   * What a cell means, as `CreateLink` wants it; what cannot be read comes back as it is, for the schema to refuse.
   * Without it: the text.
   */
  read?: (text: string) => unknown
  /** What a cell is before it is stored: what nobody sees is lost. */
  clean?: (text: string) => string
}

const number = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text)

/** Totals of clicks: others write them with marks between thousands, and those who have none with nothing or `-`. */
const total = (text: string) => number(text.replace(/(?<=\d)[,.\u00a0 ](?=\d{3}\b)/g, ''))

function truth(text: string): boolean | string {
  if (/^(true|yes|1)$/i.test(text)) return true
  return /^(false|no|0)$/i.test(text) ? false : text
}

/** A day is its beginning, and a time without a zone is of UTC. Ten digits are seconds since 1970, thirteen milliseconds. */
function time(text: string): string {
  if (/^(\d{10}|\d{13})$/.test(text)) return new Date(Number(text.padEnd(13, '0'))).toISOString()
  const [, day, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d:\d\d)?$/i.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${time.length === 5 ? `${time}:00` : time}${zone.toUpperCase()}`
}

/** A code as its path has it: a `%` is in none, so what is percent-encoded can only be that. */
const decodedCode = decodeText

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** In the order of an export's columns. */
export const PROPERTIES = {
  url: { names: ['longurl', 'destination', 'destinationurl', 'target', 'targeturl', 'originalurl', 'address'] },
  code: { names: ['shortcode', 'customcode', 'slug', 'customslug', 'alias', 'keyword', 'backhalf', 'key'], read: decodedCode },
  domain: { names: ['host'] },
  title: { names: ['name'], clean: toLines },
  startsAt: { names: ['validsince'], read: time },
  expiresAt: { names: ['expires', 'expireson', 'expirationdate', 'validuntil'], read: time },
  expiredUrl: { names: [] },
  routing: { names: [], read: json },
  preview: { names: [], read: json },
  maxClicks: { names: ['maxvisits', 'clicklimit'], read: number },
  redirectStatus: { names: ['statuscode'], read: number },
  listed: { names: [], read: truth },
  enabled: { names: ['active', 'isactive'], read: truth },
  publicHistory: { names: [], read: truth },
  passwordHash: { names: ['hashedpassword'] },
  createdAt: { names: ['created', 'createdon', 'datecreated', 'creationdate', 'timestamp'], read: time },
  owner: { names: ['user', 'username', 'useremail', 'creator', 'createdby', 'author'] },
  clicksBefore: { names: ['clicks', 'visits', 'hits', 'clickcount', 'totalclicks', 'visitcount', 'visitscount'], read: total },
  tags: { names: ['tag', 'labels', 'tagnames'], read: namesIn },
  folder: { names: ['foldername'] },
  comment: { names: ['comments', 'notes', 'note'], clean: toLines },
  archived: { names: ['isarchived'], read: truth },
  favorite: { names: ['favourite', 'starred'], read: truth },
} as const satisfies Record<string, Property>

export type Column = keyof typeof PROPERTIES
export const COLUMN_NAMES = Object.keys(PROPERTIES) as Column[]

const property = (column: Column): Property => PROPERTIES[column]

/** A name as names are compared. */
export const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const COLUMN_BY_NAME = new Map(
  COLUMN_NAMES.flatMap((column) => [plainName(column), ...property(column).names].map((name) => [name, column] as const)),
)

/** Which property a column, or a field of JSON, is; null: none. */
export const columnOf = (name: string): Column | null => COLUMN_BY_NAME.get(plainName(name)) ?? null

/** What is told of a link besides, by exactly these names: nobody needs to hear that an import leaves it out. */
const TOLD_BESIDES = new Set([
  ...['id', 'shortUrl', 'state', 'kind', 'updatedAt', 'clicks', 'hasPassword', 'shared', 'banReason', 'deletedAt'],
  ...['icon', 'days', 'history', 'health'],
])
export const isToldBesides = (name: string) => TOLD_BESIDES.has(name)

/** What was said of one link, each property as the text of its cell. */
export type Row = Partial<Record<Column, string>>

/** Of two columns that are the same property the first that holds something counts. */
export function addCell(row: Row, column: Column, text: string): void {
  const clean = property(column).clean
  const cell = clean ? clean(text) : text
  if (cell) row[column] ??= cell
}

/** A row as the schema wants it. */
export function fieldsOf(row: Row): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(row)) {
    const read = Object.hasOwn(PROPERTIES, name) ? property(name as Column).read : undefined
    fields[name] = read ? read(text) : text
  }
  return fields
}

/** The reverse: fields as a row says them. Those that say nothing are left out. */
export function rowOfFields(fields: Partial<Record<Column, unknown>>): Row {
  const row: Row = {}
  for (const [name, value] of Object.entries(fields)) addCell(row, name as Column, cellOf(value))
  return row
}

/** A value of JSON, or a time, as the text of a cell; '' for what says nothing. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string') ? value.join(', ') : JSON.stringify(value)
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

import type { Message } from '@/lib/i18n/message'
import type { ImportRow, Told } from '@/lib/links/import-source'
import type { Column } from '@/lib/links/properties'
import type { Live } from './live'
import type { Said } from './said'
import type { SqlValue } from './sql-values'

/** What a column can hold: a property of a link, or a whole short link (`customUrl` wins over `shortUrl`). */
export type Target = Column | 'customUrl' | 'shortUrl'

/** What columns are, by their names, where that is said; '': nothing. */
export type Columns = Readonly<Record<string, Target | ''>>

/** A CSV of another system: its columns besides those that mean the same to all (lib/links/properties.ts). */
export interface TableForm {
  /** By name in small letters and digits; null: it means nothing here. */
  columns: Readonly<Record<string, Target | null>>
  /** The columns of a file whose first line names none. */
  bare?: readonly string[]
  /** Whether there may be no column for short links, so that each link gets a new code. */
  mayLackCodes?: true
  /** What stands between tags, where it is no comma. */
  tagMark?: string
}

/** A dump of another system's database. */
export interface SqlForm {
  tables: (name: string) => boolean
  /** The columns of a table whose CREATE TABLE is not there. */
  columns: (table: string) => readonly string[]
  backslash: boolean
  /** A reader of one dump, which is given each row in turn. @returns a link, or null for what is none */
  reader: (told: Told) => (table: string, values: Readonly<Record<string, SqlValue>>) => Moved | null
}

/** A link, and why it cannot be taken over. */
export interface Moved {
  said: Said
  fault?: Message
  /** What it has there and cannot have here. */
  left?: readonly string[]
}

/** What is read of another system, and how. */
export interface Mover {
  table?: TableForm
  sql?: SqlForm
  /** Of JSON, each object of the list by one of these names, or of a list alone. */
  json?: { list: string; read: (link: Readonly<Record<string, unknown>>) => Moved }
  /** Any other text. */
  lines?: (text: AsyncIterable<string>, site: URL | null) => AsyncGenerator<ImportRow[], void>
  live?: Live
  /** With what links redirect there, where the files do not say. */
  redirectStatus?: 301
}

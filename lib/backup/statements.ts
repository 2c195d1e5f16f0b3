import type { Part } from './file'
import { isBatch } from './pending-clicks'
import { isInsertOfValues } from './rows'

/** Characters of a statement. One is longer than the dump's buffer only by a MEDIUMBLOB: two characters for each byte. */
export const STATEMENT = 64_000_000

/** The tables that a backup's migrations make, with their columns. */
export type Tables = ReadonlyMap<string, ReadonlySet<string>>

const HEAD = /^INSERT INTO `(\w+)` \((`\w+`(?:, ?`\w+`)*)\)/

/** What the programs of engines write besides rows, for an engine of their own kind; each is a line with nothing behind it. */
const SKIPPED = [
  /^(?:--.*)?$/,
  /^\/\*M!\d+\\- enable the sandbox mode \*\/ ?$/,
  /^\/\*M?!\d+ (?:(?:SET|SELECT|PREPARE|EXECUTE|DEALLOCATE) [^;]*|ALTER TABLE `\w+` (?:DISABLE|ENABLE) KEYS) \*\/;$/,
  /^SET [^;]*;$/i,
  /^(?:START TRANSACTION|COMMIT|UNLOCK TABLES|LOCK TABLES `\w+` WRITE);$/i,
]

/**
 * The INSERTs of a dump, whole, and the clicks before them, as they are. A statement is one line, or one line for each row: line
 * breaks in texts are escaped.
 * @throws Error on a table or column that the migrations of the backup do not make, on an INSERT of anything but values, and on
 *   any line that neither holds rows nor is known to hold none
 */
export async function* statements(parts: AsyncIterable<Part>, tables: Tables): AsyncGenerator<Part> {
  let lines: string[] = []
  let length = 0
  let clicksEnded = false
  for await (const part of parts) {
    if ('clicks' in part) {
      if (clicksEnded || !isBatch(part.clicks)) throw new Error('the backup has clicks that are none, or not in their place')
      yield part
      continue
    }
    if (lines.length === 0) {
      if (SKIPPED.some((pattern) => pattern.test(part.sql))) continue
      requireKnown(part.sql, tables)
      clicksEnded = true
    }
    lines.push(part.sql)
    length += part.sql.length + 1
    if (length > STATEMENT) throw new Error('the backup has a statement that is too long')
    if (!part.sql.endsWith(';')) continue
    const sql = lines.join('\n')
    if (!isInsertOfValues(sql))
      throw new Error('the backup has a statement that does more than insert values, one for each column')
    yield { sql }
    lines = []
    length = 0
  }
  if (lines.length > 0) throw new Error('the backup ends in the middle of a statement')
}

function requireKnown(line: string, tables: Tables): void {
  const [, table = '', columns = ''] = HEAD.exec(line) ?? []
  if (table === '') throw new Error('the backup has a line that is not known')
  const known = tables.get(table)
  if (!known) throw new Error(`the backup has a table that its migrations do not make: ${table}`)
  const unknown = columns
    .slice(1, -1)
    .split(/`, ?`/)
    .find((column) => !known.has(column))
  if (unknown !== undefined) throw new Error(`the backup has a column that its migrations do not make: ${table}.${unknown}`)
}

import type { SqlGateway } from '@/lib/db/sql-gateway'
import { type CachedRecord, type LinkRow, RECORD_COLUMNS, toRecord, toTombstone } from './record'

type Named<Row> = Row & { fullShortUrl: string }
type DeletedRow = Named<{ version: bigint; deletedAt: Date; undoneBy: string | null }>

const where = (count: number) => `WHERE fullShortUrl IN (${Array(count).fill('?').join(',')})`
const links = (count: number) => `SELECT fullShortUrl, ${Object.keys(RECORD_COLUMNS).join(', ')} FROM Link ${where(count)}`
const deletedLinks = (count: number) => `SELECT fullShortUrl, version, deletedAt, undoneBy FROM DeletedLink ${where(count)}`

/**
 * The truth about full short URLs: of each its link, else its tombstone, else nothing.
 * @param fulls not more than a few hundred
 * @throws TerseError 'unavailable'
 */
export async function readRecords(db: SqlGateway, fulls: readonly string[]): Promise<Map<string, CachedRecord>> {
  const found = new Map<string, CachedRecord>()
  if (fulls.length === 0) return found
  for (const row of await db.rows<Named<LinkRow>>(links(fulls.length), ...fulls)) found.set(row.fullShortUrl, toRecord(row))
  const missing = fulls.filter((full) => !found.has(full))
  if (missing.length === 0) return found
  for (const row of await db.rows<DeletedRow>(deletedLinks(missing.length), ...missing)) {
    found.set(row.fullShortUrl, toTombstone(row))
  }
  return found
}

/** The same in the order of `fulls`, null where there is nothing. @throws TerseError 'unavailable' */
export async function readRecordsInOrder(db: SqlGateway, fulls: readonly string[]): Promise<(CachedRecord | null)[]> {
  const found = await readRecords(db, fulls)
  return fulls.map((full) => found.get(full) ?? null)
}

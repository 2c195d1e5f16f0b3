import type { SqlGateway } from '@/lib/db/sql-gateway'
import { type CachedRecord, type LinkRow, RECORD_COLUMNS, toRecord, toTombstone } from './record'

const LINK = `SELECT ${Object.keys(RECORD_COLUMNS).join(', ')} FROM Link WHERE fullShortUrl = ?`
const DELETED = 'SELECT version, deletedAt FROM DeletedLink WHERE fullShortUrl = ?'

/**
 * The truth about one full short URL: its link, else its tombstone, else null.
 * @throws TerseError 'unavailable'
 */
export async function readRecord(db: SqlGateway, full: string): Promise<CachedRecord | null> {
  const [link] = await db.rows<LinkRow>(LINK, full)
  if (link) return toRecord(link)
  const [deleted] = await db.rows<{ version: bigint; deletedAt: Date }>(DELETED, full)
  return deleted ? toTombstone(deleted) : null
}

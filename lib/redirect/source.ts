import type { DatabaseGateway } from '@/lib/db/gateway'
import { type CachedRecord, RECORD_COLUMNS, toRecord, toTombstone } from './record'

/**
 * The truth about one full short URL: its link, else its tombstone, else null.
 * @throws TerseError 'unavailable'
 */
export function readRecord(db: DatabaseGateway, full: string): Promise<CachedRecord | null> {
  return db.read(async (client) => {
    const link = await client.link.findUnique({ where: { fullShortUrl: full }, select: RECORD_COLUMNS })
    if (link) return toRecord(link)
    const deleted = await client.deletedLink.findUnique({
      where: { fullShortUrl: full },
      select: { version: true, deletedAt: true },
    })
    return deleted && toTombstone(deleted)
  })
}

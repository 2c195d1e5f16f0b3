import { countByOwner } from '@/lib/counts/counts'
import type { DatabaseGateway } from '@/lib/db/gateway'

/** What all links of an account come to. */
export interface AccountTotals {
  links: number
  /** All clicks, those of bots and previews included. */
  clicks: number
  /** Those of bots and previews. */
  bots: number
}

/** @throws TerseError 'unavailable' */
export async function accountTotals(db: DatabaseGateway, userId: string): Promise<AccountTotals> {
  const [links, [sums]] = await Promise.all([
    countByOwner(db, [userId]),
    db.rows<{ clicks: number | null; bots: number | null }>(
      'SELECT SUM(clicks + 0e0) AS clicks, SUM(bots + 0e0 + previews) AS bots FROM AccountClick WHERE ownerId = ?',
      userId,
    ),
  ])
  return { links: links.get(userId) ?? 0, clicks: Number(sums?.clicks ?? 0), bots: Number(sums?.bots ?? 0) }
}

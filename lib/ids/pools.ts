import { randomUUID } from 'node:crypto'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import type { RedisGateway } from '@/lib/redis/gateway'
import { DAY } from '@/lib/tools/time'
import { idScripts } from './scripts'
import { LIST_SIZE, shuffledPool } from './shuffle'

/** How long making a pool waits for one answer of Redis, in ms. */
const PATIENCE = 10_000
/** How long after its day a pool is kept, in ms: until the clocks of all servers are past it. */
const KEPT = 2 * DAY
/** Lists that are filled at a time. */
const PIECE = 30

export type PoolDigits = 5 | 6

/** The hash that describes the pool of a day (`yyMMdd`), and its lists: `{reports:yyMMdd}:00` and on. */
export const poolKeys = {
  about: (day: string) => `{reports:${day}}:about`,
  list: (day: string, digits: PoolDigits, list: number) => `{reports:${day}}:${String(list).padStart(digits === 5 ? 2 : 3, '0')}`,
}

/**
 * Shuffles the numbers of a day that no report has, and puts them in Redis in the place of the pool `found`. When that is
 * no longer there, since another maker was first, it stays as it is.
 * @param found id of the pool that is to go, '' for none
 * @returns false when MySQL has all numbers with so many digits
 * @throws when MySQL or Redis fails
 */
export async function makePool(
  redis: RedisGateway,
  db: SqlGateway,
  wanted: { day: string; digits: PoolDigits; found: string },
): Promise<boolean> {
  const { day, digits, found } = wanted
  const pool = shuffledPool(digits, await usedNumbers(db, day, digits))
  if (pool.length === 0) return false
  const id = randomUUID()
  const end = endOfPool(day)
  const lists = Array.from({ length: Math.ceil(pool.length / LIST_SIZE) }, (_, list) => poolKeys.list(day, digits, list))
  const drafts = lists.map((key) => `${key}:${id}`)
  for (let from = 0; from < drafts.length; from += PIECE) {
    await redis.use(async (client) => {
      const commands = drafts.slice(from, from + PIECE).flatMap((key, i) => {
        const begin = (from + i) * LIST_SIZE
        return [client.rpush(key, ...pool.slice(begin, begin + LIST_SIZE)), client.expireat(key, end)]
      })
      await Promise.all(commands)
    }, PATIENCE)
  }
  const keys = [poolKeys.about(day), ...drafts, ...lists]
  if ((await redis.bulk(idScripts.pool, keys, [found, id, pool.length, digits, end])) === 0) {
    await redis.use((client) => Promise.all(drafts.map((key) => client.unlink(key))), PATIENCE)
  }
  return true
}

/** When Redis may forget a pool, in seconds since 1970. */
function endOfPool(day: string): number {
  const [year, month, date] = [day.slice(0, 2), day.slice(2, 4), day.slice(4)].map(Number)
  return (Date.UTC(2000 + (year ?? 0), (month ?? 1) - 1, (date ?? 1) + 1) + KEPT) / 1000
}

async function usedNumbers(db: SqlGateway, day: string, digits: PoolDigits): Promise<Set<number>> {
  const rows = await db.rows<{ reference: string }>(
    'SELECT reference FROM Report WHERE reference LIKE ?',
    `${day}${'_'.repeat(digits)}`,
  )
  return new Set(rows.map(({ reference }) => Number(reference.slice(day.length))))
}

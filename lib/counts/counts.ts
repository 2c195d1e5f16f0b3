import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import { DAY } from '@/lib/tools/time'
import { COUNTED_TO, SUBJECT, TOLD_COUNTS } from './subjects'

/** As scans take turns, so do these; they read few rows. */
type Reading = Pick<SqlGateway, 'scan'>

/**
 * How many links there are, exactly, without counting them: what is kept, what changed since, and the links that came since, of
 * which there are few (lib/counts/counter.ts). One statement each, so that all three are of one moment. Until the counter has
 * gone through all links once, those that it has not reached are counted.
 */

const DAY_OF = "TIMESTAMPDIFF(DAY, '1970-01-01', createdAt)"

/** @throws TerseError 'unavailable' */
export async function countAll(db: Reading): Promise<number> {
  const [row] = await db.scan<{ links: bigint | null }>(
    `COALESCE((SELECT links FROM ${TOLD_COUNTS} AND subject = ${SUBJECT.all} AND name = ''), 0)
       + COALESCE((SELECT SUM(links) FROM LinkCountChange WHERE domainId IS NOT NULL AND linkId <= ${COUNTED_TO}), 0)
       + (SELECT COUNT(*) FROM Link WHERE id > ${COUNTED_TO}) AS links`,
  )
  return Number(row?.links ?? 0)
}

/** Links of each of some accounts; none: 0. @throws TerseError 'unavailable' */
export async function countByOwner(db: Reading, ownerIds: readonly string[]): Promise<Map<string, number>> {
  if (ownerIds.length === 0) return new Map()
  const rows = await db.scan<Counted<string>>(
    sum(
      `SELECT name AS counted, links FROM ${TOLD_COUNTS} AND subject = ${SUBJECT.owner} AND name IN (?)`,
      `SELECT ownerId, links FROM LinkCountChange WHERE ownerId IN (?) AND linkId <= ${COUNTED_TO}`,
      `SELECT ownerId, COUNT(*) FROM Link WHERE ownerId IN (?) AND id > ${COUNTED_TO} GROUP BY ownerId`,
    ),
    ...[ownerIds, ownerIds, ownerIds],
  )
  return toMap(rows, String, ownerIds)
}

/** Links of each domain that ever had one. @throws TerseError 'unavailable' */
export async function countByDomain(db: Reading): Promise<Map<number, number>> {
  const rows = await db.scan<Counted<number>>(
    sum(
      `SELECT CAST(name AS SIGNED) AS counted, links FROM ${TOLD_COUNTS} AND subject = ${SUBJECT.domain}`,
      `SELECT domainId, links FROM LinkCountChange WHERE domainId IS NOT NULL AND linkId <= ${COUNTED_TO}`,
      `SELECT domainId, COUNT(*) FROM Link WHERE id > ${COUNTED_TO} GROUP BY domainId`,
    ),
  )
  return toMap(rows, Number)
}

/**
 * Links by the UTC day on which they were created.
 * @param first the first of `count` days, since 1970.
 * @throws TerseError 'unavailable'
 */
export async function countByDay(db: Reading, first: number, count: number): Promise<Map<number, number>> {
  const days = Array.from({ length: count }, (_, i) => first + i)
  const rows = await db.scan<Counted<number | bigint>>(
    sum(
      `SELECT CAST(name AS SIGNED) AS counted, links FROM ${TOLD_COUNTS} AND subject = ${SUBJECT.day} AND name IN (?)`,
      `SELECT day, links FROM LinkCountChange WHERE day IN (?) AND linkId <= ${COUNTED_TO}`,
      `SELECT ${DAY_OF} AS day, COUNT(*) FROM Link WHERE id > ${COUNTED_TO} AND createdAt >= ? AND createdAt < ? GROUP BY day`,
    ),
    ...[days.map(String), days, sqlTime(first * DAY), sqlTime((first + count) * DAY)],
  )
  return toMap(rows, Number)
}

interface Counted<Key> {
  counted: Key
  links: bigint | number | string
}

/** Follows the word SELECT: what three selects say of each key, together. */
const sum = (...selects: string[]) =>
  `counted, SUM(links) AS links FROM (${selects.join(' UNION ALL ')}) AS parts GROUP BY counted`

function toMap<Raw, Key>(rows: readonly Counted<Raw>[], keyOf: (raw: Raw) => Key, keys: readonly Key[] = []): Map<Key, number> {
  const counts = new Map(keys.map((key) => [key, 0]))
  for (const { counted, links } of rows) counts.set(keyOf(counted), Number(links))
  return counts
}

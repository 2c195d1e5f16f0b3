import { dimensionNumber } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { destinationHash } from '@/lib/routing/click-ids'
import { destinationName } from '@/lib/routing/destination-name'
import type { Outcome } from '@/lib/routing/split-winner'
import { DAY_HOURS } from '@/lib/tools/time'

interface Row {
  day: number
  value: string
  clicks: bigint
  visitors: bigint
}

/**
 * What people did with some destinations of a link, by address, from the first day (UTC) on which all of them had clicks: one
 * that was added later is not compared with what was before. Those that never had any are not waited for.
 * @throws TerseError 'unavailable'
 */
export async function destinationOutcomes(
  db: Pick<DatabaseGateway, 'rows'>,
  linkId: bigint,
  urls: readonly string[],
): Promise<Map<string, Outcome>> {
  const outcomes = new Map(urls.map((url): [string, Outcome] => [url, { clicks: 0, visitors: 0, converted: 0 }]))
  if (outcomes.size === 0) return outcomes
  const byName = new Map([...outcomes].map(([url, outcome]) => [destinationName(url), outcome]))
  const rows = await db.rows<Row>(
    `SELECT hour AS day, value, clicks, visitors FROM ClickRollup
      WHERE linkId = ? AND dimension = ${dimensionNumber('destination')} AND span = ${DAY_HOURS} AND value IN (?) ORDER BY hour`,
    ...[linkId, [...byName.keys()]],
  )
  const firstDays = new Map<string, number>()
  for (const { value, day } of rows) if (!firstDays.has(value)) firstDays.set(value, day)
  const from = Math.max(...firstDays.values())
  for (const { day, value, clicks, visitors } of rows) {
    const outcome = byName.get(value)
    if (!outcome || day < from) continue
    outcome.clicks += Number(clicks)
    outcome.visitors += Number(visitors)
  }
  // Of clicks that are counted by now: from the same day on.
  if (firstDays.size > 0) await addConverted(db, linkId, from, byName)
  return outcomes
}

/** @param from the first day, in hours since 1970 UTC */
async function addConverted(
  db: Pick<DatabaseGateway, 'rows'>,
  linkId: bigint,
  from: number,
  byName: ReadonlyMap<string, Outcome>,
): Promise<void> {
  const byHash = new Map([...byName].map(([name, outcome]) => [destinationHash(name).toString('hex'), outcome]))
  const rows = await db.rows<{ hash: string; converted: number }>(
    `SELECT LOWER(HEX(destination)) AS hash, SUM(converted + 0e0) AS converted FROM ConversionRollup
      WHERE linkId = ? AND span = ${DAY_HOURS} AND hour >= ? GROUP BY destination`,
    ...[linkId, from],
  )
  for (const { hash, converted } of rows) {
    const outcome = byHash.get(hash)
    if (outcome) outcome.converted += Number(converted)
  }
}

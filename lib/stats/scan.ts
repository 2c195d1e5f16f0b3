import { CLICK_COLUMN, DIMENSIONS, type Dimension, dimensionNumber, isGivenOnly } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { HOUR, MINUTE } from './calendar'
import type { TimeRow } from './count'
import { emptyBreakdown } from './rollup'
import type { Breakdown, Filters } from './schemas'

/** Answers from single clicks, for what is not kept counted. Their cost grows with the clicks of the range. */

/** Which clicks, `from` and `to` in ms since 1970 UTC. */
export interface Selection {
  linkId: bigint
  from: number
  to: number
  filters: Filters
  /** Only this kind. */
  kind?: string | undefined
}

/** A time as MySQL reads it. */
export const sqlTime = (at: number) => new Date(at).toISOString().slice(0, 23).replace('T', ' ')

/** The condition that a selection is, and its values. */
export function conditionOf({ linkId, from, to, filters, kind }: Selection): { where: string; values: unknown[] } {
  const parts = ['linkId = ?', 'at >= ?', 'at < ?']
  const values: unknown[] = [linkId, sqlTime(from), sqlTime(to)]
  const equal = (column: string, value: string | undefined) => {
    if (value === undefined) return
    parts.push(`${column} = ?`)
    values.push(value)
  }
  equal('kind', kind)
  for (const dimension of DIMENSIONS) equal(CLICK_COLUMN[dimension], filters[dimension])
  return { where: parts.join(' AND '), values }
}

/** A person counts as a visitor once a day (UTC), with the first of the clicks looked at: 1 for that, else more. */
const NTH = 'ROW_NUMBER() OVER (PARTITION BY kind, DATE(at), visitor ORDER BY at, id)'

/** The clicks of a selection by hour or minute. */
export async function scanTimes(db: DatabaseGateway, selection: Selection, unit: 'minute' | 'hour'): Promise<TimeRow[]> {
  if (selection.from >= selection.to) return []
  const { where, values } = conditionOf(selection)
  const rows = await db.scan<{ slot: bigint | number } & Record<'clicks' | 'visitors' | 'bots' | 'previews', bigint | string>>(
    `slot, COUNT(*) AS clicks, SUM(kind = 'person' AND nth = 1) AS visitors, SUM(kind = 'bot') AS bots, SUM(kind = 'preview') AS previews
       FROM (SELECT TIMESTAMPDIFF(${unit}, '1970-01-01', at) AS slot, kind, ${NTH} AS nth FROM Click WHERE ${where}) AS one
      GROUP BY slot ORDER BY slot`,
    ...values,
  )
  const width = unit === 'minute' ? MINUTE : HOUR
  return rows.map(({ slot, clicks, visitors, bots, previews }) => ({
    at: Number(slot) * width + width / 2,
    clicks: Number(clicks),
    visitors: Number(visitors),
    bots: Number(bots),
    previews: Number(previews),
  }))
}

/** The most frequent values of the dimensions named, among the clicks of people; the others stay empty. */
export async function scanBreakdown(
  db: DatabaseGateway,
  selection: Selection,
  dimensions: Dimension[],
  limit: number,
): Promise<Breakdown> {
  const breakdown = emptyBreakdown()
  if (selection.from >= selection.to || dimensions.length === 0) return breakdown
  const { where, values } = conditionOf({ ...selection, kind: 'person' })
  const columns = dimensions.map((dimension) => CLICK_COLUMN[dimension])
  const numbers = dimensions.map((dimension) => `SELECT ${dimensionNumber(dimension)} AS dimension`).join(' UNION ALL ')
  const cases = dimensions.map((dimension) => `WHEN ${dimensionNumber(dimension)} THEN ${CLICK_COLUMN[dimension]}`).join(' ')
  // The clicks are read once, and each is then taken once for every dimension.
  const rows = await db.scan<{ dimension: bigint | number; value: string; clicks: bigint; visitors: bigint | string }>(
    `dimension, value, clicks, visitors FROM (
       SELECT dimension, value, COUNT(*) AS clicks, SUM(nth = 1) AS visitors,
              ROW_NUMBER() OVER (PARTITION BY dimension ORDER BY COUNT(*) DESC, value) AS place
         FROM (SELECT dimension, CASE dimension ${cases} END AS value, nth
                 FROM (SELECT ${columns.join()}, ${NTH} AS nth FROM Click WHERE ${where}) AS one
                CROSS JOIN (${numbers}) AS each_dimension) AS valued
        WHERE value <> '' OR dimension NOT IN (${DIMENSIONS.filter(isGivenOnly).map(dimensionNumber).join()})
        GROUP BY dimension, value
     ) AS placed WHERE place <= ? ORDER BY dimension, place`,
    ...values,
    limit,
  )
  for (const row of rows) {
    const dimension = DIMENSIONS[Number(row.dimension) - 1]
    if (dimension) breakdown[dimension].push({ value: row.value, clicks: Number(row.clicks), visitors: Number(row.visitors) })
  }
  return breakdown
}

import { firstClickIdAt, slotSql, slotTime } from '@/lib/clicks/click-id'
import {
  CLICK_COLUMN,
  type ClickKind,
  DIMENSIONS,
  type Dimension,
  dimensionNumber,
  isGivenOnly,
  kindNumber,
} from '@/lib/clicks/dimensions'
import { allSingleClicks } from '@/lib/clicks/old-clicks'
import type { SharedFact } from '@/lib/clicks/shared-facts'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import type { TimeRow } from './count'
import { emptyBreakdown, hasDestinations, mostRead } from './rollup'
import type { StoredBreakdown } from './schemas'
import type { Filters } from './values'

/** Answers from single clicks, for what is not kept counted. Their cost grows with the clicks of the range. */

/** Which clicks, `from` and `to` in ms since 1970 UTC. */
export interface ClickSelection {
  linkIds: readonly bigint[]
  from: number
  to: number
  filters: Filters
  /** The hosts that the source filtered by stands for. */
  hosts: string[] | null
  /** Only this kind. */
  kind?: ClickKind | undefined
}

/** The condition that a selection is, its values, and the facts that it asks for. */
export function conditionOf({ linkIds, from, to, filters, hosts, kind }: ClickSelection): {
  where: string
  values: unknown[]
  facts: SharedFact[]
} {
  const parts = ['linkId IN (?)', 'click.id >= ?', 'click.id < ?']
  const values: unknown[] = [linkIds, firstClickIdAt(from), firstClickIdAt(to)]
  const facts: SharedFact[] = []
  if (kind !== undefined) {
    parts.push('kind = ?')
    values.push(kindNumber(kind))
  }
  for (const dimension of DIMENSIONS) {
    const value = filters[dimension]
    if (value === undefined) continue
    parts.push(`${CLICK_COLUMN[dimension]} = ?`)
    values.push(value)
    facts.push(CLICK_COLUMN[dimension])
  }
  if (hosts?.length === 0) parts.push('FALSE')
  else if (hosts) {
    parts.push(`${CLICK_COLUMN.referrer} IN (?)`)
    values.push(hosts)
    facts.push(CLICK_COLUMN.referrer)
  }
  return { where: parts.join(' AND '), values, facts }
}

const DAY_OF_CLICK = slotSql('click.id', DAY)

/** What tells visitors apart. One of several links is a visitor of each. */
const visitorOf = ({ linkIds }: ClickSelection) => `${linkIds.length > 1 ? 'linkId, ' : ''}${DAY_OF_CLICK}, visitor`

/**
 * A person counts as a visitor once a day (UTC), with the first of the clicks looked at: 1 for that, else more.
 * Telling kinds apart costs time, so it is only done where there are several.
 */
const nth = (selection: ClickSelection) =>
  `ROW_NUMBER() OVER (PARTITION BY ${selection.kind === undefined ? 'kind, ' : ''}${visitorOf(selection)} ORDER BY click.id) AS nth`

/** The clicks of a selection by hour or minute. */
export async function scanTimes(db: DatabaseGateway, selection: ClickSelection, unit: 'minute' | 'hour'): Promise<TimeRow[]> {
  if (selection.from >= selection.to) return []
  const { where, values, facts } = conditionOf(selection)
  const width = unit === 'minute' ? MINUTE : HOUR
  const clicksWith = await allSingleClicks(db)
  const rows = await db.scan<{ slot: bigint | number } & Record<'clicks' | 'visitors' | 'bots' | 'previews', bigint | string>>(
    `slot, COUNT(*) AS clicks, SUM(kind = ${kindNumber('person')} AND nth = 1) AS visitors,
            SUM(kind = ${kindNumber('bot')}) AS bots, SUM(kind = ${kindNumber('preview')}) AS previews
       FROM (SELECT ${slotSql('click.id', width)} AS slot, kind, ${nth(selection)}
               FROM ${clicksWith(facts)} WHERE ${where}) AS one
      GROUP BY slot ORDER BY slot`,
    ...values,
  )
  return rows.map(({ slot, clicks, visitors, bots, previews }) => ({
    at: slotTime(slot, width) + width / 2,
    clicks: Number(clicks),
    visitors: Number(visitors),
    bots: Number(bots),
    previews: Number(previews),
  }))
}

/** The clicks of a selection by link. */
export async function scanLinks(db: DatabaseGateway, selection: ClickSelection): Promise<{ id: bigint; clicks: number }[]> {
  if (selection.from >= selection.to) return []
  const { where, values, facts } = conditionOf(selection)
  const clicksWith = await allSingleClicks(db)
  const rows = await db.scan<{ id: bigint; clicks: bigint }>(
    `linkId AS id, COUNT(*) AS clicks FROM ${clicksWith(facts)} WHERE ${where} GROUP BY linkId`,
    ...values,
  )
  return rows.map(({ id, clicks }) => ({ id, clicks: Number(clicks) }))
}

/** Statements that run side by side, and cost about the same: the wider a column, the longer it takes to sort. */
const SIDES: Dimension[][] = [
  ['referrer'],
  ['country', 'city', 'browser', 'os', 'device'],
  DIMENSIONS.filter((dimension) => dimension === 'language' || isGivenOnly(dimension)),
]

/**
 * The most frequent values of every dimension that is not filtered by. A visitor counts once a day (UTC) for each value.
 */
export async function scanBreakdown(db: DatabaseGateway, selection: ClickSelection, limit: number): Promise<StoredBreakdown> {
  const breakdown = emptyBreakdown()
  if (selection.from >= selection.to) return breakdown
  const isRouted = await hasDestinations(db, selection.linkIds)
  const isAsked = (dimension: Dimension) =>
    selection.filters[dimension] === undefined && (dimension !== 'destination' || isRouted)
  const sides = SIDES.map((side) => side.filter(isAsked))
  const isPeople = selection.kind === 'person'
  const ask = (side: Dimension[]) => (side.length === 0 ? [] : scanSide(db, selection, side, limit))
  for (const row of (await Promise.all(sides.map(ask))).flat()) {
    const dimension = DIMENSIONS[Number(row.dimension) - 1]
    if (dimension)
      breakdown[dimension].push({ value: row.value, clicks: Number(row.clicks), visitors: isPeople ? Number(row.visitors) : 0 })
  }
  return breakdown
}

interface ShareRow {
  dimension: bigint | number
  value: string
  clicks: bigint
  visitors: bigint
}

/**
 * The clicks are read again for each dimension: what would read them once needs a temporary table of wide rows,
 * which leaves memory soon and takes several times as long.
 */
async function scanSide(db: DatabaseGateway, selection: ClickSelection, side: Dimension[], limit: number): Promise<ShareRow[]> {
  const { where, values, facts } = conditionOf(selection)
  const clicksWith = await allSingleClicks(db)
  const each = side.map((dimension) => {
    const column = CLICK_COLUMN[dimension]
    return `SELECT ${dimensionNumber(dimension)} AS dimension, ${column} AS value, COUNT(*) AS clicks,
                      COUNT(DISTINCT ${visitorOf(selection)}) AS visitors
                 FROM ${clicksWith([column, ...facts])}
                WHERE ${where}${isGivenOnly(dimension) ? ` AND ${column} <> ''` : ''}
                GROUP BY ${column} ORDER BY clicks DESC, ${column} LIMIT ?`
  })
  const all = each.length > 1 ? each.map((one) => `(${one})`).join(' UNION ALL ') : each[0]
  return db.scan<ShareRow>(
    `dimension, value, clicks, visitors FROM (${all}) AS every_dimension
      ORDER BY dimension, clicks DESC, value`,
    ...side.flatMap((dimension) => [...values, mostRead(dimension, limit)]),
  )
}

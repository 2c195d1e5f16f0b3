import { OTHER } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { sqlTime } from '@/lib/db/time'
import { destinationHash } from '@/lib/routing/click-ids'
import { groupBy } from '@/lib/tools/group-by'
import { fromMinor } from '@/lib/tools/money'
import { HOUR } from '@/lib/tools/time'
import type { Conversions } from './conversion-schemas'
import { HALF_HOUR, indexOf } from './count'
import type { Plan } from './plan'
import { sum, whereSpans } from './rollup'
import type { Share, Totals } from './schemas'

/** Names and destinations that are told, and rows that are read for them: each has one for each currency. */
const [SHOWN, READ] = [50, 1_000]
/** Every hour may have some: what the range asks for is read, and nothing around it. */
const ALWAYS = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY }

type Counts = Pick<Conversions, 'conversions' | 'converted' | 'revenue'>

interface Row {
  currency: string
  conversions: number
  converted: number
  value: string
}

/** What a range's conversions are counted from. */
interface Source {
  rows: string
  values: unknown[]
  sums: string
}

/**
 * Whether conversions can be told of what is counted: they say nothing of a visitor, so they know no filter but the one by
 * destination, and bots have none.
 */
const areKnown = ({ filters, kind }: Plan) =>
  (kind === undefined || kind === 'person') && filters.every(([facet]) => facet === 'destination') && filters.length < 2

/**
 * What was reported of the clicks that `plan` counts; null under a filter that conversions do not know.
 * @param led clicks by destination
 * @throws TerseError 'unavailable'
 */
export async function conversionsOf(
  db: DatabaseGateway,
  plan: Plan,
  { totals, before, led }: { totals: Totals; before: Totals | null; led: readonly Share[] },
): Promise<Conversions | null> {
  if (!areKnown(plan)) return null
  const { range } = plan
  const [now, then] = await Promise.all([
    totalsIn(db, sourceOf(plan, range.from, range.to)),
    plan.before && before ? totalsIn(db, sourceOf(plan, plan.before.from, plan.before.to)) : null,
  ])
  const previous = then && before && { ...then, rate: rateOf(then.converted, peopleOf(before)) }
  const some = { ...now, rate: rateOf(now.converted, peopleOf(totals)), previous }
  if (now.conversions === 0 && now.revenue.length === 0) return { ...some, series: [], names: [], destinations: [] }
  const source = sourceOf(plan, range.from, range.to)
  const [series, names, destinations] = await Promise.all([
    seriesIn(db, plan),
    namesIn(db, source),
    led.length === 0 ? [] : destinationsIn(db, source, led),
  ])
  return { ...some, series, names, destinations }
}

const peopleOf = ({ clicks, bots, previews }: Totals) => clicks - bots - previews

const rateOf = (converted: number, people: number) => (people > 0 ? converted / people : null)

function sourceOf({ linkIds, filters, range }: Plan, from: number, to: number): Source {
  const [filter] = filters
  const only = filter ? ` AND destination = x'${destinationHash(filter[1]).toString('hex')}'` : ''
  if (range.interval === 'minute') {
    return {
      rows: `Conversion WHERE linkId IN (?) AND clickedAt >= ? AND clickedAt < ?${only}`,
      values: [linkIds, sqlTime(from), sqlTime(to)],
      sums: `SUM(IF(value < 0, 0, 1e0)) AS conversions, SUM(IF(firstOf IS NULL, 0, 1e0)) AS converted, CAST(SUM(value) AS CHAR) AS value`,
    }
  }
  const spans = whereSpans({ from: from / HOUR, to: to / HOUR }, ALWAYS)
  return {
    rows: `ConversionRollup WHERE linkId IN (?) AND (${spans})${only}`,
    values: [linkIds],
    sums: `${sum('conversions')} AS conversions, ${sum('converted')} AS converted, CAST(SUM(value) AS CHAR) AS value`,
  }
}

async function totalsIn(db: DatabaseGateway, { rows, values, sums }: Source): Promise<Counts> {
  return added(await db.rows<Row>(`SELECT currency, ${sums} FROM ${rows} GROUP BY currency ORDER BY currency`, ...values))
}

/** Each currency is added up for itself. */
function added(rows: readonly Row[]): Counts {
  const counts: Counts = { conversions: 0, converted: 0, revenue: [] }
  for (const { currency, conversions, converted, value } of rows) {
    counts.conversions += Number(conversions)
    counts.converted += Number(converted)
    if (currency !== '') counts.revenue.push({ currency, value: fromMinor(BigInt(value), currency) })
  }
  return counts
}

/** Without those that had no room in their hour (lib/conversions/bounds.ts): they are in the totals alone. */
async function namesIn(db: DatabaseGateway, { rows, values, sums }: Source): Promise<Conversions['names']> {
  const found = await db.rows<Row & { name: string }>(
    `SELECT name, currency, ${sums} FROM ${rows} AND name <> ? GROUP BY name, currency
      ORDER BY conversions DESC, name, currency LIMIT ${READ}`,
    ...[...values, OTHER],
  )
  return [...groupBy(found, ({ name }) => name)]
    .map(([name, some]) => ({ name, ...added(some) }))
    .sort((a, b) => b.conversions - a.conversions || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ converted: _, ...rest }) => rest)
}

async function destinationsIn(
  db: DatabaseGateway,
  { rows, values, sums }: Source,
  led: readonly Share[],
): Promise<Conversions['destinations']> {
  const hashes = new Map(led.map(({ value }) => [destinationHash(value).toString('hex'), value]))
  const found = await db.rows<Row & { hash: string }>(
    `SELECT LOWER(HEX(destination)) AS hash, currency, ${sums} FROM ${rows} AND destination IN (${[...hashes.keys()].map((hash) => `x'${hash}'`).join()})
      GROUP BY hash, currency ORDER BY hash, currency LIMIT ${READ}`,
    ...values,
  )
  const byHash = groupBy(found, ({ hash }) => hash)
  return [...hashes].map(([hash, value], i) => {
    const counts = added(byHash.get(hash) ?? [])
    return { value, ...counts, rate: rateOf(counts.converted, led[i]?.clicks ?? 0) }
  })
}

/** By the intervals of the range. */
async function seriesIn(db: DatabaseGateway, { linkIds, filters, range }: Plan): Promise<Conversions['series']> {
  if (range.interval === 'minute') return []
  const [filter] = filters
  const only = filter ? ` AND destination = x'${destinationHash(filter[1]).toString('hex')}'` : ''
  const rows = await db.rows<{ hour: number; conversions: number; converted: number }>(
    `SELECT hour, ${sum('conversions')} AS conversions, ${sum('converted')} AS converted FROM ConversionRollup
      WHERE linkId IN (?) AND span = 1 AND hour >= ? AND hour < ?${only} GROUP BY hour`,
    ...[linkIds, range.from / HOUR, range.to / HOUR],
  )
  const points = range.starts.map((start) => ({ at: new Date(start).toISOString(), conversions: 0, converted: 0 }))
  for (const { hour, conversions, converted } of rows) {
    const point = points[indexOf(range.starts, hour * HOUR + HALF_HOUR)]
    if (!point) continue
    point.conversions += Number(conversions)
    point.converted += Number(converted)
  }
  return points
}

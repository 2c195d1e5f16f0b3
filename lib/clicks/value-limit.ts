import { LRUCache } from 'lru-cache'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import { DIMENSIONS, type Dimension, FEWEST_VALUES, mostValues, OTHER, TOTAL } from './dimensions'
import { compare, type LinkHour, type RollupRow } from './tally'

/** What is remembered of the values of busy hours, in characters; a value counts some more for its place. */
const MEMORY = 16_000_000
const PLACE = 40
/** Hours of links, or dimensions of these, asked for in one statement. */
const ASKED = 500

/** Values of one dimension, in one hour of a link, that have rows. */
interface Known {
  values: Set<string>
  /** There is no room for more: what is not among these has no row. */
  isFull: boolean
}

/** By the number of the dimension. */
type KnownHour = Map<number, Known>

/** Values of one dimension, in one hour of a link, that are not known to have rows. */
interface Unknown {
  linkId: bigint
  hour: number
  dimension: number
  rows: RollupRow[]
  /** What is remembered. */
  known: Known | undefined
}

/** What is to be decided about one link and hour. */
interface Open {
  hour: LinkHour
  isRemembered: boolean
  unknown: Unknown[]
}

/** Some clicks by hour, with those of values that got no row of their own under OTHER. */
interface Limited {
  rows: RollupRow[]
  /** To be called once the rows are committed. */
  remember: () => void
}

/**
 * Bounds the distinct values of each dimension in each hour of a link (docs/decisions/0017-values.md). Most hours have
 * so few clicks that no bound can be reached, which one look at their totals tells. Of the others it remembers what is in
 * the database, which only grows: a value that has a row keeps it, and a full dimension stays full. So a busy
 * link costs a query when it gets a new value, and none once it is full.
 */
export class ValueLimit {
  private readonly hours = new LRUCache<string, KnownHour>({ maxSize: MEMORY, sizeCalculation: sizeOf })

  /**
   * @param tx a transaction that has written the totals of these hours: by that, no other decides about the same hours until
   * it ends, and what others decided before is seen
   */
  async apply(tx: SqlTransaction, hours: readonly LinkHour[]): Promise<Limited> {
    const open = hours.map((hour) => this.whatIsOpen(hour)).filter(({ unknown }) => unknown.length > 0)
    const unknown = (await busyOnes(tx, open)).flatMap((one) => one.unknown)
    const stored = await valuesOf(tx, await nearlyFull(tx, unknown))
    const others = new Set<RollupRow>()
    const learned = unknown.map((group): [Unknown, Known] => [group, decide(group, stored.get(groupKey(group)), others)])
    return {
      rows: hours.flatMap((hour) => foldOthers(hour, others)),
      remember: () => {
        for (const [group, known] of learned) this.learn(group, known)
      },
    }
  }

  private whatIsOpen(hour: LinkHour): Open {
    const remembered = this.hours.get(keyOf(hour))
    const unknown = new Map<number, Unknown>()
    for (const row of hour.values.values()) {
      const { dimension } = row
      const known = remembered?.get(dimension)
      if (known?.values.has(row.value)) continue
      const group = unknown.get(dimension)
      if (group) group.rows.push(row)
      else unknown.set(dimension, { linkId: hour.linkId, hour: hour.hour, dimension, rows: [row], known })
    }
    return { hour, isRemembered: remembered !== undefined, unknown: [...unknown.values()] }
  }

  private learn(group: Unknown, known: Known): void {
    const key = keyOf(group)
    this.hours.set(key, new Map(this.hours.get(key)).set(group.dimension, known))
  }
}

const keyOf = ({ linkId, hour }: Pick<LinkHour, 'linkId' | 'hour'>) => `${linkId}|${hour}`
const groupKey = (group: Pick<Unknown, 'linkId' | 'hour' | 'dimension'>) => `${keyOf(group)}|${group.dimension}`

function sizeOf(known: KnownHour): number {
  let size = PLACE
  for (const { values } of known.values()) for (const value of values) size += value.length + PLACE
  return size
}

/** Those that have had so many clicks that a bound may be reached. What is remembered is of such hours alone. */
async function busyOnes(tx: SqlTransaction, open: readonly Open[]): Promise<Open[]> {
  const isKnownBusy = ({ hour: { total }, isRemembered }: Open) =>
    isRemembered || total.clicks - total.bots - total.previews > FEWEST_VALUES
  const asked = open.filter((one) => !isKnownBusy(one))
  const busy = new Set<string>()
  for (const some of pieces(asked, ASKED)) {
    const rows = await tx.rows<{ linkId: bigint; hour: number }>(
      `SELECT linkId, hour FROM ClickRollup
        WHERE dimension = ${TOTAL} AND span = 1 AND value = '' AND clicks - bots - previews > ${FEWEST_VALUES}
          AND linkId IN (${listOf(some, ({ hour }) => hour.linkId)}) AND hour IN (${listOf(some, ({ hour }) => hour.hour)})`,
      [],
    )
    for (const row of rows) busy.add(keyOf(row))
  }
  return open.filter((one) => isKnownBusy(one) || busy.has(keyOf(one.hour)))
}

/** Those that may not have room for all of their values: to count rows takes a tenth of the time of reading them. */
async function nearlyFull(tx: SqlTransaction, unknown: readonly Unknown[]): Promise<Unknown[]> {
  const counts = new Map<string, number>()
  for (const some of pieces(
    unknown.filter(({ known }) => !known?.isFull),
    ASKED,
  )) {
    const rows = await tx.rows<{ linkId: bigint; hour: number; dimension: number; n: bigint }>(
      `SELECT r.linkId, r.hour, r.dimension, COUNT(*) AS n ${storedIn(some)} GROUP BY r.linkId, r.hour, r.dimension`,
      [],
    )
    for (const { n, ...group } of rows) counts.set(groupKey(group), Number(n))
  }
  return unknown.filter(
    (group) => !group.known?.isFull && (counts.get(groupKey(group)) ?? 0) + group.rows.length > most(group.dimension),
  )
}

/** The values that have rows; of those of before there was a bound, as many as there may be. */
async function valuesOf(tx: SqlTransaction, groups: readonly Unknown[]): Promise<Map<string, Set<string>>> {
  const stored = new Map(groups.map((group) => [groupKey(group), new Set<string>()]))
  for (const some of pieces(groups, ASKED)) {
    const rows = await tx.rows<{ linkId: bigint; hour: number; dimension: number; value: string }>(
      `SELECT r.linkId, r.hour, r.dimension, r.value ${storedIn(some)}`,
      [],
    )
    for (const { value, ...group } of rows) {
      const values = stored.get(groupKey(group))
      if (value !== OTHER && values && values.size < most(group.dimension)) values.add(value)
    }
  }
  return stored
}

/** Rows by hour of some dimensions of links. */
function storedIn(groups: readonly Unknown[]): string {
  const table = groups.map(({ linkId, dimension, hour }, i) =>
    i === 0 ? `SELECT ${linkId} AS l, ${dimension} AS d, ${hour} AS h` : `SELECT ${linkId}, ${dimension}, ${hour}`,
  )
  return `FROM (${table.join(' UNION ALL ')}) AS asked
    JOIN ClickRollup r ON r.linkId = asked.l AND r.dimension = asked.d AND r.span = 1 AND r.hour = asked.h`
}

/**
 * Gives room to values, the most frequent first.
 * @param stored all that have rows; undefined where there is room for all that come
 * @param others gets the rows that found none
 */
function decide({ dimension, rows, known }: Unknown, stored: Set<string> | undefined, others: Set<RollupRow>): Known {
  const isFull = () => values.size >= most(dimension)
  const values = new Set(known?.isFull ? known.values : (stored ?? known?.values))
  if (stored === undefined && !known?.isFull) {
    for (const { value } of rows) values.add(value)
    return { values, isFull: false }
  }
  for (const row of rows.toSorted((a, b) => b.clicks - a.clicks || compare(a.value, b.value))) {
    if (values.has(row.value)) continue
    if (isFull()) others.add(row)
    else values.add(row.value)
  }
  return { values, isFull: isFull() }
}

const most = (dimension: number) => mostValues(DIMENSIONS[dimension - 1] as Dimension)

/** The rows of an hour, those among `others` added up in one for each dimension. */
function foldOthers({ values }: LinkHour, others: ReadonlySet<RollupRow>): RollupRow[] {
  const rows: RollupRow[] = []
  const folded = new Map<number, RollupRow>()
  for (const row of values.values()) {
    if (!others.has(row)) {
      rows.push(row)
      continue
    }
    const sum = folded.get(row.dimension)
    if (sum) {
      sum.clicks += row.clicks
      sum.visitors += row.visitors
    } else folded.set(row.dimension, { ...row, value: OTHER })
  }
  return folded.size === 0 ? rows : [...rows, ...folded.values()]
}

/** Distinct numbers, as SQL lists them. */
const listOf = (open: readonly Open[], number: (one: Open) => bigint | number) => [...new Set(open.map(number))].join()

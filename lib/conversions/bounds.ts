import { OTHER } from '@/lib/clicks/dimensions'
import type { SqlTransaction } from '@/lib/db/sql'
import { sqlTime } from '@/lib/db/time'
import { type NamedClick, NO_DESTINATION } from '@/lib/routing/click-ids'
import { HOUR } from '@/lib/tools/time'
import { MOST_EVENTS, MOST_NAMES } from './values'

/**
 * Bounds what one link's conversions take in the database, as the values of clicks are bounded (lib/clicks/value-limit.ts):
 * events of a click, and names in an hour.
 */

/** The span of the rows that count nothing: each is held while it is decided what else has room in its hour. */
const HELD = 0

interface Reported {
  click: NamedClick
  name: string
  currency: string
}

interface Hour {
  linkId: bigint
  hour: number
}

const hourOf = ({ linkId, at }: NamedClick): Hour => ({ linkId, hour: Math.floor(at / HOUR) })
const keyOf = ({ linkId, hour }: Hour) => `${linkId}|${hour}`
/** Two clicks on a link in one millisecond, with one destination, are taken for one: a row does not say which it is of. */
const clickKey = ({ linkId, at, destination }: Pick<NamedClick, 'linkId' | 'at' | 'destination'>) =>
  `${linkId}|${at}|${destination.toString('hex')}`
const nameKey = ({ name, currency }: Pick<Reported, 'name' | 'currency'>) => `${currency}|${name}`

/** One for which there is room. */
export type Kept<One extends Reported> = One & {
  /** The name under which it is added up: OTHER where its own has no room in its hour. */
  countedAs: string
}

/**
 * Finds those for which there is room, in their order.
 * @param tx READ COMMITTED; from here on, no other decides about the same hours of the same links until it ends
 */
export async function withinBounds<One extends Reported>(
  tx: SqlTransaction,
  reported: readonly One[],
): Promise<{ kept: Kept<One>[]; refused: One[] }> {
  if (reported.length === 0) return { kept: [], refused: [] }
  const hours = distinct(
    reported.map(({ click }) => hourOf(click)),
    keyOf,
  )
  await holdHours(tx, hours)
  const events = await eventsOf(tx, reported)
  const [kept, refused]: [One[], One[]] = [[], []]
  for (const one of reported) {
    const key = clickKey(one.click)
    const count = events.get(key) ?? 0
    if (count >= MOST_EVENTS) refused.push(one)
    else kept.push(one)
    events.set(key, count + 1)
  }
  return { kept: withRoom(kept, await namesOf(tx, hours)), refused }
}

const distinct = <T>(items: readonly T[], key: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
]

/** In the order of the key, so that two reports do not wait for each other crosswise. */
async function holdHours(tx: SqlTransaction, hours: readonly Hour[]): Promise<void> {
  const nothing = { destination: NO_DESTINATION, name: '', currency: '', conversions: 0, converted: 0, value: 0n }
  const rows = hours
    .toSorted((a, b) => Number(a.linkId - b.linkId) || a.hour - b.hour)
    .map(({ linkId, hour }) => ({ linkId, span: HELD, hour, ...nothing }))
  const columns = ['linkId', 'span', 'hour', 'destination', 'name', 'currency', 'conversions', 'converted', 'value'] as const
  await tx.insert('ConversionRollup', columns, rows, 'ON DUPLICATE KEY UPDATE value = ConversionRollup.value')
}

/** How many events of these clicks were counted, by click. */
async function eventsOf(tx: SqlTransaction, reported: readonly Reported[]): Promise<Map<string, number>> {
  const times = distinct(
    reported.map(({ click }) => click),
    ({ linkId, at }) => `${linkId}|${at}`,
  )
  const asked = times.map(({ linkId, at }, i) =>
    i === 0 ? `SELECT ${linkId} AS l, TIMESTAMP'${sqlTime(at)}' AS t` : `SELECT ${linkId}, TIMESTAMP'${sqlTime(at)}'`,
  )
  const rows = await tx.rows<{ linkId: bigint; clickedAt: Date; destination: Buffer; n: bigint }>(
    `SELECT c.linkId, c.clickedAt, c.destination, COUNT(*) AS n FROM (${asked.join(' UNION ALL ')}) AS asked
      STRAIGHT_JOIN Conversion c FORCE INDEX (PRIMARY) ON c.linkId = asked.l AND c.clickedAt = asked.t
      GROUP BY c.linkId, c.clickedAt, c.destination`,
    [],
  )
  return new Map(
    rows.map(({ linkId, clickedAt, destination, n }) => [
      clickKey({ linkId, at: clickedAt.getTime(), destination: Buffer.from(destination) }),
      Number(n),
    ]),
  )
}

/** The names that have counts of their own, by hour. */
async function namesOf(tx: SqlTransaction, hours: readonly Hour[]): Promise<Map<string, Set<string>>> {
  const asked = hours.map(({ linkId, hour }, i) =>
    i === 0 ? `SELECT ${linkId} AS l, ${hour} AS h` : `SELECT ${linkId}, ${hour}`,
  )
  const rows = await tx.rows<{ linkId: bigint; hour: number; name: string; currency: string }>(
    `SELECT DISTINCT r.linkId, r.hour, r.name, r.currency FROM (${asked.join(' UNION ALL ')}) AS asked
      STRAIGHT_JOIN ConversionRollup r FORCE INDEX (PRIMARY) ON r.linkId = asked.l AND r.span = 1 AND r.hour = asked.h`,
    [],
  )
  const names = new Map<string, Set<string>>()
  for (const row of rows) {
    const some = names.get(keyOf(row)) ?? new Set()
    names.set(keyOf(row), row.name === OTHER ? some : some.add(nameKey(row)))
  }
  return names
}

/** Gives each a name that there is room for. */
function withRoom<One extends Reported>(reported: readonly One[], stored: Map<string, Set<string>>): Kept<One>[] {
  return reported.map((one) => {
    const key = keyOf(hourOf(one.click))
    const names = stored.get(key) ?? new Set()
    stored.set(key, names)
    const hasRoom = names.has(nameKey(one)) || names.size < MOST_NAMES
    if (hasRoom) names.add(nameKey(one))
    return { ...one, countedAs: hasRoom ? one.name : OTHER }
  })
}

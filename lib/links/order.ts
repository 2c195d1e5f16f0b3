import { idOf, parseCursor } from '@/lib/tools/cursor'

/** A piece of SQL with its values. */
export interface Condition {
  sql: string
  values: unknown[]
}

export const condition = (sql: string, ...values: unknown[]): Condition => ({ sql, values })

/** Joins conditions that must all hold. */
export function all(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return condition('TRUE')
  return { sql: conditions.map(({ sql }) => `(${sql})`).join(' AND '), values: conditions.flatMap(({ values }) => values) }
}

/** Where a link stands in a list. */
export interface Key {
  id: bigint
  clicks: bigint
}

/** A run of neighbours in an index, and how it is cut off behind one of them. */
export interface Stretch {
  where: Condition
  /** The parts of it, in order, up to `last` and with it. */
  until(last: Key): Condition[]
}

/** An order in which links are listed, such that every part of it is a plain range of an index. */
export interface Order {
  sql: string
  /** The columns of a key, all of them in the index of this order: what is not is a step to the row for each link. */
  columns: string
  /** What follows `after`, in one or two stretches. */
  stretches(after: Key | null): Stretch[]
  /** The same in one condition, for what no index helps with. */
  behind(after: Key): Condition
  compare(a: Key, b: Key): number
  cursor(key: Key): string
  /** @throws TerseError 'bad_request' for what is no cursor of this order */
  parse(cursor: string): Key
}

const CLICKS_AND_ID = /^(\d{1,19})-(\d{1,19})$/

const byId = (direction: 'ASC' | 'DESC', column = 'id'): Order => {
  const [beyond, upTo] = direction === 'DESC' ? ['<', '>='] : ['>', '<=']
  const behind = ({ id }: Key) => condition(`${column} ${beyond} ?`, id)
  return {
    sql: `${column} ${direction}`,
    columns: `${column === 'id' ? column : `${column} AS id`}, 0 AS clicks`,
    stretches: (after) => [
      { where: after ? behind(after) : condition('TRUE'), until: (last) => [condition(`${column} ${upTo} ?`, last.id)] },
    ],
    behind,
    compare: (a, b) => (a.id === b.id ? 0 : a.id < b.id === (direction === 'ASC') ? -1 : 1),
    cursor: ({ id }) => id.toString(),
    parse: (cursor) => ({ id: idOf(cursor), clicks: 0n }),
  }
}

/**
 * Most clicked first. Links with as many clicks as the last one seen are a stretch of their own: as one condition
 * (`clicks < c OR clicks = c AND id < i`) MySQL would read all of them, a million perhaps that were never clicked.
 */
const byClicks: Order = {
  sql: 'clicks DESC, id DESC',
  columns: 'id, clicks',
  stretches(after) {
    const rest: Stretch = {
      where: after ? condition('clicks < ?', after.clicks) : condition('TRUE'),
      until: (last) => [condition('clicks > ?', last.clicks), condition('clicks = ? AND id >= ?', last.clicks, last.id)],
    }
    if (!after) return [rest]
    const equals: Stretch = {
      where: condition('clicks = ? AND id < ?', after.clicks, after.id),
      until: (last) => [condition('id >= ?', last.id)],
    }
    return [equals, rest]
  },
  behind: ({ id, clicks }) => condition('clicks < ? OR (clicks = ? AND id < ?)', clicks, clicks, id),
  compare: (a, b) => (a.clicks === b.clicks ? ORDERS.newest.compare(a, b) : a.clicks > b.clicks ? -1 : 1),
  cursor: ({ id, clicks }) => `${clicks}-${id}`,
  parse(cursor) {
    const [clicks = '', id = ''] = parseCursor(cursor, CLICKS_AND_ID)
    return { clicks: BigInt(clicks), id: BigInt(id) }
  },
}

export const ORDERS = { newest: byId('DESC'), oldest: byId('ASC'), clicks: byClicks } as const

/** The same of links that are found by a label of theirs, by its index. */
export const LABEL_ORDERS = { newest: byId('DESC', 'linkId'), oldest: byId('ASC', 'linkId') } as const

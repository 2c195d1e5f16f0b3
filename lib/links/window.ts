import { holds, type Searchable } from '@/lib/search/text'
import { Breath } from '@/lib/tools/breath'
import type { LinkContext } from './context'
import { all, type Condition, condition, type Key, type Order } from './order'
import type { ListLinks } from './schemas'

/** How far one answer looks. */
export interface Reach {
  /** How long it goes through windows, in ms; it ends with the window then under way. */
  time: number
  /** The same where the search index can go on. */
  timeWithTerms: number
  /** Rows in a window: as many as are looked through in some 10 ms. */
  window: number
  windowWithTerms: number
  /** How long one answer follows the search index, in ms. */
  index: number
  /** Links of a label that are sorted by what its index does not know; a label that has more is read along another index. */
  sorted?: number
}

export const REACH: Reach = { time: 30, timeWithTerms: 12, window: 5_000, windowWithTerms: 3_000, index: 100, sorted: 10_000 }

/** Links that are read at once at least, where MySQL lets through some that do not fit. */
const LEAST_WITH_TERMS = 300

/** What a page of a list is made of. */
export interface Plan {
  sort: ListLinks['sort']
  order: Order
  /** Whose links, where that matters. */
  ownerId: string | null | undefined
  /** Between which ids, where that is known. */
  ids: { above: bigint | null; below: bigint | null }
  /** What rows are read from, by the index of the order. */
  from: string
  /** The same without what only filters need: where windows end is read from it. */
  ends: string
  /** Whether `from` has entries of links that are gone: they fill windows too. */
  hasGaps: boolean
  /** Whose links, and between where: a stretch of the index. */
  range: Condition[]
  filters: Condition[]
  /** Whether the search index may be asked: it knows owners, and nobody else. */
  isIndexed: boolean
  /** What each link must hold somewhere in its text. */
  terms: string[]
  /** A link that was named outright and heads the list: not to be listed again. */
  named: bigint | null
  reach: Reach
}

/** Looks through window after window until the page is full, the list ends, or the time is over. */
export async function lookThrough(
  ctx: LinkContext,
  plan: Plan,
  from: Key | null,
  limit: number,
  time: number,
): Promise<{ keys: Key[]; next: Key | null }> {
  const deadline = performance.now() + time
  const keys: Key[] = []
  let after = from
  for (;;) {
    const stop = await oneWindow(ctx, plan, after, limit, keys)
    if (keys.length > limit) {
      keys.length = limit
      return { keys, next: keys.at(-1) ?? null }
    }
    if (stop === null) return { keys, next: null }
    after = stop
    if (performance.now() > deadline) return { keys, next: after }
  }
}

/**
 * Adds what the window behind `after` holds to `keys`, up to one more than `limit`.
 * @returns where it ended; null at the end of the list
 */
async function oneWindow(ctx: LinkContext, plan: Plan, after: Key | null, limit: number, keys: Key[]): Promise<Key | null> {
  for (const stretch of plan.order.stretches(after)) {
    const last = plan.filters.length === 0 && !plan.hasGaps ? null : await windowEnd(ctx, plan, stretch.where)
    for (const part of last ? stretch.until(last) : [condition('TRUE')]) {
      const wanted = Math.max(limit + 1 - keys.length, plan.terms.length > 0 ? LEAST_WITH_TERMS : 0)
      const rows = await select(ctx, plan, [stretch.where, part], wanted)
      keys.push(...(await fitting(plan, rows)))
      if (keys.length > limit) return null
      // Some were left out: there may be more of this part.
      const end = rows.at(-1)
      if (end && rows.length === wanted) return end
    }
    if (last) return last
  }
  return null
}

/** The last link of a full window in this stretch; null when the stretch ends before. */
async function windowEnd(ctx: LinkContext, plan: Plan, stretch: Condition): Promise<Key | null> {
  const size = plan.terms.length > 0 ? plan.reach.windowWithTerms : plan.reach.window
  const { sql, values } = all([...plan.range, stretch])
  const [row] = await ctx.db.search<Key>(
    `${plan.order.columns} FROM ${plan.ends} WHERE ${sql} ORDER BY ${plan.order.sql} LIMIT 1 OFFSET ${size}`,
    ...values,
  )
  return row ?? null
}

export type Row = Key & Partial<Searchable>

function select(ctx: LinkContext, plan: Plan, part: Condition[], limit: number): Promise<Row[]> {
  const { sql, values } = all([...plan.range, ...part, ...plan.filters])
  return ctx.db.search<Row>(
    `${columnsOf(plan)} FROM ${plan.from} WHERE ${sql} ORDER BY ${plan.order.sql} LIMIT ${limit}`,
    ...values,
  )
}

/** A key, and what its link is searched by where that is needed. */
export const columnsOf = ({ order, terms }: Plan) => (terms.length > 0 ? `${order.columns}, code, title, url` : order.columns)

/**
 * What MySQL found, looked at once more: it does not fold texts as a search does. Long texts take time, so others get their turn.
 */
export async function fitting(plan: Plan, rows: readonly Row[]): Promise<Row[]> {
  const found: Row[] = []
  const breath = new Breath()
  for (const row of rows) {
    if (fits(plan, row)) found.push(row)
    if (breath.isDue) await breath.pause()
  }
  return found
}

/** A link that heads the list is not listed again. */
function fits({ named, terms }: Plan, { id, code = '', title = '', url = '' }: Row): boolean {
  return id !== named && (terms.length === 0 || holds({ code, title, url }, terms))
}

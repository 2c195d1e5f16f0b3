import { marks } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import { sqlTime } from '@/lib/db/time'
import { type Block, BlockGone, indexedTo, type Moment, readBlocks, withoutGap } from '@/lib/search/blocks'
import { candidates } from '@/lib/search/candidates'
import { gramsOf, ownerGram } from '@/lib/search/grams'
import type { LinkContext } from './context'
import { all, type Condition, condition, type Key } from './order'
import { columnsOf, fitting, type Plan, type Row } from './window'

/** Links that are in no block yet are read one by one: so many, and no more. */
const MOST_UNINDEXED = 10_000
/** So many of them may fit; where more do, the list's own windows find them soon enough. */
const MOST_FRESH = 1_000
/** Links that are held against the search at a time. */
const BATCH = 300
/** Links that are sorted by something that the index does not know. */
const MOST_SORTED = 10_000
/** How often a block may be replaced while it is read. */
const ATTEMPTS = 3

interface Found {
  keys: Key[]
  next: Key | null
}

/**
 * What the search index knows of the rest of the list; null when it cannot tell: it is not filled yet, or too many links may fit.
 */
export async function lookUp(ctx: LinkContext, plan: Plan, after: Key | null, limit: number): Promise<Found | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      const blocks = withoutGap(await readBlocks(ctx.db))
      // Before the blocks: a link that is changed meanwhile leaves no block, while these are read, but goes from one to here.
      const fresh = await findFresh(ctx, plan, indexedTo(blocks), after)
      if (fresh === null) return null
      return plan.sort === 'clicks'
        ? await sortAll(walkBlocks(ctx, plan, blocks, null, after), plan, fresh, limit)
        : await inOrder(walkBlocks(ctx, plan, blocks, after, after), plan, fresh, limit)
    } catch (error) {
      if (!(error instanceof BlockGone) || attempt === ATTEMPTS) throw error
    }
  }
}

/** The links of the list that were changed since `from`; null when there are too many to look at. */
async function findFresh(ctx: LinkContext, plan: Plan, from: Moment, after: Key | null): Promise<Key[] | null> {
  const at = sqlTime(from.at.getTime())
  const since = condition('(updatedAt = ? AND id > ?) OR updatedAt > ?', at, from.id, at)
  const [beyond] = await ctx.db.search(
    `id FROM Link ${UNINDEXED} WHERE ${since.sql} ORDER BY updatedAt, id LIMIT 1 OFFSET ${MOST_UNINDEXED}`,
    ...since.values,
  )
  if (beyond) return null
  const { sql, values } = conditionsOf(plan, after, since)
  const rows = await ctx.db.search<Row>(
    `${columnsOf(plan)} FROM Link ${UNINDEXED} WHERE ${sql} LIMIT ${MOST_FRESH + 1}`,
    ...values,
  )
  return rows.length > MOST_FRESH ? null : fitting(plan, rows)
}

const UNINDEXED = 'FORCE INDEX (Link_updatedAt_idx)'

/** In the order of ids, in which the index gives them: no further than to the end of the page, or of the time. */
async function inOrder(walk: AsyncIterable<Batch>, plan: Plan, fresh: readonly Key[], limit: number): Promise<Found> {
  const deadline = performance.now() + plan.reach.index
  const found = [...fresh]
  for await (const { keys: some, last } of walk) {
    found.push(...some)
    const reached: Key = { id: last, clicks: 0n }
    const keys = inOrderOf(plan, found).filter((key) => plan.order.compare(key, reached) <= 0)
    if (keys.length > limit) return cut(keys, limit)
    if (performance.now() > deadline) return { keys, next: reached }
  }
  return cut(inOrderOf(plan, found), limit)
}

/** All there are, sorted; null when they are too many, or it takes too long. */
async function sortAll(walk: AsyncIterable<Batch>, plan: Plan, fresh: readonly Key[], limit: number): Promise<Found | null> {
  const deadline = performance.now() + plan.reach.index
  const found = [...fresh]
  let looked = 0
  for await (const { keys, size } of walk) {
    looked += size
    if (looked > MOST_SORTED || performance.now() > deadline) return null
    found.push(...keys)
  }
  return cut(inOrderOf(plan, found), limit)
}

/** Candidates that were held against the search. */
interface Batch {
  /** Those in the list. */
  keys: Key[]
  /** How many candidates there were, and the id of the last. */
  size: number
  last: bigint
}

/** What the index knows, in batches in its order. @param from where the walk begins; links of the list lie behind `after` */
async function* walkBlocks(ctx: LinkContext, plan: Plan, blocks: readonly Block[], from: Key | null, after: Key | null) {
  for await (const ids of candidatesOf(ctx, plan, blocks, from)) {
    for (const some of pieces(ids, BATCH)) {
      const batch: Batch = { keys: await check(ctx, plan, some, after), size: some.length, last: some.at(-1) ?? 0n }
      yield batch
    }
  }
}

function candidatesOf({ db }: LinkContext, plan: Plan, blocks: readonly Block[], after: Key | null) {
  const { ownerId, terms, ids } = plan
  const isOldest = plan.sort === 'oldest'
  return candidates(db, blocks, {
    grams: gramsOf(terms),
    owner: ownerId === undefined ? null : ownerGram(ownerId),
    order: isOldest ? 'oldest' : 'newest',
    above: greatest(ids.above, isOldest && after ? after.id : null),
    below: smallest(ids.below, !isOldest && after ? after.id : null),
  })
}

const greatest = (a: bigint | null, b: bigint | null) => (a === null || (b !== null && b > a) ? b : a)
const smallest = (a: bigint | null, b: bigint | null) => (a === null || (b !== null && b < a) ? b : a)

/** Those of the links that are in the list: the index knows nothing of filters, and may be wrong. */
async function check(ctx: LinkContext, plan: Plan, ids: readonly bigint[], after: Key | null): Promise<Key[]> {
  const { sql, values } = conditionsOf(plan, after, condition(`id IN (${marks(ids)})`, ...ids))
  const rows = await ctx.db.search<Row>(`${columnsOf(plan)} FROM Link FORCE INDEX (PRIMARY) WHERE ${sql}`, ...values)
  return fitting(plan, rows)
}

const conditionsOf = (plan: Plan, after: Key | null, which: Condition) =>
  all([which, ...plan.range, ...(after ? [plan.order.behind(after)] : []), ...plan.filters])

/** Sorted, each once: one that was changed meanwhile may have been found in both ways. */
function inOrderOf({ order }: Plan, keys: readonly Key[]): Key[] {
  const sorted = [...keys].sort(order.compare)
  return sorted.filter(({ id }, i) => id !== sorted[i - 1]?.id)
}

const cut = (keys: Key[], limit: number): Found => {
  const page = keys.slice(0, limit)
  return { keys: page, next: keys.length > limit ? (page.at(-1) ?? null) : null }
}

import type { Link } from '@/lib/db/generated/client'
import { marks } from '@/lib/db/literal'
import { gramsOf } from '@/lib/search/grams'
import { termsOf } from '@/lib/search/text'
import { sha256 } from '@/lib/tools/hash'
import type { LinkContext } from './context'
import { listDeleted } from './deleted'
import { bounds, filters, idsOf, type LinkScope, placeOf } from './filter'
import { typedNames } from './find'
import { type LabelFilter, labelFilter } from './label-filter'
import { linkDestination } from './link-destination'
import { lookUp } from './look-up'
import { all, type Condition, condition, type Key, LABEL_ORDERS, ORDERS, type Order } from './order'
import type { ListLinks } from './schemas'
import { lookThrough, type Plan, REACH, type Reach } from './window'

export interface Page {
  links: Link[]
  /** Where the next page begins, or where looking stopped; null at the end. */
  nextCursor: string | null
}

/** How the rest of a list is found: the search index is asked, or is of no use for this. */
type Way = 'window' | 'index' | 'windows only'
const LETTERS: Record<Way, string> = { window: '', index: 'i', 'windows only': 'w' }

/**
 * Links in pages (docs/decisions/0012-search.md).
 * @throws TerseError 'bad_request' for a cursor that is not one of ours, 'unavailable'
 */
export const listLinks = (ctx: LinkContext, scope: LinkScope, query: ListLinks): Promise<Page> =>
  listWithin(ctx, scope, query, Date.now(), REACH)

/** The same at a given time, looking so far. */
export async function listWithin(
  ctx: LinkContext,
  scope: LinkScope,
  query: ListLinks,
  now: number,
  reach = REACH,
): Promise<Page> {
  if (query.state === 'deleted') return listDeleted(ctx, scope, query)
  const start = startOf(ORDERS[query.sort], query.cursor)
  const { plan, named } = await planOf(ctx, scope, query, now, reach)
  if (!plan) return { links: named, nextCursor: null }
  const first = query.cursor === undefined ? named : []
  const { keys, next, way } = await look(ctx, plan, start, query.limit - first.length)
  const links = [...first, ...(await load(ctx, keys))]
  return { links, nextCursor: next === null ? null : LETTERS[way] + plan.order.cursor(next) }
}

/** How a list is read, and the link that heads it, if there is one. Without a plan there is nothing else in it. */
export async function planOf(
  ctx: LinkContext,
  scope: LinkScope,
  query: ListLinks,
  now: number,
  reach: Reach,
): Promise<{ plan: Plan | null; named: Link[] }> {
  const terms = termsOf(query.q ?? '')
  const labels = await labelFilter(ctx, scope, query)
  if (!labels) return { plan: null, named: [] }
  const conditions = [...labels.conditions, ...(scope.also ?? [])]
  const found = query.q === undefined ? null : await findNamed(ctx, scope, query, now, conditions)
  const named = found ? [found] : []
  // Accents alone are in every text.
  if (query.q && terms.length === 0) return { plan: null, named }
  const road = (await sortedRoad(ctx, scope, query, labels, terms, now, reach)) ?? roadOf(ctx, scope, query, labels, terms, now)
  const plan: Plan = {
    ...road,
    filters: [...road.filters, ...(scope.also ?? [])],
    sort: query.sort,
    ownerId: scope.ownerId,
    ids: idsOf(query),
    terms,
    named: found?.id ?? null,
    reach,
  }
  return { plan, named }
}

type Road = Pick<Plan, 'order' | 'from' | 'ends' | 'hasGaps' | 'range' | 'filters' | 'isIndexed'>

/** The links of labels, in order of id, and these together with their rows. */
const LABEL = 'LinkLabel FORCE INDEX (PRIMARY)'
const OF_LABEL = `${LABEL} STRAIGHT_JOIN Link ON Link.id = LinkLabel.linkId`

/** Along which index a list is read: that of a label, which holds fewer links than its account has, or one of links. */
function roadOf(
  { domains }: Pick<LinkContext, 'domains'>,
  scope: LinkScope,
  query: ListLinks,
  { conditions, others, label }: LabelFilter,
  terms: string[],
  now: number,
): Road {
  const rest = filters(query, terms, now, domains)
  if (label !== null && query.sort !== 'clicks') {
    return {
      order: LABEL_ORDERS[query.sort],
      from: OF_LABEL,
      ends: LABEL,
      hasGaps: true,
      range: [condition('labelId = ?', label), ...bounds(query, 'linkId')],
      filters: [...ownedBy(scope), ...others, ...rest],
      isIndexed: false,
    }
  }
  const place = placeOf(scope, query.sort)
  const from = `Link FORCE INDEX (${place.index})`
  return {
    order: ORDERS[query.sort],
    from,
    ends: from,
    hasGaps: false,
    range: [...place.range, ...bounds(query)],
    filters: [...place.rest, ...conditions, ...rest],
    // A token is not in the index, so looking there would go through the links of others, whose ids cursors would tell.
    isIndexed: scope.manageTokenHash === undefined && gramsOf(terms).length > 0,
  }
}

/**
 * By clicks, the links of a label that has few are read and sorted: along the index of clicks, a page would go through all the
 * other links of the account. Null where it has many, which are found there soon enough.
 */
async function sortedRoad(
  ctx: LinkContext,
  scope: LinkScope,
  query: ListLinks,
  { others, label }: LabelFilter,
  terms: string[],
  now: number,
  { sorted = 0 }: Reach,
): Promise<Road | null> {
  if (label === null || query.sort !== 'clicks' || !(await hasAtMost(ctx, label, sorted))) return null
  return {
    order: ORDERS.clicks,
    from: OF_LABEL,
    ends: OF_LABEL,
    hasGaps: false,
    range: [
      condition('labelId = ?', label),
      ...ownedBy(scope),
      ...bounds(query),
      ...others,
      ...filters(query, terms, now, ctx.domains),
    ],
    // They are in the range, since no window is cut off: all that is in it is read.
    filters: [],
    isIndexed: false,
  }
}

async function hasAtMost(ctx: LinkContext, labelId: bigint, links: number): Promise<boolean> {
  const [beyond] = await ctx.db.search(
    `linkId FROM LinkLabel FORCE INDEX (PRIMARY) WHERE labelId = ? ORDER BY linkId LIMIT 1 OFFSET ${links}`,
    labelId,
  )
  return beyond === undefined
}

/** A label is an account's, but a link that bears it may be nobody's by now. */
const ownedBy = (scope: LinkScope) => placeOf(scope, 'newest').range

export interface Start {
  after: Key | null
  way: Way
}

function startOf(order: Order, cursor: string | undefined): Start {
  if (cursor === undefined) return { after: null, way: 'window' }
  const way = cursor.startsWith('i') ? 'index' : cursor.startsWith('w') ? 'windows only' : 'window'
  const after = order.parse(cursor.slice(LETTERS[way].length))
  return { after, way }
}

export interface Found {
  keys: Key[]
  next: Key | null
  way: Way
}

/** What of a list follows `after`, as far as one answer looks. */
export async function look(ctx: LinkContext, plan: Plan, { after, way: asked }: Start, limit: number): Promise<Found> {
  const { isIndexed } = plan
  // Anyone can write a cursor.
  const way = asked === 'index' && !isIndexed ? 'window' : asked
  const time = isIndexed && way === 'window' ? plan.reach.timeWithTerms : plan.reach.time
  const seen = way === 'index' ? { keys: [], next: after } : await lookThrough(ctx, plan, after, limit, time)
  if (seen.next === null || seen.keys.length === limit || !isIndexed || way === 'windows only') return { ...seen, way }
  // Terms that filled no page by now are rare, at least one of them, and the index finds these at once.
  const indexed = await lookUp(ctx, plan, seen.next, limit - seen.keys.length)
  if (indexed === null) return { ...seen, way: 'windows only' }
  return { keys: [...seen.keys, ...indexed.keys], next: indexed.next, way: 'index' }
}

/**
 * The link whose short URL, whose code on the default domain, or whose destination was typed. Of several with this destination
 * the newest.
 */
async function findNamed(
  ctx: LinkContext,
  scope: LinkScope,
  query: ListLinks,
  now: number,
  labels: readonly Condition[],
): Promise<Link | null> {
  const typed = query.q ?? ''
  const names = typedNames(ctx, typed)
  const named = names && condition(`fullShortUrl IN (${marks(names)})`, ...names)
  const byShortUrl = named && (await findOne(ctx, scope, query, now, [named, ...labels]))
  const url = /^[a-z][a-z0-9+.-]*:/i.test(typed) ? linkDestination(typed) : null
  if (byShortUrl || scope.ownerId === undefined || !url?.ok) return byShortUrl
  const newest = 'id = (SELECT id FROM Link WHERE ownerId <=> ? AND urlHash = ? ORDER BY id DESC LIMIT 1)'
  return findOne(ctx, scope, query, now, [condition(newest, scope.ownerId, sha256(url.href)), ...labels])
}

/** The link of a list for which `which` holds. */
async function findOne(
  ctx: LinkContext,
  scope: LinkScope,
  query: ListLinks,
  now: number,
  which: readonly Condition[],
): Promise<Link | null> {
  const { range, rest } = placeOf(scope, query.sort)
  const { sql, values } = all([...which, ...range, ...rest, ...filters(query, [], now, ctx.domains)])
  const [row] = await ctx.db.rows<{ id: bigint }>(`SELECT id FROM Link WHERE ${sql}`, ...values)
  return row ? ((await load(ctx, [{ id: row.id, clicks: 0n }]))[0] ?? null) : null
}

/** The links of these keys, in their order; one that was deleted meanwhile is left out. */
export async function load(ctx: LinkContext, keys: readonly Key[]): Promise<Link[]> {
  if (keys.length === 0) return []
  const ids = keys.map(({ id }) => id)
  const rows = await ctx.db.read((client) => client.link.findMany({ where: { id: { in: ids } } }))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

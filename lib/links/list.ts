import type { Link } from '@/lib/db/generated/client'
import { gramsOf } from '@/lib/search/grams'
import { termsOf } from '@/lib/search/text'
import { sha256 } from '@/lib/tools/hash'
import { parseUrl } from '@/lib/tools/url'
import type { LinkContext } from './context'
import { listDeleted } from './deleted'
import { bounds, filters, idsOf, type LinkScope, placeOf } from './filter'
import { typedLink } from './find'
import { lookUp } from './look-up'
import { all, type Condition, condition, type Key, ORDERS, type Order } from './order'
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
  const found = query.q === undefined ? null : await findNamed(ctx, scope, query, now)
  const named = found ? [found] : []
  // Accents alone are in every text.
  if (query.q && terms.length === 0) return { plan: null, named }
  const place = placeOf(scope, query.sort)
  const plan: Plan = {
    sort: query.sort,
    order: ORDERS[query.sort],
    ownerId: scope.ownerId,
    ids: idsOf(query),
    index: place.index,
    range: [...place.range, ...bounds(query)],
    filters: [...place.rest, ...filters(query, terms, now)],
    // A token is not in the index, so looking there would go through the links of others, whose ids cursors would tell.
    isIndexed: scope.manageTokenHash === undefined && gramsOf(terms).length > 0,
    terms,
    named: found?.id ?? null,
    reach,
  }
  return { plan, named }
}

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
async function findNamed(ctx: LinkContext, scope: LinkScope, query: ListLinks, now: number): Promise<Link | null> {
  const typed = query.q ?? ''
  const full = typedLink(ctx, typed)
  const byShortUrl = full === null ? null : await findOne(ctx, scope, query, now, condition('fullShortUrl = ?', full))
  const url = /^https?:/i.test(typed) ? parseUrl(typed) : null
  if (byShortUrl || scope.ownerId === undefined || url === null) return byShortUrl
  const newest = 'id = (SELECT id FROM Link WHERE ownerId <=> ? AND urlHash = ? ORDER BY id DESC LIMIT 1)'
  return findOne(ctx, scope, query, now, condition(newest, scope.ownerId, sha256(url.href)))
}

/** The link of a list for which `which` holds. */
async function findOne(
  ctx: LinkContext,
  scope: LinkScope,
  query: ListLinks,
  now: number,
  which: Condition,
): Promise<Link | null> {
  const { range, rest } = placeOf(scope, query.sort)
  const { sql, values } = all([which, ...range, ...rest, ...filters(query, [], now)])
  const [row] = await ctx.db.rows<{ id: bigint }>(`SELECT id FROM Link WHERE ${sql}`, ...values)
  return row ? ((await load(ctx, [{ id: row.id, clicks: 0n }]))[0] ?? null) : null
}

/** The links of these keys, in their order; one that was deleted meanwhile is left out. */
async function load(ctx: LinkContext, keys: readonly Key[]): Promise<Link[]> {
  if (keys.length === 0) return []
  const ids = keys.map(({ id }) => id)
  const rows = await ctx.db.read((client) => client.link.findMany({ where: { id: { in: ids } } }))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

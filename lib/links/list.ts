import { isIndexed, searchedWords } from '@/lib/db/full-text'
import type { Link } from '@/lib/db/generated/client'
import type { LinkContext } from './context'
import { listDeleted } from './deleted'
import { bounds, filters, type LinkScope, placeOf } from './filter'
import { typedLink } from './find'
import { lookUp } from './look-up'
import { all, condition, type Key, ORDERS, type Order } from './order'
import type { ListLinks } from './schemas'
import { lookThrough, type Plan, REACH } from './window'

export interface Page {
  links: Link[]
  /** Where the next page begins, or where looking stopped; null at the end. */
  nextCursor: string | null
}

/** How the rest of a list is found: the full-text index is asked, or has proved too slow for this. */
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
  const order = ORDERS[query.sort]
  const words = searchedWords(query.q ?? '')
  const start = startOf(order, query.cursor)
  const named = query.q === undefined ? null : await findNamed(ctx, scope, query, now)
  // What holds no letter and no digit names no link.
  if (query.q && words.length === 0 && !named) return { links: [], nextCursor: null }
  const place = placeOf(scope, query.sort)
  const plan: Plan = {
    order,
    index: place.index,
    range: [...place.range, ...bounds(query)],
    filters: [...place.rest, ...filters(query, words, now)],
    words,
    named: named?.id ?? null,
    reach,
  }
  const first = named && query.cursor === undefined ? [named] : []
  const { keys, next, way } = await look(ctx, plan, start, query.limit - first.length)
  const links = [...first, ...(await load(ctx, keys))]
  return { links, nextCursor: next === null ? null : LETTERS[way] + order.cursor(next) }
}

interface Start {
  after: Key | null
  way: Way
}

function startOf(order: Order, cursor: string | undefined): Start {
  if (cursor === undefined) return { after: null, way: 'window' }
  const way = cursor.startsWith('i') ? 'index' : cursor.startsWith('w') ? 'windows only' : 'window'
  const after = order.parse(cursor.slice(LETTERS[way].length))
  return { after, way }
}

interface Found {
  keys: Key[]
  next: Key | null
  way: Way
}

async function look(ctx: LinkContext, plan: Plan, { after, way }: Start, limit: number): Promise<Found> {
  const indexable = plan.words.filter(isIndexed)
  const time = indexable.length > 0 && way === 'window' ? plan.reach.timeWithWords : plan.reach.time
  const seen = way === 'index' ? { keys: [], next: after } : await lookThrough(ctx, plan, after, limit, time)
  if (seen.next === null || seen.keys.length === limit || indexable.length === 0 || way === 'windows only')
    return { ...seen, way }
  // Words that filled no page by now are rare, at least one of them, and the index finds rare words at once.
  const indexed = await lookUp(ctx, plan, indexable, seen.next, limit - seen.keys.length)
  if (indexed === null) return { ...seen, way: 'windows only' }
  return { keys: [...seen.keys, ...indexed.keys], next: indexed.next, way: 'index' }
}

/** The link whose short URL, or whose code on the default domain, was typed. */
async function findNamed(ctx: LinkContext, scope: LinkScope, query: ListLinks, now: number): Promise<Link | null> {
  const full = typedLink(ctx, query.q ?? '')
  if (full === null) return null
  const { range, rest } = placeOf(scope, query.sort)
  const { sql, values } = all([condition('fullShortUrl = ?', full), ...range, ...rest, ...filters(query, [], now)])
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

import { booleanQuery, isIndexed, likePattern, matchesWords, searchedWords } from '@/lib/db/full-text'
import type { Link } from '@/lib/db/generated/client'
import { isTerseError, TerseError } from '@/lib/errors'
import { normaliseHost } from '@/lib/net/host'
import type { LinkContext } from './context'
import { listDeleted } from './deleted'
import { bounds, filters, type LinkScope, placeOf } from './filter'
import { all, type Condition, condition, type Key, ORDERS, type Order } from './order'
import type { ListLinks } from './schemas'

export interface Page {
  links: Link[]
  /** Where the next page begins, or where looking stopped; null at the end. */
  nextCursor: string | null
}

/** How far one answer looks. */
export interface Reach {
  /** How long it goes through windows, in ms; it ends with the window then under way. */
  time: number
  /** The same where the full-text index can go on. */
  timeWithWords: number
  /** Rows in a window: as many as are looked through in some 10 ms. */
  window: number
  windowWithWords: number
  /** How long the full-text index may take before the windows go on instead, in ms. */
  index: number
}

const REACH: Reach = { time: 30, timeWithWords: 12, window: 5_000, windowWithWords: 3_000, index: 100 }

/** The newest links in which the words are counted, to tell the rare ones, and how many may have a rare one. */
const SAMPLE = 1_000
const RARE = 20

/** What a page of a list is made of. */
interface Plan {
  order: Order
  index: string
  /** Whose links, and between where: a stretch of the index. */
  range: Condition[]
  filters: Condition[]
  words: string[]
  /** A link that was named outright and heads the list: not to be listed again. */
  named: bigint | null
  reach: Reach
}

/** How the rest of a list is found: the full-text index is asked, or has proved too slow for this. */
type Way = 'window' | 'index' | 'windows only'
const LETTERS: Record<Way, string> = { window: '', index: 'i', 'windows only': 'w' }

/**
 * Links in pages (docs/decisions/0012-search.md).
 * @throws TerseError 'bad_request' for a cursor that is not one of ours, 'unavailable'
 */
export async function listLinks(
  ctx: LinkContext,
  scope: LinkScope,
  query: ListLinks,
  now = Date.now(),
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
  if (!after) throw new TerseError('bad_request', 'This cursor is not one of ours.')
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
  const words = booleanQuery(await rareWords(ctx, plan, indexable))
  const indexed = words === null ? null : await askIndex(ctx, plan, words, seen.next, limit - seen.keys.length)
  if (indexed === null) return { ...seen, way: 'windows only' }
  return { keys: [...seen.keys, ...indexed.keys], next: indexed.next, way: 'index' }
}

/** Looks through window after window until the page is full, the list ends, or the time is over. */
async function lookThrough(
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

/** Adds what the window behind `after` holds to `keys`, up to one more than `limit`. @returns where it ended; null at the end of the list */
async function oneWindow(ctx: LinkContext, plan: Plan, after: Key | null, limit: number, keys: Key[]): Promise<Key | null> {
  for (const stretch of plan.order.stretches(after)) {
    const last = plan.filters.length === 0 ? null : await windowEnd(ctx, plan, stretch.where)
    for (const part of last ? stretch.until(last) : [condition('TRUE')]) {
      const wanted = limit + 1 - keys.length
      const rows = await select(ctx, plan, [stretch.where, part], wanted)
      keys.push(...rows.filter((row) => fits(plan, row)))
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
  const size = plan.words.length > 0 ? plan.reach.windowWithWords : plan.reach.window
  const { sql, values } = all([...plan.range, stretch])
  const [row] = await ctx.db.rows<Key>(
    `SELECT ${plan.order.columns} FROM Link ${force(plan)} WHERE ${sql} ORDER BY ${plan.order.sql} LIMIT 1 OFFSET ${size}`,
    ...values,
  )
  return row ?? null
}

type Row = Key & { text: string | null }

function select(ctx: LinkContext, plan: Plan, part: Condition[], limit: number): Promise<Row[]> {
  const { sql, values } = all([...plan.range, ...part, ...plan.filters])
  const text = plan.words.length > 0 ? 'searchText' : 'NULL'
  return ctx.db.rows<Row>(
    `SELECT ${plan.order.columns}, ${text} AS text FROM Link ${force(plan)} WHERE ${sql} ORDER BY ${plan.order.sql} LIMIT ${limit}`,
    ...values,
  )
}

/** What MySQL found, looked at once more: it knows no beginnings of words. A link that heads the list is not listed again. */
const fits = ({ named, words }: Plan, { id, text }: Row) => id !== named && (text === null || matchesWords(text, words))

const force = ({ index }: Plan) => `FORCE INDEX (${index})`

/**
 * The words of a search that few links have. One that every link has, such as `https`, would cost the index a second, and
 * the links that have the rare ones are soon looked through for it.
 */
async function rareWords(ctx: LinkContext, plan: Plan, words: readonly string[]): Promise<string[]> {
  if (words.length === 1) return [...words]
  const { sql, values } = all(plan.range)
  const counts = words.map((_, i) => `COUNT(CASE WHEN searchText LIKE ? THEN 1 END) AS w${i}`).join(', ')
  const [row] = await ctx.db.rows<Record<string, bigint | number>>(
    `SELECT ${counts} FROM (
       SELECT searchText FROM Link ${force(plan)} WHERE ${sql} ORDER BY ${plan.order.sql} LIMIT ${SAMPLE}) AS newest`,
    ...words.map(likePattern),
    ...values,
  )
  return words.filter((_, i) => Number(row?.[`w${i}`] ?? 0) <= RARE)
}

/** What the full-text index knows of the rest of the list; null when it takes too long to tell. */
async function askIndex(
  ctx: LinkContext,
  plan: Plan,
  words: string,
  after: Key,
  limit: number,
): Promise<{ keys: Key[]; next: Key | null } | null> {
  const match = condition('MATCH(searchText) AGAINST(? IN BOOLEAN MODE)', words)
  const { sql, values } = all([match, ...plan.range, plan.order.behind(after), ...plan.filters])
  try {
    const rows = await ctx.db.scanWithin<Row>(
      plan.reach.index,
      `id, clicks, searchText AS text FROM Link WHERE ${sql} ORDER BY ${plan.order.sql} LIMIT ${limit + 1}`,
      ...values,
    )
    const keys = rows.filter((row) => fits(plan, row))
    if (keys.length > limit) return { keys: keys.slice(0, limit), next: keys[limit - 1] ?? null }
    return { keys, next: rows.length > limit ? (rows.at(-1) ?? null) : null }
  } catch (error) {
    if (isTerseError(error) && error.code === 'unavailable' && ctx.db.breakerState === 'closed') return null
    throw error
  }
}

/** The link whose short URL, or whose code on the default domain, was typed as it is. */
async function findNamed(ctx: LinkContext, scope: LinkScope, query: ListLinks, now: number): Promise<Link | null> {
  const typed = (query.q ?? '').replace(/^https?:\/\//i, '').normalize('NFC')
  const slash = typed.indexOf('/')
  const full =
    slash === -1
      ? `${(await ctx.domains.default()).host}/${typed}`
      : `${normaliseHost(typed.slice(0, slash))}/${typed.slice(slash + 1)}`
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

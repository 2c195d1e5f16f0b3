import { LRUCache } from 'lru-cache'
import { countByOwner } from '@/lib/counts/counts'
import type { Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { sha256 } from '@/lib/tools/hash'
import type { LinkContext } from './context'
import type { LinkScope } from './filter'
import { load, look, planOf, type Start } from './list'
import type { Key } from './order'
import type { ListLinks } from './schemas'
import { REACH } from './window'

/**
 * Links in pages by number, with how many there are: what the APIs of other shorteners ask for. Our own has cursors, since a page
 * by number is found by going through all before it.
 */

/** Keys that one statement reads. */
const STEP = 5_000
/** Links that are gone through to a page. A script that reads page after page goes on where it was. */
const MOST_SKIPPED = 100_000
/** For how long links are gone through at most, in ms. */
const TIME = 2_000
/** Links are counted so far; of more, their number is estimated. */
export const MOST_COUNTED = 10_000
/** For how long they are counted, in ms. */
const COUNTING = 150

/** Where lists go on behind what was last read of them. */
export class ListEnds {
  private readonly known = new LRUCache<string, Start>({ max: 5_000, ttl: 10 * 60_000 })

  get(list: string, behind: number): Start | undefined {
    return this.known.get(`${list} ${behind}`)
  }

  set(list: string, behind: number, start: Start): void {
    this.known.set(`${list} ${behind}`, start)
  }
}

interface OffsetContext extends LinkContext {
  listEnds: ListEnds
}

/** A list of an account’s own links. */
export interface OffsetList {
  scope: LinkScope & { ownerId: string }
  query: ListLinks
}

/**
 * `size` links of a list, behind its first `skip`.
 * @throws TerseError 'bad_request' for a page that is too far in, 'unavailable'
 */
export async function listAt(ctx: OffsetContext, list: OffsetList, skip: number, size: number): Promise<Link[]> {
  const { plan, named } = await planOf(ctx, list.scope, list.query, Date.now(), REACH)
  const first = named.slice(skip, skip + size)
  if (!plan) return first
  const name = nameOf(list)
  const behind = Math.max(0, skip - named.length)
  const known = behind === 0 ? undefined : ctx.listEnds.get(name, behind)
  let left = known ? 0 : behind
  if (left > MOST_SKIPPED) throw new TerseError('bad_request', say('api.request.farPage', { most: MOST_SKIPPED }))
  const keys: Key[] = []
  const wanted = size - first.length
  const deadline = performance.now() + TIME
  for (let start: Start | null = known ?? { after: null, way: 'window' }; start && keys.length < wanted; ) {
    const found = await look(ctx, plan, start, Math.min(left > 0 ? left : wanted - keys.length, STEP))
    if (left > 0) left -= found.keys.length
    else keys.push(...found.keys)
    start = found.next && { after: found.next, way: found.way }
    if (start && left === 0 && keys.length === wanted) ctx.listEnds.set(name, behind + wanted, start)
    if (performance.now() > deadline) throw new TerseError('unavailable', say('api.system.database'), { retryAfter: 2 })
  }
  return [...first, ...(await load(ctx, keys))]
}

/** What tells one list from another, without what it holds. */
const nameOf = ({ scope, query }: OffsetList) =>
  sha256(JSON.stringify([scope, query], (_, value) => (typeof value === 'bigint' ? String(value) : value))).toString('base64url')

/** How many there are, and whether nobody counted them. */
export interface Total {
  count: number
  isEstimated: boolean
}

/**
 * How many links a list holds: exactly for a whole account and up to 10,000, otherwise estimated by how far in time the first of
 * them go back.
 * @throws TerseError 'unavailable'
 */
export async function totalOf(ctx: LinkContext, { scope, query }: OffsetList): Promise<Total> {
  const { sort: _, limit: __, archived, ...filters } = query
  const isAll = scope.domainId === undefined && !scope.also?.length && archived === 'any'
  const all = (await countByOwner(ctx.db, [scope.ownerId])).get(scope.ownerId) ?? 0
  if (isAll && Object.values(filters).every((filter) => filter === undefined)) return counted(all)
  const { plan, named } = await planOf(ctx, scope, { ...query, sort: 'newest' }, Date.now(), REACH)
  let count = named.length
  let [newest, last]: (bigint | undefined)[] = []
  const deadline = performance.now() + COUNTING
  for (let start: Start | null = plan && { after: null, way: 'window' }; plan && start; ) {
    const { keys, next, way } = await look(ctx, plan, start, STEP)
    count += keys.length
    newest ??= keys[0]?.id
    last = next?.id ?? last
    start = next && { after: next, way }
    if (!start || (count <= MOST_COUNTED && performance.now() < deadline)) continue
    const oldest = await oldestOf(ctx, scope.ownerId)
    // IDs grow with time.
    const share = newest === undefined || last === undefined ? 1 : Number(newest - last) / Math.max(1, Number(newest - oldest))
    return { count: Math.min(all, Math.max(count + 1, Math.round(count / Math.max(share, 1e-9)))), isEstimated: true }
  }
  return counted(count)
}

const counted = (count: number): Total => ({ count, isEstimated: false })

async function oldestOf({ db }: LinkContext, ownerId: string): Promise<bigint> {
  const [row] = await db.search<{ id: bigint }>(
    'id FROM Link FORCE INDEX (Link_ownerId_id_idx) WHERE ownerId = ? ORDER BY id LIMIT 1',
    ownerId,
  )
  return row?.id ?? 0n
}

/** Links behind which those with the fewest clicks are not listed. */
const MOST_BELOW = 5_000

/**
 * The links of an account with the fewest clicks.
 * @throws TerseError 'bad_request' for a page that is too far in, 'unavailable'
 */
export async function leastClicked(ctx: LinkContext, ownerId: string, skip: number, size: number): Promise<Link[]> {
  if (skip > MOST_BELOW) throw new TerseError('bad_request', say('api.request.farPage', { most: MOST_BELOW }))
  const keys = await ctx.db.search<Key>(
    `id, clicks FROM Link FORCE INDEX (Link_ownerId_clicks_id_idx) WHERE ownerId = ? ORDER BY clicks, id LIMIT ${size} OFFSET ${skip}`,
    ownerId,
  )
  return load(ctx, keys)
}

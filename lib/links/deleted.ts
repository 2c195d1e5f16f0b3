import type { DeletedLink, Link } from '@/lib/db/generated/client'
import { sqlTime } from '@/lib/db/time'
import { bearing } from '@/lib/labels/filing'
import { holds, termsOf } from '@/lib/search/text'
import { Breath } from '@/lib/tools/breath'
import { parseCursor, TIME_AND_ID } from '@/lib/tools/cursor'
import type { LinkContext } from './context'
import type { LinkScope } from './filter'
import { labelFilter } from './label-filter'
import { all, type Condition, condition } from './order'
import type { ListLinks } from './schemas'
import { fromSnapshot } from './snapshot'
import { kindOf } from './view'

/** How many deleted links one answer looks through: each is a snapshot to be read. */
const WINDOW = 1_000

/** A link as it was when it was deleted. */
export type Deleted = Link & { deletedAt: Date }

/** What is read of each. */
type Row = Pick<DeletedLink, 'id' | 'domainId' | 'ownerId' | 'snapshot' | 'deletedAt'>

/**
 * Links that can be restored, the last deleted first (`oldest`: the first deleted), in pages as in `listLinks`.
 * @throws TerseError 'bad_request', 'unavailable'
 */
export async function listDeleted(
  ctx: Pick<LinkContext, 'db' | 'domains'>,
  scope: LinkScope,
  query: ListLinks,
): Promise<{ links: Deleted[]; nextCursor: string | null }> {
  const [direction, beyond] = query.sort === 'oldest' ? ['ASC', '>'] : ['DESC', '<']
  const { index, range, rest } = placeOf(scope)
  const filter = await labelFilter(ctx, scope, { ...query, archived: query.archived ?? 'any' })
  if (!filter) return { links: [], nextCursor: null }
  if (query.cursor !== undefined) {
    const { deletedAt, id } = parse(query.cursor)
    range.push(condition(`deletedAt ${beyond}= ? AND (deletedAt ${beyond} ? OR id ${beyond} ?)`, deletedAt, deletedAt, id))
  }
  const isPlain = rest.length === 0 && filter.labels.length === 0 && !isFiltered(query)
  const { sql, values } = all(range)
  // Left to itself, an optimizer reads and sorts the whole table rather than go along an index for a window of rows.
  const rows = await ctx.db.search<Row>(
    `id, domainId, ownerId, snapshot, deletedAt FROM DeletedLink FORCE INDEX (DeletedLink_${index}_idx)
      WHERE ${sql} ORDER BY deletedAt ${direction}, id ${direction} LIMIT ${isPlain ? query.limit + 1 : WINDOW}`,
    ...values,
  )
  const ids = rows.map(({ id }) => id)
  const borne = filter.labels.length === 0 ? null : await bearing(ctx, filter.labels, ids)
  const links: Deleted[] = []
  const terms = query.q === undefined ? null : termsOf(query.q)
  const breath = new Breath()
  for (const [position, row] of rows.entries()) {
    if (breath.isDue) await breath.pause()
    if (!rest.every((holds) => holds(row)) || borne?.has(row.id) === false) continue
    const link = { ...fromSnapshot(row.snapshot), deletedAt: row.deletedAt }
    if (!fits(ctx, link, query, terms)) continue
    if (links.length === query.limit) return { links, nextCursor: cursorOf(rows[position - 1]) }
    links.push(link)
  }
  return { links, nextCursor: !isPlain && rows.length === WINDOW ? cursorOf(rows.at(-1)) : null }
}

interface Place {
  /** The index that lists them in the order of their deletion. */
  index: string
  /** Where in it they are. */
  range: Condition[]
  /** What else tells whose they are, and where: looked at link by link, in a window. */
  rest: ((row: Row) => boolean)[]
}

/** Where deleted links lie: under the narrowest of what is asked for. */
function placeOf({ manageTokenHash, ownerId, domainId }: LinkScope): Place {
  const ofOwner = ownerId === undefined ? [] : [(row: Row) => row.ownerId === ownerId]
  const onDomain = domainId === undefined ? [] : [(row: Row) => row.domainId === domainId]
  if (manageTokenHash) {
    const range = [condition('manageTokenHash = ?', Buffer.from(manageTokenHash))]
    return { index: 'manageTokenHash_deletedAt', range, rest: [...ofOwner, ...onDomain] }
  }
  if (ownerId !== undefined) return { index: 'ownerId_deletedAt', range: [condition('ownerId <=> ?', ownerId)], rest: onDomain }
  if (domainId !== undefined) return { index: 'domainId_deletedAt', range: [condition('domainId = ?', domainId)], rest: [] }
  return { index: 'deletedAt', range: [], rest: [] }
}

const isFiltered = ({ q, kind, from, to, minClicks, maxClicks }: ListLinks) =>
  [q, kind, from, to, minClicks, maxClicks].some((given) => given !== undefined)

/** @param terms what is searched for; null: nothing is */
function fits(
  { domains }: Pick<LinkContext, 'domains'>,
  link: Link,
  { kind, from, to, minClicks, maxClicks }: ListLinks,
  terms: readonly string[] | null,
): boolean {
  if (kind !== undefined && kindOf(link, domains) !== kind) return false
  if (from !== undefined && link.createdAt < new Date(from)) return false
  if (to !== undefined && link.createdAt >= new Date(to)) return false
  if (minClicks !== undefined && link.clicks < minClicks) return false
  if (maxClicks !== undefined && link.clicks > maxClicks) return false
  return terms === null || (terms.length > 0 && holds(link, terms))
}

const cursorOf = (row: Row | undefined) => (row ? `${row.deletedAt.getTime()}-${row.id}` : null)

function parse(cursor: string): { deletedAt: string; id: bigint } {
  const [at, id = ''] = parseCursor(cursor, TIME_AND_ID)
  return { deletedAt: sqlTime(Number(at)), id: BigInt(id) }
}

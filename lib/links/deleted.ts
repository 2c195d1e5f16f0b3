import type { DeletedLink, Link, Prisma } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import type { LinkContext } from './context'
import type { Whose } from './filter'
import type { ListLinks } from './schemas'
import { fromSnapshot } from './snapshot'
import { matchesWords, searchedWords } from './words'

/** How many deleted links one answer looks through: each is a snapshot to be read. */
const WINDOW = 1_000

/** A link as it was when it was deleted. */
export type Deleted = Link & { deletedAt: Date }

/**
 * Links that can be restored, the last deleted first (`oldest`: the first deleted), in pages as in `listLinks`.
 * @throws TerseError 'bad_request', 'unavailable'
 */
export async function listDeleted(
  ctx: Pick<LinkContext, 'db'>,
  whose: Whose,
  query: ListLinks,
): Promise<{ links: Deleted[]; nextCursor: string | null }> {
  const direction = query.sort === 'oldest' ? 'asc' : 'desc'
  const after = query.cursor === undefined ? null : parse(query.cursor)
  const beyond = direction === 'asc' ? 'gt' : 'lt'
  const upTo = direction === 'asc' ? 'gte' : 'lte'
  const behind = after && {
    deletedAt: { [upTo]: after.deletedAt },
    OR: [{ deletedAt: { [beyond]: after.deletedAt } }, { id: { [beyond]: after.id } }],
  }
  const { where, rest } = placeOf(whose)
  const isPlain = rest.length === 0 && !isFiltered(query)
  const rows = await ctx.db.read((client) =>
    client.deletedLink.findMany({
      where: { ...where, ...behind },
      orderBy: [{ deletedAt: direction }, { id: direction }],
      take: isPlain ? query.limit + 1 : WINDOW,
    }),
  )
  const links: Deleted[] = []
  for (const [index, row] of rows.entries()) {
    if (!rest.every((holds) => holds(row))) continue
    const link = { ...fromSnapshot(row.snapshot), deletedAt: row.deletedAt }
    if (!fits(link, query)) continue
    if (links.length === query.limit) return { links, nextCursor: cursorOf(rows[index - 1]) }
    links.push(link)
  }
  return { links, nextCursor: !isPlain && rows.length === WINDOW ? cursorOf(rows.at(-1)) : null }
}

interface Place {
  /** The first column of an index that goes on with `deletedAt`. */
  where: Prisma.DeletedLinkWhereInput
  /** What else tells whose they are, and where: looked at link by link, in a window. */
  rest: ((row: DeletedLink) => boolean)[]
}

/** Where deleted links lie: under the narrowest of what is asked for. */
function placeOf({ manageTokenHash, ownerId, domainId }: Whose): Place {
  const ofOwner = ownerId === undefined ? [] : [(row: DeletedLink) => row.ownerId === ownerId]
  const onDomain = domainId === undefined ? [] : [(row: DeletedLink) => row.domainId === domainId]
  if (manageTokenHash) {
    return { where: { manageTokenHash: new Uint8Array(manageTokenHash) }, rest: [...ofOwner, ...onDomain] }
  }
  if (ownerId !== undefined) return { where: { ownerId }, rest: onDomain }
  return { where: domainId === undefined ? {} : { domainId }, rest: [] }
}

const isFiltered = ({ q, from, to, minClicks, maxClicks }: ListLinks) =>
  [q, from, to, minClicks, maxClicks].some((given) => given !== undefined)

function fits(link: Link, { q, from, to, minClicks, maxClicks }: ListLinks): boolean {
  if (from !== undefined && link.createdAt < new Date(from)) return false
  if (to !== undefined && link.createdAt >= new Date(to)) return false
  if (minClicks !== undefined && link.clicks < minClicks) return false
  if (maxClicks !== undefined && link.clicks > maxClicks) return false
  if (q === undefined) return true
  const words = searchedWords(q)
  return words.length > 0 && matchesWords(`${link.code} ${link.title} ${link.url}`, words)
}

const cursorOf = (row: DeletedLink | undefined) => (row ? `${row.deletedAt.getTime()}-${row.id}` : null)

function parse(cursor: string): { deletedAt: Date; id: bigint } {
  const found = /^(\d{1,15})-(\d{1,19})$/.exec(cursor)
  if (!found) throw new TerseError('bad_request', 'This cursor is not one of ours.')
  return { deletedAt: new Date(Number(found[1])), id: BigInt(found[2] ?? 0) }
}

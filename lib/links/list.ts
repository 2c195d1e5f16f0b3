import type { Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import type { Actor, LinkContext } from './context'
import { sha256 } from './tokens'

export interface Page {
  links: Link[]
  /** Where the next page begins; null at the end. */
  nextCursor: string | null
}

/**
 * The links that the actor may manage, newest first.
 * @param cursor `nextCursor` of the page before
 * @throws TerseError 'unauthorized' for an actor who can manage none, 'bad_request', 'unavailable'
 */
export async function listLinks(
  ctx: LinkContext,
  actor: Actor,
  options: { limit: number; cursor?: string | undefined },
): Promise<Page> {
  const { limit, cursor } = options
  if (cursor !== undefined && !/^\d{1,19}$/.test(cursor)) throw new TerseError('bad_request', 'This cursor is not one of ours.')
  const before = cursor === undefined ? {} : { id: { lt: BigInt(cursor) } }
  const links = await ctx.db.read((client) =>
    client.link.findMany({ where: { ...managedBy(actor), ...before }, orderBy: { id: 'desc' }, take: limit + 1 }),
  )
  const page = links.slice(0, limit)
  return { links: page, nextCursor: links.length > limit ? (page.at(-1)?.id.toString() ?? null) : null }
}

function managedBy(actor: Actor) {
  if (actor.ownerId !== null) return { ownerId: actor.ownerId }
  if (actor.manageToken !== null) return { manageTokenHash: sha256(actor.manageToken) }
  throw new TerseError('unauthorized', 'Send a manage token as “Authorization: Bearer <token>”.')
}

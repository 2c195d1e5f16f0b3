import type { Link } from '@/lib/db/generated/client'
import type { DomainRow } from '@/lib/redirect/domains'
import type { Actor, LinkContext } from './context'
import type { Permitted } from './permit'
import type { CreateLinkData } from './schemas'
import { sha256 } from './tokens'

/** Whether what is asked for is a plain link: only such a one can stand in for another. */
function isPlain(input: CreateLinkData): boolean {
  return !input.password && !input.startsAt && !input.expiresAt && !input.expiredUrl && !input.maxClicks && !input.title
}

/**
 * The actor's plain link to this destination on this domain, or null. Without an account that is anyone's
 * anonymous link, from then on `shared`: its maker can no longer change where it leads, or whether (lib/links/shared.ts).
 */
export async function findReusable(
  ctx: LinkContext,
  actor: Actor,
  domain: DomainRow,
  input: Permitted<CreateLinkData>,
): Promise<Link | null> {
  if (!isPlain(input)) return null
  const plain = {
    ownerId: actor.ownerId,
    urlHash: sha256(input.url),
    domainId: domain.id,
    state: 'active',
    title: '',
    passwordHash: null,
    startsAt: null,
    expiresAt: null,
    expiredUrl: null,
    maxClicks: null,
    redirectStatus: input.redirectStatus ?? 302,
  } as const
  const link = await ctx.db.read((client) => client.link.findFirst({ where: plain, orderBy: { id: 'asc' } }))
  if (!link || actor.ownerId !== null || link.shared) return link
  // Only if it is still what was found: an edit may be under way.
  const { count } = await ctx.db.write((client) =>
    client.link.updateMany({ where: { id: link.id, version: link.version }, data: { shared: true } }),
  )
  return count === 1 ? { ...link, shared: true } : null
}

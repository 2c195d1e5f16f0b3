import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { LinkContext } from './context'
import { listAndCount } from './count'
import type { LinkScope } from './filter'
import type { AdminLinkView, LinkTotal, ListAllLinks } from './schemas'
import { toView } from './view'

/** How links without an account are asked for. */
const NOBODY = 'none'

/**
 * Links of everyone, in pages as in `listLinks`, each with its owner.
 * @throws TerseError 'validation_failed', 'bad_request', 'unavailable'
 */
export async function listAllLinks(
  ctx: LinkContext,
  { owner, domain, ...query }: ListAllLinks,
): Promise<{ links: AdminLinkView[]; nextCursor: string | null; total?: LinkTotal }> {
  const { links, ...page } = await listAndCount(ctx, scopeOf(ctx, { owner, domain }), query)
  const owners = await ownersOf(
    ctx,
    links.map(({ ownerId }) => ownerId),
  )
  return {
    links: links.map((link) => ({ ...toView(link, ctx.domains), owner: owners.get(link.ownerId ?? '') ?? null })),
    ...page,
  }
}

/** Whose links, and where, as admins ask for them. @throws TerseError 'validation_failed' for a domain that is not ours */
export function scopeOf(ctx: LinkContext, { owner, domain }: Pick<ListAllLinks, 'owner' | 'domain'>): LinkScope {
  const scope: LinkScope = {}
  if (owner !== undefined) scope.ownerId = owner === NOBODY ? null : owner
  if (domain !== undefined) scope.domainId = domainId(ctx, domain)
  return scope
}

function domainId({ domains }: LinkContext, host: string): number {
  const domain = domains.find(host)
  if (!domain) throw invalidField('domain', say('api.link.domain'))
  return domain.id
}

type Owner = NonNullable<AdminLinkView['owner']>

/** The accounts that these ids belong to, by id. */
export async function ownersOf({ db }: Pick<LinkContext, 'db'>, ids: readonly (string | null)[]): Promise<Map<string, Owner>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const users = await db.read((client) =>
    client.user.findMany({ where: { id: { in: wanted } }, select: { id: true, handle: true, name: true } }),
  )
  return new Map(users.map(({ id, handle, name }) => [id, { id, handle: handle ?? '', name }]))
}

import type { LinkFacts } from '@/lib/blocklist/rules'
import { invalidField, TerseError } from '@/lib/errors'
import type { Actor, LinkContext } from './context'

/**
 * What every new link must fulfil, whichever way it is made.
 * @throws TerseError 'unauthorized' or 'validation_failed'
 */
export function requirePermitted(
  ctx: Pick<LinkContext, 'config' | 'domains' | 'blocklist'>,
  actor: Actor,
  fields: LinkFacts & Parameters<typeof requireOrder>[0] & Parameters<typeof requireListable>[1],
): void {
  if (actor.ownerId === null && !ctx.config.ANONYMOUS_LINKS) {
    throw new TerseError('unauthorized', 'Links can only be made with an account here.')
  }
  requireForeign(ctx, fields)
  ctx.blocklist.require(fields)
  requireListable(actor, fields)
  requireOrder(fields)
}

/** Refuses destinations that lead back to us: a link to a link could go round for ever. */
export function requireForeign(
  ctx: Pick<LinkContext, 'domains'>,
  fields: { url?: string | undefined; expiredUrl?: string | null | undefined },
): void {
  for (const path of ['url', 'expiredUrl'] as const) {
    const href = fields[path]
    if (!href) continue
    const { host, hostname } = new URL(href)
    if (ctx.domains.isOwn({ host: host.replace(/\.(?=:|$)/, ''), hostname: hostname.replace(/\.$/, '') })) {
      throw invalidField(path, 'This address is a short link of this site itself.')
    }
  }
}

/** Refuses a link that would end before it begins. */
export function requireOrder(times: { startsAt?: Date | null | undefined; expiresAt?: Date | null | undefined }): void {
  if (times.startsAt && times.expiresAt && times.expiresAt <= times.startsAt) {
    throw invalidField('expiresAt', 'The link would expire before it starts.')
  }
}

/** A public page lists the links of an account: a link without one can be on none. */
export function requireListable(actor: Pick<Actor, 'ownerId'>, fields: { listed?: boolean | undefined }): void {
  if (fields.listed && actor.ownerId === null) throw invalidField('listed', 'Only links of an account can be listed.')
}

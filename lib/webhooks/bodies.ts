import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import type { Domains } from '@/lib/domains/domains'
import type { SentKind } from '@/lib/events/kinds'
import { toldView } from '@/lib/links/events'
import { fromSnapshot } from '@/lib/links/snapshot'
import { hostOf } from '@/lib/links/view'

/** What is sent of an event, as Standard Webhooks have it. @param at when it happened */
export const bodyText = (type: SentKind, at: Date, data: unknown) => JSON.stringify({ type, timestamp: at.toISOString(), data })

interface Context {
  db: Pick<DatabaseGateway, 'read'>
  domains: Domains
}

/** Links by their ids, also those in the bin. What is gone for good is not among them. */
async function linksBy({ db }: Context, ids: readonly bigint[]): Promise<Map<bigint, Link & { deletedAt?: Date }>> {
  const where = { id: { in: [...new Set(ids)] } }
  const [links, deleted] = await Promise.all([
    db.read((client) => client.link.findMany({ where })),
    db.read((client) => client.deletedLink.findMany({ where })),
  ])
  const found = new Map<bigint, Link & { deletedAt?: Date }>(links.map((link) => [link.id, link]))
  for (const { id, snapshot, deletedAt } of deleted) found.set(id, { ...fromSnapshot(snapshot), deletedAt })
  return found
}

/** Views of links, for events that name them alone. */
export async function viewsOf(ctx: Context, ids: readonly bigint[]) {
  const links = await linksBy(ctx, ids)
  return new Map([...links].map(([id, link]) => [id, toldView(link, ctx.domains)]))
}

/** What names a link beside each of its clicks. */
export async function namesOf(ctx: Context, ids: readonly bigint[]) {
  const links = await linksBy(ctx, ids)
  return new Map(
    [...links].map(([id, { code, fullShortUrl }]) => {
      const domain = hostOf(fullShortUrl)
      return [id.toString(), { id: id.toString(), domain, code, shortUrl: ctx.domains.shortUrl(domain, code) }]
    }),
  )
}

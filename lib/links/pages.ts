import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'

/** Links that are read at a time: one may have rules of 64 kB. */
const PAGE = 200

/** Whose links, and of which domain: everyone's and of each, if nothing is said. */
export interface WhichLinks {
  ownerId?: string
  domain?: { id: number; host: string }
}

export interface LinkPagesContext {
  db: Pick<DatabaseGateway, 'read'>
}

/**
 * Links, the oldest first, page after page: one that is created meanwhile may come at the end, and none comes twice or is left
 * out because of it.
 * @throws TerseError 'unavailable'
 */
export async function* linkPages({ db }: LinkPagesContext, { ownerId, domain }: WhichLinks): AsyncGenerator<Link[], void> {
  for (let after = 0n; ; ) {
    const where = { ...(ownerId !== undefined && { ownerId }), ...(domain && { domainId: domain.id }), id: { gt: after } }
    const links = await db.read((client) => client.link.findMany({ where, orderBy: { id: 'asc' }, take: PAGE }))
    const last = links.at(-1)
    if (!last) return
    after = last.id
    yield links
  }
}

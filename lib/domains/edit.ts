import type { z } from 'zod'
import type { Blocklist } from '@/lib/blocklist/blocklist'
import { isLanePath } from '@/lib/codes/reserved'
import type { Config } from '@/lib/config'
import { isUniqueViolation } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Domain } from '@/lib/db/generated/client'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { normaliseHost } from '@/lib/net/host'
import { parseUrl } from '@/lib/tools/url'
import type { Domains } from './domains'
import { PROOF_PATH, type ProofSources, proofOf, requireProof } from './proof'
import type { CreateDomain, DomainView, UpdateDomain } from './schemas'

interface DomainContext {
  config: Pick<Config, 'APP_SECRET'>
  db: DatabaseGateway
  domains: Domains
  blocklist: Blocklist
}

/** All domains, in the order they were added. @throws TerseError 'unavailable' */
export async function listDomains(ctx: DomainContext): Promise<DomainView[]> {
  const [rows, counts] = await Promise.all([
    ctx.db.read((client) => client.domain.findMany({ orderBy: { id: 'asc' } })),
    ctx.db.scan<{ domainId: number; links: bigint }>('domainId, COUNT(*) AS links FROM Link GROUP BY domainId'),
  ])
  const links = new Map(counts.map((row) => [row.domainId, Number(row.links)]))
  return rows.map((row) => toView(ctx, row, links.get(row.id) ?? 0))
}

/**
 * Adds a domain. It is served once it has been verified.
 * @throws TerseError 'validation_failed', 'conflict', 'unavailable'
 */
export async function addDomain(ctx: DomainContext, input: z.output<typeof CreateDomain>): Promise<DomainView> {
  const host = readHost(input.host)
  try {
    await ctx.db.write((client) => client.domain.createMany({ data: [{ host, createdAt: new Date() }] }))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new TerseError('conflict', say('api.domain.thereNamed', { host }), {
      errors: [{ path: 'host', message: say('api.domain.there') }],
    })
  }
  return toView(ctx, await ctx.db.read((client) => client.domain.findUniqueOrThrow({ where: { host } })), 0)
}

/** Sets where its pages lead, or makes it the default. @throws TerseError 'not_found', 'conflict', 'validation_failed' */
export async function updateDomain(ctx: DomainContext, id: number, input: z.output<typeof UpdateDomain>): Promise<DomainView> {
  const domain = await find(ctx, id)
  const { isDefault, rootUrl, notFoundUrl } = input
  requireOutside(ctx, 'rootUrl', rootUrl)
  requireOutside(ctx, 'notFoundUrl', notFoundUrl)
  if (isDefault && domain.verifiedAt === null) throw new TerseError('conflict', say('api.domain.verifyFirst'))
  const data = { ...(rootUrl === undefined ? {} : { rootUrl }), ...(notFoundUrl === undefined ? {} : { notFoundUrl }) }
  await ctx.db.write((client) => client.domain.updateMany({ where: { id }, data }))
  // One statement, so that there is never a second default, nor none.
  if (isDefault) await ctx.db.change('UPDATE Domain SET isDefault = (id = ?)', id)
  await ctx.domains.refresh()
  return viewOf(ctx, id)
}

/**
 * Looks for the proof that a domain is ours, and serves it from then on.
 * @throws TerseError 'not_found', 'conflict' (no proof was found: with what was), 'unavailable'
 */
export async function verifyDomain(ctx: DomainContext, id: number, sources?: ProofSources): Promise<DomainView> {
  const { host } = await find(ctx, id)
  await requireProof(host, proofOf(ctx.config.APP_SECRET, host), sources)
  await ctx.db.write((client) => client.domain.updateMany({ where: { id, verifiedAt: null }, data: { verifiedAt: new Date() } }))
  await ctx.domains.refresh()
  return viewOf(ctx, id)
}

/** Removes a domain without links. @throws TerseError 'not_found', 'conflict', 'unavailable' */
export async function removeDomain(ctx: DomainContext, id: number): Promise<{ host: string }> {
  const { host, isDefault, verifiedAt } = await find(ctx, id)
  if (host === ctx.domains.baseHost) throw new TerseError('conflict', say('api.domain.base'))
  if (isDefault) throw new TerseError('conflict', say('api.domain.default'))
  // First, since links lead nowhere while their domain is not served.
  await requireEmpty(ctx, id, host)
  const verify = (at: Date | null) =>
    ctx.db.write((client) => client.domain.updateMany({ where: { id }, data: { verifiedAt: at } }))
  // No more links from here on: what is being made on it at this moment is counted below or refused.
  await verify(null)
  try {
    await requireEmpty(ctx, id, host)
  } catch (error) {
    await verify(verifiedAt)
    throw error
  }
  await ctx.db.write((client) => client.domain.deleteMany({ where: { id } }))
  await ctx.domains.refresh()
  return { host }
}

/** @throws TerseError 'conflict' for a domain that has links, or had some that can be restored */
async function requireEmpty(ctx: DomainContext, id: number, host: string): Promise<void> {
  const [links, deleted] = await ctx.db.read((client) =>
    Promise.all([client.link.count({ where: { domainId: id } }), client.deletedLink.count({ where: { domainId: id } })]),
  )
  if (links + deleted === 0) return
  throw new TerseError('conflict', say('api.domain.hasLinks', { host, links, deleted }))
}

async function find(ctx: DomainContext, id: number): Promise<Domain> {
  const domain = await ctx.db.read((client) => client.domain.findUnique({ where: { id } }))
  if (!domain) throw new TerseError('not_found', say('api.domain.none'))
  return domain
}

async function viewOf(ctx: DomainContext, id: number): Promise<DomainView> {
  const domain = await find(ctx, id)
  return toView(ctx, domain, await ctx.db.read((client) => client.link.count({ where: { domainId: id } })))
}

/** A host name as it is kept: in lower case and ASCII. @throws TerseError 'validation_failed' */
function readHost(typed: string): string {
  const wrong = () => invalidField('host', say('api.domain.host'))
  const url = /[\s/@?#:\\%]/.test(typed) ? null : parseUrl(`http://${typed}`)
  if (url === null) throw wrong()
  const host = normaliseHost(url.hostname)
  // A name with a dot, and no address: nobody could prove that an address is theirs.
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) || /^[\d.]+$/.test(host) || host.length > 253) throw wrong()
  return host
}

/** Refuses what is blocked, and what would lead from our short links to our short links, perhaps for ever. */
function requireOutside(ctx: DomainContext, path: string, href: string | null | undefined): void {
  if (!href) return
  ctx.blocklist.require({ url: href }, path)
  if (!ctx.domains.isOwn(href)) return
  const { host, pathname } = new URL(href)
  const isPage = normaliseHost(host) === ctx.domains.baseHost && !isLanePath(pathname)
  if (!isPage) throw invalidField(path, say('api.link.ownAddress'))
}

function toView(ctx: DomainContext, row: Domain, links: number): DomainView {
  const { id, host, rootUrl, notFoundUrl } = row
  const proof = proofOf(ctx.config.APP_SECRET, host)
  return {
    id,
    host,
    isDefault: host === ctx.domains.defaultHost,
    isBase: host === ctx.domains.baseHost,
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    rootUrl,
    notFoundUrl,
    links,
    proof: { txtName: `_terse.${host}`, txtValue: proof, fileUrl: `http://${host}${PROOF_PATH}`, fileContent: proof },
    createdAt: row.createdAt.toISOString(),
  }
}

import type { z } from 'zod'
import type { Blocklist } from '@/lib/blocklist/blocklist'
import { isLanePath } from '@/lib/codes/reserved'
import type { Config } from '@/lib/config'
import { countByDomain } from '@/lib/counts/counts'
import { isUniqueViolation } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Domain } from '@/lib/db/generated/client'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { normaliseHost } from '@/lib/net/host'
import { parseUrl } from '@/lib/tools/url'
import { checkUpstream } from '@/lib/upstream/check-upstream'
import type { UpstreamInput } from '@/lib/upstream/schemas'
import type { Upstreams } from '@/lib/upstream/upstreams'
import { readUpstreamCounts, viewUpstream } from '@/lib/upstream/view'
import { codeCaseOf } from './code-case'
import { type Domains, spokenCodesOf } from './domains'
import { PROOF_PATH, type ProofSources, proofOf, requireProof } from './proof'
import type { CreateDomain, DomainView, UpdateDomain } from './schemas'

/** Of more deleted links than this, it is only said that there are more. */
const MOST_DELETED = 1_000

interface DomainContext {
  config: Pick<Config, 'APP_SECRET'>
  db: DatabaseGateway
  domains: Domains
  blocklist: Blocklist
  upstreams: Upstreams
}

/** All domains, in the order they were added. @throws TerseError 'unavailable' */
export async function listDomains(ctx: DomainContext): Promise<DomainView[]> {
  const [rows, links, counts] = await Promise.all([
    ctx.db.read((client) => client.domain.findMany({ orderBy: { id: 'asc' } })),
    countByDomain(ctx.db),
    readUpstreamCounts(ctx.db),
  ])
  return rows.map((row) => toView(ctx, row, links.get(row.id) ?? 0, viewUpstream(row, counts.get(row.id))))
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
  return toView(ctx, await ctx.db.read((client) => client.domain.findUniqueOrThrow({ where: { host } })), 0, null)
}

/**
 * Sets where its pages lead, what it gives out and its old shortener, or makes it the default.
 * @param ownerId of who asks: links that come over from an old shortener will be theirs
 * @throws TerseError 'not_found', 'conflict', 'validation_failed'
 */
export async function updateDomain(
  ctx: DomainContext,
  id: number,
  input: z.output<typeof UpdateDomain>,
  ownerId: string | null = null,
): Promise<DomainView> {
  const domain = await find(ctx, id)
  const { isDefault, rootUrl, notFoundUrl, qrCodes, spokenCodes } = input
  requireOutside(ctx, 'rootUrl', rootUrl)
  requireOutside(ctx, 'notFoundUrl', notFoundUrl)
  if (isDefault && domain.verifiedAt === null) throw new TerseError('conflict', say('api.domain.verifyFirst'))
  if (spokenCodes && !spokenCodesOf(domain, ctx.domains.baseHost)) await requireNoNumbers(ctx, domain)
  const data = {
    ...(rootUrl !== undefined && { rootUrl }),
    ...(notFoundUrl !== undefined && { notFoundUrl }),
    ...(qrCodes !== undefined && { qrCodes }),
    ...(spokenCodes !== undefined && { spokenCodes }),
    ...(input.upstream !== undefined && (await upstreamFields(ctx, domain, input.upstream, ownerId))),
  }
  // What was counted of the one before says nothing of another.
  if (domain.upstreamUrl === null && input.upstream) {
    await ctx.db.write((client) => client.upstreamCount.deleteMany({ where: { domainId: id } }))
  }
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
  await ctx.db.write((client) => client.domainFile.deleteMany({ where: { domainId: id } }))
  await ctx.db.write((client) => client.upstreamCount.deleteMany({ where: { domainId: id } }))
  await ctx.db.write((client) => client.domain.deleteMany({ where: { id } }))
  await ctx.domains.refresh()
  return { host }
}

/** @throws TerseError 'conflict' for a domain that has links, or had some that can be restored */
async function requireEmpty(ctx: DomainContext, id: number, host: string): Promise<void> {
  // Whether there are any is asked of the tables themselves; how many, of what is kept.
  const [aLink, some] = await ctx.db.read((client) =>
    Promise.all([
      client.link.findFirst({ where: { domainId: id }, select: { id: true } }),
      client.deletedLink.findMany({ where: { domainId: id }, select: { id: true }, take: MOST_DELETED + 1 }),
    ]),
  )
  const deleted = Math.min(some.length, MOST_DELETED)
  const more = some.length > MOST_DELETED ? 'more' : 'exact'
  if (aLink === null && deleted === 0) return
  const links = (await countByDomain(ctx.db)).get(id) ?? 0
  throw new TerseError('conflict', say('api.domain.hasLinks', { host, links, deleted, more }))
}

/**
 * Links that are called by a short number would expire and give it to others. Codes that begin with a digit are read until there
 * is one: an admin does this once.
 * @throws TerseError 'conflict' for a domain that has such a link
 */
async function requireNoNumbers({ db }: DomainContext, { host }: Domain): Promise<void> {
  const [link] = await db.rows<{ code: string }>(
    `SELECT code FROM Link WHERE fullShortUrl >= ? AND fullShortUrl < ? AND code REGEXP '^[0-9]{1,6}$' LIMIT 1`,
    `${host}/0`,
    `${host}/:`,
  )
  if (link) throw new TerseError('conflict', say('api.domain.hasNumbers', { host, code: link.code }))
}

async function find(ctx: DomainContext, id: number): Promise<Domain> {
  const domain = await ctx.db.read((client) => client.domain.findUnique({ where: { id } }))
  if (!domain) throw new TerseError('not_found', say('api.domain.none'))
  return domain
}

async function viewOf(ctx: DomainContext, id: number): Promise<DomainView> {
  const domain = await find(ctx, id)
  const [links, counts] = await Promise.all([countByDomain(ctx.db), readUpstreamCounts(ctx.db)])
  return toView(ctx, domain, links.get(id) ?? 0, viewUpstream(domain, counts.get(id)))
}

/** The columns of an old shortener. @throws TerseError 'conflict', 'validation_failed' */
async function upstreamFields(ctx: DomainContext, domain: Domain, upstream: UpstreamInput | null, ownerId: string | null) {
  if (upstream === null) return { upstreamUrl: null, upstreamHost: null, upstreamOwnerId: null, upstreamSince: null }
  if (domain.verifiedAt === null) throw new TerseError('conflict', say('api.domain.verifyFirst'))
  const home = ctx.domains.shortUrl(domain.host, '')
  const { url, host } = await checkUpstream(ctx.upstreams, (href) => ctx.domains.isOwn(href), home, upstream)
  return {
    upstreamUrl: url,
    upstreamHost: host,
    upstreamOwnerId: ownerId,
    upstreamSince: domain.upstreamSince ?? new Date(),
  }
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

function toView(ctx: DomainContext, row: Domain, links: number, upstream: DomainView['upstream']): DomainView {
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
    qrCodes: row.qrCodes,
    spokenCodes: spokenCodesOf(row, ctx.domains.baseHost),
    codeCase: codeCaseOf(row.codeCase),
    upstream,
    links,
    proof: { txtName: `_terse.${host}`, txtValue: proof, fileUrl: `http://${host}${PROOF_PATH}`, fileContent: proof },
    createdAt: row.createdAt.toISOString(),
  }
}

import { audit } from '@/lib/audit/audit'
import type { DomainRow } from '@/lib/domains/domains'
import { addDomain, removeDomain, updateDomain } from '@/lib/domains/edit'
import { CreateDomain, UpdateDomain } from '@/lib/domains/schemas'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { validate } from '@/lib/tools/validate'
import { json } from '../../problem'
import type { ForeignCall } from '../dialect'
import { type Fields, numberOf, textOf } from '../fields'
import { idOf } from './names'

const MOST = 50
/** What a domain has there and none has here. */
const NOT_HERE = ['expiredUrl', 'placeholder', 'logo', 'assetLinks', 'appleAppSiteAssociation', 'archived'] as const

interface Shown {
  id: number
  host: string
  notFoundUrl: string | null
  createdAt: Date | string
  isVerified: boolean
}

const domainView = ({ domains }: ForeignCall['ctx'], { id, host, notFoundUrl, createdAt, isVerified }: Shown) => {
  const at = new Date(createdAt).toISOString()
  return {
    ...{ id: idOf('dom', id), slug: host, verified: isVerified, primary: host === domains.defaultHost, archived: false },
    ...{ placeholder: null, expiredUrl: null, notFoundUrl, logo: null, assetLinks: null, appleAppSiteAssociation: null },
    ...{ createdAt: at, updatedAt: at, registeredDomain: null },
  }
}

/** The domains that are served. */
export async function list({ ctx, query }: ForeignCall) {
  const term = query.get('search')?.trim().toLowerCase()
  const size = numberOf(query.get('pageSize'), 1, MOST, MOST)
  const skip = (numberOf(query.get('page'), 1, 100_000, 1) - 1) * size
  const hosts = ctx.domains.hosts.filter((host) => !term || host.includes(term)).slice(skip, skip + size)
  const rows = hosts.flatMap((host) => ctx.domains.find(host) ?? [])
  const select = { id: true, createdAt: true } as const
  const kept = await ctx.db.read((client) => client.domain.findMany({ where: { id: { in: rows.map(({ id }) => id) } }, select }))
  const times = new Map(kept.map(({ id, createdAt }) => [id, createdAt]))
  return rows.map((row) => domainView(ctx, { ...row, createdAt: times.get(row.id) ?? new Date(0), isVerified: true }))
}

/** @throws TerseError 'validation_failed' for what a domain has none of here */
function changesIn(fields: Fields) {
  for (const name of NOT_HERE) if (fields[name]) throw invalidField(name, say('api.request.notHere'))
  return validate(UpdateDomain, { ...(fields.notFoundUrl !== undefined && { notFoundUrl: fields.notFoundUrl || null }) })
}

/** It is served once it is verified. */
export async function create({ ctx, account, address, fields }: ForeignCall) {
  const changes = changesIn(fields)
  const host = textOf(fields, 'slug') ?? ''
  let domain = await addDomain(ctx, validate(CreateDomain, { host }))
  await audit(ctx, { account, address }, 'domain.add', domain.host)
  if (Object.keys(changes).length > 0) domain = await updateDomain(ctx, domain.id, changes)
  return json(201, domainView(ctx, { ...domain, isVerified: domain.verifiedAt !== null }))
}

/** The domain that a path names, verified or not. @throws TerseError 'not_found' */
async function asked({ ctx, params }: ForeignCall): Promise<{ id: number; host: string }> {
  const host = (params.slug ?? '').toLowerCase()
  const known: Pick<DomainRow, 'id' | 'host'> | undefined = ctx.domains.find(host)
  const select = { id: true, host: true } as const
  const domain = known ?? (await ctx.db.read((client) => client.domain.findUnique({ where: { host }, select })))
  if (!domain) throw new TerseError('not_found', say('api.domain.none'))
  return domain
}

export async function edit(call: ForeignCall) {
  const { ctx, account, address, fields } = call
  const { id, host } = await asked(call)
  const slug = textOf(fields, 'slug')
  if (slug && slug.toLowerCase() !== host) throw invalidField('slug', say('api.request.notHere'))
  const changes = changesIn(fields)
  const domain = await updateDomain(ctx, id, changes)
  if (Object.keys(changes).length > 0) await audit(ctx, { account, address }, 'domain.change', host, changes)
  return domainView(ctx, { ...domain, isVerified: domain.verifiedAt !== null })
}

export async function remove(call: ForeignCall) {
  const { ctx, account, address } = call
  const { id } = await asked(call)
  const { host } = await removeDomain(ctx, id)
  await audit(ctx, { account, address }, 'domain.remove', host)
  return { slug: host }
}

import { byKey } from '@/lib/accounts/identify'
import { audit } from '@/lib/audit/audit'
import type { Link } from '@/lib/db/generated/client'
import { addDomain, removeDomain } from '@/lib/domains/edit'
import { CreateDomain } from '@/lib/domains/schemas'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { MOST_COMMENT } from '@/lib/labels/values'
import { deleteLink } from '@/lib/links/delete'
import { findManaged } from '@/lib/links/find'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { updateLink } from '@/lib/links/update'
import { validate } from '@/lib/tools/validate'
import { json } from '../../problem'
import { CHANGES, type Dialect, type ForeignCall, foreignEndpoint, READS, type Refusal } from '../dialect'
import { numberOf, textOf, withScheme } from '../fields'
import { addressOfId, createdLink, filed, filedOne } from '../links'
import { countedPage, pageOfLinks } from '../pages'
import { statsOf } from './stats'
import { domainView, expiryIn, idOfUuid, linkView } from './view'

/** The address of the link that an ID names. */
const addressOf = (call: ForeignCall) => addressOfId(call, idOfUuid(call.params.id ?? ''))

const found = async (call: ForeignCall, access: 'read' | 'write'): Promise<Link> =>
  findManaged(call.ctx, call.actor, await addressOf(call), access)

/** What somebody sent for a field that is to be left as it is. */
const given = (call: ForeignCall, name: string): string | undefined => textOf(call.fields, name)?.trim() || undefined

/** The fields of a link, by the names that ours have. @throws TerseError 'validation_failed' */
function fieldsIn(call: ForeignCall) {
  const target = given(call, 'target')
  const [password, expires, description] = [given(call, 'password'), given(call, 'expire_in'), given(call, 'description')]
  return {
    ...(target !== undefined && { url: withScheme(target) }),
    ...(password !== undefined && { password }),
    ...(expires !== undefined && { expiresAt: expiryIn(expires) }),
    ...(description !== undefined && { comment: description.slice(0, MOST_COMMENT) }),
  }
}

async function create(call: ForeignCall): Promise<Response> {
  const { fields } = call
  const [code, domain] = [given(call, 'customurl'), given(call, 'domain')]
  const reuse = fields.reuse === true || fields.reuse === 'true'
  const asked = { url: '', ...fieldsIn(call), ...(code && { code }), ...(domain && { domain }), ...(reuse && { reuse }) }
  const { link, isNew } = await createdLink(call, validate(CreateLink, asked))
  return json(isNew ? 201 : 200, linkView(call.ctx, link))
}

async function list(call: ForeignCall) {
  const { ctx, query } = call
  const limit = numberOf(query.get('limit'), 1, 50, 10)
  const skip = numberOf(query.get('skip'), 0, Number.MAX_SAFE_INTEGER, 0)
  const listed = { sort: 'newest', q: query.get('search')?.slice(0, 200) || undefined } as const
  const { links, total } = await countedPage(call, listed, skip, () => pageOfLinks(call, listed, skip, limit))
  return { total, limit, skip, data: (await filed(call, links)).map((link) => linkView(ctx, link)) }
}

async function edit(call: ForeignCall) {
  const { ctx, actor } = call
  const address = await addressOf(call)
  const code = given(call, 'address')
  // First, so that nothing is told of a link of somebody else.
  const link = await findManaged(ctx, actor, address, 'write')
  if (code !== undefined && code !== link.code) throw new TerseError('conflict', say('api.link.codeFixed'))
  const changed = fieldsIn(call)
  if (Object.keys(changed).length === 0) return linkView(ctx, await filedOne(call, link))
  return linkView(ctx, await filedOne(call, await updateLink(ctx, actor, address, validate(UpdateLink, changed))))
}

async function stats(call: ForeignCall) {
  const link = await found(call, 'read')
  const [counted, shown] = await Promise.all([statsOf(call.ctx, link), filedOne(call, link)])
  return { ...counted, ...linkView(call.ctx, shown) }
}

async function addedDomain(call: ForeignCall) {
  const { ctx, account, address } = call
  // Clients send a URL as well as a host.
  const host = (given(call, 'address') ?? '').replace(/^https?:\/\//i, '').replace(/\/.*/s, '')
  const domain = await addDomain(ctx, validate(CreateDomain, { host }))
  await audit(ctx, { account, address }, 'domain.add', domain.host)
  return domainView(ctx, domain)
}

async function removedDomain({ ctx, account, address, params }: ForeignCall) {
  const id = idOfUuid(params.id ?? '')
  if (id === null || id > 999_999_999n) throw new TerseError('not_found', say('api.domain.none'))
  const { host } = await removeDomain(ctx, Number(id))
  await audit(ctx, { account, address }, 'domain.remove', host)
  return { message: 'Domain has been deleted successfully.' }
}

/** Kutt tells all errors of input by 400. */
function refuse({ error, write }: Refusal): Response {
  const isInput = error.status === 409 || error.status === 413 || error.status === 415 || error.status === 422
  return json(isInput ? 400 : error.status, { error: write(error.said) })
}

/** The API of Kutt, version 2. */
export const kutt: Dialect = {
  endpoints: [
    foreignEndpoint(
      'GET /api/v2/health',
      { summary: 'Check the API', limit: 'api', needs: 'nothing', changes: false },
      async () => new Response('OK', { headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' } }),
    ),
    foreignEndpoint('GET /api/v2/links', { ...READS, summary: 'List links' }, list),
    foreignEndpoint('POST /api/v2/links', { ...CHANGES, limit: 'post', summary: 'Create a link' }, create),
    foreignEndpoint('GET /api/v2/links/{id}/stats', { ...READS, summary: 'Retrieve statistics of a link' }, stats),
    foreignEndpoint(
      'DELETE /api/v2/links/{id}/stats',
      { ...READS, summary: 'Retrieve statistics of a link: a client asks so, and nothing is deleted' },
      stats,
    ),
    foreignEndpoint('PATCH /api/v2/links/{id}', { ...CHANGES, summary: 'Edit a link' }, edit),
    foreignEndpoint('DELETE /api/v2/links/{id}', { ...CHANGES, summary: 'Delete a link' }, async (call) => {
      await deleteLink(call.ctx, call.actor, await addressOf(call))
      return { message: 'Link has been deleted successfully.' }
    }),
    foreignEndpoint('GET /api/v2/users', { ...READS, summary: 'Retrieve the account' }, async ({ ctx, account }) => ({
      // Known as a hash alone.
      apikey: null,
      email: account.email,
      domains: ctx.domains.hosts
        .filter((host) => host !== ctx.domains.defaultHost)
        .flatMap((host) => ctx.domains.find(host) ?? [])
        .map((domain) => domainView(ctx, domain)),
    })),
    foreignEndpoint(
      'POST /api/v2/domains',
      { summary: 'Add a domain, as an admin', limit: 'account', needs: 'admin', changes: true },
      addedDomain,
    ),
    foreignEndpoint(
      'DELETE /api/v2/domains/{id}',
      { summary: 'Remove a domain, as an admin', limit: 'account', needs: 'admin', changes: true },
      removedDomain,
    ),
  ],
  identify: async (ctx, { request }) => {
    const key = request.headers.get('x-api-key')
    return key ? byKey(ctx, key) : null
  },
  refuse,
  keyHeaders: ['X-API-Key'],
}

import type { Link } from '@/lib/db/generated/client'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { findLabels } from '@/lib/labels/labels'
import { deleteLink } from '@/lib/links/delete'
import { findManaged, type LinkAddress } from '@/lib/links/find'
import { type Condition, condition } from '@/lib/links/order'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { linkTo } from '@/lib/links/twin'
import { updateLink } from '@/lib/links/update'
import { hostOf } from '@/lib/links/view'
import { validate } from '@/lib/tools/validate'
import type { ForeignCall } from '../dialect'
import { type Fields, numberOf } from '../fields'
import { addressOfId, createdLink } from '../links'
import { countedPage, type Listed, pageOfLinks, withLabels } from '../pages'
import { idOf, KnownNames, listIn, numberIn } from './names'
import { addressIn, domainIn, fieldsIn } from './sent'
import { linkView, linkViews } from './view'

/** Links of one page. */
const MOST = 100

export const addressById = (call: Pick<ForeignCall, 'ctx' | 'actor'>, id: string) => addressOfId(call, numberIn('link', id))

/** The address of the link that a query names, by ID or by domain and key. @throws TerseError 'not_found', 'validation_failed' */
export async function addressAsked(call: ForeignCall): Promise<LinkAddress> {
  const { ctx, query } = call
  if (query.get('externalId')) throw invalidField('externalId', say('api.request.notHere'))
  const [id, key] = [query.get('linkId'), query.get('key')]
  if (id) return addressById(call, id)
  if (!key) throw invalidField('linkId', say('api.request.link'))
  return { code: key, domain: domainIn(ctx, query.get('domain')) }
}

export async function createOne(call: ForeignCall, fields: Fields): Promise<Link> {
  const input = { url: '', ...(await fieldsIn(call, fields, null)), ...addressIn(call, fields) }
  return (await createdLink(call, validate(CreateLink, input))).link
}

export const create = async (call: ForeignCall) => linkView(call, await createOne(call, call.fields))

export async function editOne(call: ForeignCall, address: LinkAddress, fields: Fields): Promise<Link> {
  const { ctx, actor } = call
  const link = await findManaged(ctx, actor, address, 'write')
  const { code = link.code, domain = hostOf(link.fullShortUrl) } = addressIn(call, fields)
  if (code !== link.code || domain.toLowerCase() !== hostOf(link.fullShortUrl)) {
    throw new TerseError('conflict', say('api.link.codeFixed'))
  }
  const changed = await fieldsIn(call, fields, link)
  return Object.keys(changed).length === 0 ? link : updateLink(ctx, actor, address, validate(UpdateLink, changed))
}

export async function edit(call: ForeignCall) {
  return linkView(call, await editOne(call, await addressById(call, call.params.id ?? ''), call.fields))
}

/** Edits the newest link to a destination, or else creates one. */
export async function upsert(call: ForeignCall) {
  const { ctx, actor, fields } = call
  const { url } = await fieldsIn(call, fields, null)
  const wanted = validate(CreateLink.pick({ url: true }), { url: url ?? '' })
  const link = await linkTo(ctx, actor, wanted.url)
  if (!link) return create(call)
  const { key: _, domain: __, prefix: ___, ...rest } = fields
  return linkView(call, await editOne(call, { code: link.code, domain: hostOf(link.fullShortUrl) }, rest))
}

export async function read(call: ForeignCall) {
  const { ctx, actor } = call
  return linkView(call, await findManaged(ctx, actor, await addressAsked(call), 'read'))
}

export async function remove(call: ForeignCall) {
  const { ctx, actor } = call
  const address = await addressById(call, call.params.id ?? '')
  const { id } = await findManaged(ctx, actor, address, 'write')
  await deleteLink(ctx, actor, address)
  return { id: idOf('link', id) }
}

/** Which links are listed; null: there can be none. @throws TerseError 'validation_failed' */
async function filtersOf(call: ForeignCall): Promise<Listed | null> {
  const { ctx, account, query } = call
  for (const name of ['tenantId', 'externalId', 'partnerId', 'withTags']) {
    if (query.get(name) && query.get(name) !== 'false') throw invalidField(name, say('api.request.notHere'))
  }
  const domain = domainIn(ctx, query.get('domain'))
  const domainId = query.get('domain') ? ctx.domains.find(domain ?? ctx.domains.defaultHost)?.id : undefined
  if (query.get('domain') && domainId === undefined) return null
  const folderId = query.get('folderId')
  const isFiled = folderId !== null && folderId !== '' && folderId !== 'unsorted'
  const ids = listIn(query.get('tagIds') ?? query.get('tagId'))?.map((id) => numberIn('tag', id))
  const names = listIn(query.get('tagNames')) ?? []
  const wanted = names.slice(0, 50).map((name) => ({ kind: 'tag', name }) as const)
  const known = wanted.length > 0 ? await findLabels(ctx, account.id, wanted) : null
  const tags = [...(ids ?? []).slice(0, 50), ...wanted.map((one) => known?.id(one) ?? null)].filter((id) => id !== null)
  if ((ids !== undefined || wanted.length > 0) && tags.length === 0) return null
  // Only their own: a label of somebody else is on none of the links of this account.
  const also: Condition[] = tags.length > 0 ? [withLabels(tags, true)] : []
  return {
    ...{ sort: 'newest', q: query.get('search')?.trim().slice(0, 200) || undefined, domainId },
    folder: isFiled ? (await KnownNames.of(call)).folderNamed(folderId, 'folderId') : undefined,
    ...{ archived: query.get('showArchived') === 'true' ? 'any' : 'false', also },
  }
}

/** Newest first, as they are listed there, and by page or behind or before a link. */
export async function list(call: ForeignCall) {
  const { query } = call
  const sort = query.get('sortBy') ?? query.get('sort') ?? 'createdAt'
  if (sort !== 'createdAt' && sort !== 'clicks') {
    throw invalidField('sortBy', say('api.request.oneOf', { values: 'createdAt, clicks' }))
  }
  const size = numberOf(query.get('pageSize'), 1, MOST, MOST)
  const page = numberOf(query.get('page'), 1, Math.floor(Number.MAX_SAFE_INTEGER / MOST), 1)
  const filters = await filtersOf(call)
  if (!filters) return []
  const isOldest = query.get('sortOrder') === 'asc'
  const listed: Listed = {
    ...filters,
    sort: sort === 'clicks' ? (isOldest ? 'fewest' : 'clicks') : isOldest ? 'oldest' : 'newest',
  }
  const [after, before] = [query.get('startingAfter'), query.get('endingBefore')]
  if (!after && !before) return linkViews(call, await pageOfLinks(call, listed, (page - 1) * size, size))
  if (sort === 'clicks') throw invalidField(after ? 'startingAfter' : 'endingBefore', say('api.request.notHere'))
  const id = numberIn('link', after || before || '')
  if (id === null) return []
  // IDs grow with time. Those before a link are read from it on, the other way around.
  const isOlder = Boolean(after) !== isOldest
  const from = condition(isOlder ? 'Link.id < ?' : 'Link.id > ?', id)
  const asked: Listed = { ...listed, sort: isOlder ? 'newest' : 'oldest', also: [...(listed.also ?? []), from] }
  const links = await pageOfLinks(call, asked, 0, size)
  return linkViews(call, after ? links : links.reverse())
}

/** How many links there are: of more than 10,000 that match filters an estimate. */
export async function count(call: ForeignCall) {
  if (call.query.get('groupBy')) throw invalidField('groupBy', say('api.request.notHere'))
  const listed = await filtersOf(call)
  return listed ? (await countedPage(call, listed, 0, async () => [])).total : 0
}

import type { Link } from '@/lib/db/generated/client'
import { sqlTime } from '@/lib/db/time'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { findLabels } from '@/lib/labels/labels'
import { createLink } from '@/lib/links/create'
import { deleteLink } from '@/lib/links/delete'
import { findManaged, type LinkAddress } from '@/lib/links/find'
import { condition } from '@/lib/links/order'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { linkTo } from '@/lib/links/twin'
import { updateLink } from '@/lib/links/update'
import { hostOf } from '@/lib/links/view'
import type { RoutingFields } from '@/lib/routing/routing'
import { hasOthers, ourRules, TheirRules, theirRules } from '@/lib/routing/shlink-rules'
import { timeIn } from '@/lib/tools/php-times'
import { validate } from '@/lib/tools/validate'
import type { ForeignCall } from '../dialect'
import type { Fields } from '../fields'
import { type FiledLink, filed, filedOne } from '../links'
import { countedPage, type Listed, pageOfLinks, withLabels } from '../pages'
import { listIn, paginationOf, pagingOf } from './paging'
import { shortUrlsOf } from './view'

/** Short URLs of one page. */
const MOST = 500
/** What the link passes on of a visitor’s query: there, all of it. */
const FORWARD = 'override'

/** The host of a domain as it was named: nothing, an empty text and `DEFAULT` mean the default one. */
export const hostNamed = (name: unknown): string | undefined =>
  typeof name === 'string' && name !== '' && name !== 'DEFAULT' ? name : undefined

/** Names the link that a call is about. */
export const addressOf = ({ params, query }: ForeignCall): LinkAddress => ({
  code: params.code ?? '',
  domain: hostNamed(query.get('domain')),
})

export const findAsked = (call: ForeignCall, access: 'read' | 'write'): Promise<Link> =>
  findManaged(call.ctx, call.actor, addressOf(call), access)

async function viewOf(call: ForeignCall, link: FiledLink) {
  const [view] = await shortUrlsOf(call, [link])
  return view
}

/** What was sent by our names. What somebody left out stays out, and null empties a field. */
function fieldsIn(fields: Fields) {
  const has = (name: string) => fields[name] !== undefined
  return {
    ...(has('longUrl') && { url: fields.longUrl }),
    ...(has('title') && { title: typeof fields.title === 'string' ? fields.title.slice(0, 255) : '' }),
    ...(has('tags') && { tags: fields.tags }),
    ...(has('validSince') && { startsAt: timeIn(fields.validSince) }),
    ...(has('validUntil') && { expiresAt: timeIn(fields.validUntil) }),
    ...(has('maxVisits') && { maxClicks: fields.maxVisits }),
  }
}

export async function create(call: ForeignCall) {
  return viewOf(call, await created(call, call.fields))
}

/** By GET, with all that there is in the query. */
export async function createAtOnce(call: ForeignCall) {
  const link = await created(call, { longUrl: call.query.get('longUrl') ?? '' })
  const view = await viewOf(call, link)
  const isText = call.query.get('format') === 'txt' || /^text\/plain/.test(call.request.headers.get('accept') ?? '')
  if (!isText) return view
  return new Response(view?.shortUrl ?? '', {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}

async function created(call: ForeignCall, fields: Fields): Promise<FiledLink> {
  const { ctx, actor } = call
  const [slug, prefix] = [fields.customSlug, fields.pathPrefix].map((value) =>
    typeof value === 'string' && value ? value : undefined,
  )
  const domain = hostNamed(fields.domain)
  const forwards = fields.forwardQuery !== false
  const input = validate(CreateLink, {
    url: '',
    ...fieldsIn(fields),
    ...(slug !== undefined && { code: `${prefix ?? ''}${slug}` }),
    ...(domain !== undefined && { domain }),
    ...(forwards && { routing: { query: FORWARD } }),
  })
  if (slug === undefined && prefix !== undefined) {
    throw new TerseError('validation_failed', say('api.link.prefix'), {
      errors: [{ path: 'pathPrefix', message: say('api.link.prefix') }],
    })
  }
  const found = fields.findIfExists === true ? await existing(call, input) : null
  return found ?? filedOne(call, (await createLink(ctx, actor, input)).link)
}

type Created = ReturnType<typeof validate<typeof CreateLink>>

/** The link with this slug, or else the newest one to this destination, if it is as the new one would be. */
async function existing(call: ForeignCall, input: Created): Promise<FiledLink | null> {
  const { ctx, actor } = call
  const { code, domain, url } = input
  const link =
    code === undefined ? await linkTo(ctx, actor, url) : await orNone(() => findManaged(ctx, actor, { code, domain }, 'read'))
  if (!link || link.url !== url || link.ownerId !== actor.ownerId) return null
  if (hostOf(link.fullShortUrl) !== (ctx.domains.find(domain ?? ctx.domains.defaultHost)?.host ?? domain)) return null
  const one = await filedOne(call, link)
  const time = (at: Date | null | undefined) => at?.getTime() ?? null
  const isSame =
    (input.title === undefined || input.title === link.title) &&
    (input.startsAt === undefined || time(input.startsAt) === time(link.startsAt)) &&
    (input.expiresAt === undefined || time(input.expiresAt) === time(link.expiresAt)) &&
    (input.maxClicks === undefined || input.maxClicks === link.maxClicks) &&
    (input.tags === undefined || [...input.tags].sort().join() === [...one.filing.tags].sort().join())
  return isSame ? one : null
}

async function orNone<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await find()
  } catch (error) {
    if (isTerseError(error) && (error.code === 'not_found' || error.code === 'gone')) return null
    throw error
  }
}

const ORDERS: Readonly<Record<string, Listed['sort']>> = {
  ...{ 'dateCreated-ASC': 'oldest', 'dateCreated-DESC': 'newest', 'visits-DESC': 'clicks', 'nonBotVisits-DESC': 'clicks' },
  ...{ 'visits-ASC': 'fewest', 'nonBotVisits-ASC': 'fewest' },
}
/** Orders that no index has: as many links are sorted by them as are read for one answer. */
const SORTED = 1_000
const TEXT_ORDERS = { shortCode: 'code', longUrl: 'url', title: 'title' } as const

export async function list(call: ForeignCall) {
  const { query } = call
  const paging = pagingOf(query, MOST, 10)
  const order = query.get('orderBy') ?? 'dateCreated-DESC'
  const listed = await filtersOf(call, ORDERS[order] ?? 'newest')
  const { total, links } = listed
    ? await countedPage(call, listed, paging.skip, () => sorted(call, listed, order, paging.skip, paging.size))
    : { total: 0, links: [] }
  const data = await shortUrlsOf(call, await filed(call, links))
  return { shortUrls: { data, pagination: paginationOf(paging, total, data.length) } }
}

async function sorted(call: ForeignCall, listed: Listed, order: string, skip: number, size: number): Promise<Link[]> {
  const [field = '', direction] = order.split('-')
  const isFiltered =
    listed.q !== undefined || listed.tag !== undefined || listed.from || listed.to || listed.domainId || listed.also?.length
  const isText = Object.hasOwn(TEXT_ORDERS, field)
  if (!isText && !(listed.sort === 'fewest' && isFiltered)) return pageOfLinks(call, listed, skip, size)
  const all = await pageOfLinks(call, { ...listed, sort: 'newest' }, 0, SORTED + 1)
  if (all.length > SORTED) throw new TerseError('bad_request', say('api.request.tooManySorted', { most: SORTED }))
  const column = TEXT_ORDERS[field as keyof typeof TEXT_ORDERS]
  const compare = isText
    ? (a: Link, b: Link) => a[column].localeCompare(b[column], 'en')
    : (a: Link, b: Link) => Number(a.clicks - b.clicks)
  const ordered = all.sort(direction === 'DESC' ? (a, b) => compare(b, a) : compare)
  return ordered.slice(skip, skip + size)
}

/** Which links are listed; null: there can be none. */
async function filtersOf(call: ForeignCall, sort: Listed['sort']): Promise<Listed | null> {
  const { ctx, account, query } = call
  const [tags, excluded] = [listIn(query, 'tags').slice(0, 50), listIn(query, 'excludeTags').slice(0, 50)]
  const wanted = [...tags, ...excluded].map((name) => ({ kind: 'tag', name }) as const)
  const known = wanted.length > 0 ? await findLabels(ctx, account.id, wanted) : null
  const idsOf = (names: readonly string[]) => names.map((name) => known?.id({ kind: 'tag', name }))
  const also = []
  const ids = idsOf(tags)
  const given = ids.filter((id) => id !== undefined)
  const isAll = query.get('tagsMode') === 'all'
  if (tags.length > 0 && (isAll ? given.length < ids.length : given.length === 0)) return null
  const [tag] = tags
  const isOne = tags.length === 1
  if (isAll && !isOne) also.push(...given.map((id) => withLabels([id], true)))
  else if (!isOne && tags.length > 0) also.push(withLabels(given, true))
  const without = idsOf(excluded).filter((id) => id !== undefined)
  if (query.get('excludeTagsMode') === 'all' && without.length > 1) {
    // Not those that have all of them.
    if (without.length === excluded.length) {
      const each = without.map((id) => withLabels([id], false))
      also.push(condition(each.map(({ sql }) => sql).join(' OR '), ...each.flatMap(({ values }) => values)))
    }
  } else if (without.length > 0) also.push(withLabels(without, false))
  if (query.get('excludeMaxVisitsReached') === 'true') also.push(condition('maxClicks IS NULL OR taken < maxClicks'))
  if (query.get('excludePastValidUntil') === 'true')
    also.push(condition('expiresAt IS NULL OR expiresAt > ?', sqlTime(Date.now())))
  const domain = query.get('domain')
  const domainId = domain ? ctx.domains.find(hostNamed(domain) ?? ctx.domains.defaultHost)?.id : undefined
  if (domain && domainId === undefined) return null
  const time = (name: string) => {
    const text = query.get(name)
    return text ? String(timeIn(text)) : undefined
  }
  return {
    ...{ sort, q: query.get('searchTerm')?.trim().slice(0, 200) || undefined, tag: isOne ? tag : undefined },
    ...{ from: time('startDate'), to: time('endDate'), domainId, ...(also.length > 0 && { also }) },
  }
}

export async function read(call: ForeignCall) {
  return viewOf(call, await filedOne(call, await findAsked(call, 'read')))
}

export async function edit(call: ForeignCall) {
  const { ctx, actor, fields } = call
  const link = await findAsked(call, 'write')
  const before = routingOf(link)
  const { forwardQuery } = fields
  const isForwarding = before.query !== undefined
  const changed = {
    ...fieldsIn(fields),
    ...(typeof forwardQuery === 'boolean' && forwardQuery !== isForwarding && { routing: withQuery(before, forwardQuery) }),
  }
  if (Object.keys(changed).length === 0) return viewOf(call, await filedOne(call, link))
  return viewOf(call, await filedOne(call, await updateLink(ctx, actor, addressOf(call), validate(UpdateLink, changed))))
}

export async function remove({ ctx, actor, ...call }: ForeignCall): Promise<Response> {
  await deleteLink(ctx, actor, addressOf({ ctx, actor, ...call }))
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
}

const routingOf = ({ routing }: Link): RoutingFields => (routing === null ? {} : JSON.parse(routing))
const orNull = (routing: RoutingFields) => (Object.keys(routing).length === 0 ? null : routing)

function withQuery({ query: _, ...routing }: RoutingFields, forwards: boolean) {
  return orNull({ ...routing, ...(forwards && { query: FORWARD }) })
}

export async function readRules(call: ForeignCall) {
  const link = await findAsked(call, 'read')
  return { defaultLongUrl: link.url, redirectRules: theirRules(routingOf(link)) }
}

/** Replaces all rules. */
export async function setRules(call: ForeignCall) {
  const { ctx, actor } = call
  const link = await findAsked(call, 'write')
  const before = routingOf(link)
  if (hasOthers(before)) throw new TerseError('conflict', say('api.link.otherRules'))
  const rules = ourRules(validate(TheirRules, call.fields))
  const { rules: _, ...rest } = before
  const input = validate(UpdateLink, { routing: orNull({ ...rest, ...(rules.length > 0 && { rules }) }) })
  const changed = await updateLink(ctx, actor, addressOf(call), input)
  return { defaultLongUrl: changed.url, redirectRules: theirRules(routingOf(changed)) }
}

import type { Account } from '@/lib/actor'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { findLabels, listLabels } from '@/lib/labels/labels'
import type { ForeignCall } from '../dialect'
import { numberOf } from '../fields'
import { filed } from '../links'
import { countedPage, type Listed, pageOfLinks, withLabels } from '../pages'
import { addressOf, bitlinkView, groupOf, idOf, organizationOf, timeText } from './view'

/** Links of one page. */
const MOST = 100
/** What links can’t be picked by here. `both` asks for all of them. */
const NOT_HERE = [
  ...['campaign_guid', 'channel_guid', 'custom_bitlink', 'deeplinks', 'domain_deeplinks', 'encoding_login', 'is_expired'],
  ...['modified_after', 'modified_before', 'launchpad_id'],
]

/** What is kept of the account. */
async function rowOf({ ctx, account: { id } }: ForeignCall) {
  const select = { createdAt: true, updatedAt: true, emailVerified: true } as const
  const { createdAt, updatedAt, emailVerified } = await ctx.db.read((client) =>
    client.user.findUniqueOrThrow({ where: { id }, select }),
  )
  return { times: { created: timeText(createdAt), modified: timeText(updatedAt) }, emailVerified }
}

export async function user(call: ForeignCall) {
  const { account } = call
  const { times, emailVerified } = await rowOf(call)
  return {
    ...{ login: account.handle, name: account.name, is_active: true, ...times, is_sso_user: false },
    emails: [{ email: account.email, is_primary: true, is_verified: emailVerified }],
    default_group_guid: groupOf(account),
  }
}

const bsdsOf = ({ ctx: { domains } }: ForeignCall) => domains.hosts.filter((host) => host !== domains.defaultHost)

/** Whatever a group is called: an account has one, and scripts may name that of their former account. */
export async function group(call: ForeignCall) {
  const { ctx, account } = call
  const [guid, organization] = [groupOf(account), organizationOf(account)]
  const { times } = await rowOf(call)
  return {
    ...{ guid, organization_guid: organization, name: account.name, ...times, is_active: true },
    ...{ bsds: bsdsOf(call), role: 'org-admin' },
    references: { organization: addressOf(ctx, `/organizations/${organization}`) },
  }
}

export const groups = async (call: ForeignCall) => ({ groups: [await group(call)] })

export async function organization(call: ForeignCall) {
  const { ctx, account } = call
  const guid = organizationOf(account)
  const { times } = await rowOf(call)
  return {
    ...{ guid, name: account.name, ...times, is_active: true, bsds: bsdsOf(call), role: 'org-admin' },
    ...{ tier: 'enterprise', tier_family: 'enterprise', tier_display_name: 'Enterprise' },
    references: { groups: addressOf(ctx, `/groups?organization_guid=${guid}`) },
  }
}
export const organizations = async (call: ForeignCall) => ({ organizations: [await organization(call)] })

export const bsds = async (call: ForeignCall) => ({ bsds: bsdsOf(call) })

export const tags = async ({ ctx, account }: ForeignCall) => ({
  tags: (await listLabels(ctx, account.id)).tags.map(({ name }) => name),
})

/** Times of queries are seconds since 1970. @throws TerseError 'validation_failed' */
function secondsIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (!text) return undefined
  const at = new Date(/^\d{1,11}$/.test(text) ? Number(text) * 1000 : text)
  if (Number.isNaN(at.getTime())) throw invalidField(name, say('api.request.time'))
  return at.toISOString()
}

const ARCHIVED = { on: 'true', off: 'false', both: 'any' } as const

/** Which links are listed; null: there can be none. @throws TerseError 'validation_failed' */
async function filtersOf({ ctx, account, query }: ForeignCall): Promise<Listed | null> {
  for (const name of NOT_HERE) {
    if (query.get(name) && query.get(name) !== 'both') throw invalidField(name, say('api.request.notHere'))
  }
  const archived = query.get('archived') || 'off'
  if (!Object.hasOwn(ARCHIVED, archived)) throw invalidField('archived', say('api.request.oneOf', { values: 'on, off, both' }))
  const names = [...query.getAll('tags'), ...query.getAll('tags[]')].filter((name) => name !== '').slice(0, 50)
  const wanted = names.map((name) => ({ kind: 'tag', name }) as const)
  const known = wanted.length > 1 ? await findLabels(ctx, account.id, wanted) : null
  const ids = wanted.flatMap((one) => known?.id(one) ?? [])
  if (known && ids.length === 0) return null
  return {
    ...{ sort: 'newest', q: query.get('query')?.trim().slice(0, 200) || undefined },
    ...{ tag: names.length === 1 ? names[0] : undefined, archived: ARCHIVED[archived as keyof typeof ARCHIVED] },
    ...{ from: secondsIn(query, 'created_after'), to: secondsIn(query, 'created_before') },
    ...(known && { also: [withLabels(ids, true)] }),
  }
}

/**
 * A page of links by its number, or by what the page before it told (`search_after`): that is how many links come before, as
 * pages that follow each other go on where the last one ended.
 */
export async function bitlinks(call: ForeignCall) {
  const { ctx, account, query } = call
  const size = numberOf(query.get('size'), 1, MOST, 50)
  const asked = numberOf(query.get('page'), 1, Math.floor(Number.MAX_SAFE_INTEGER / MOST), 1)
  const skip = query.get('search_after')
    ? numberOf(query.get('search_after'), 0, Number.MAX_SAFE_INTEGER - MOST, 0)
    : (asked - 1) * size
  const page = Math.floor(skip / size) + 1
  const listed = await filtersOf(call)
  const found = listed && (await countedPage(call, listed, skip, () => pageOfLinks(call, listed, skip, size)))
  const { links, total } = found ?? { links: [], total: 0 }
  const to = (number: number, after: string) => pageAddress(ctx, account, query, { number, after })
  const isLast = links.length < size || skip + size >= total
  return {
    links: (await filed(call, links)).map((link) => bitlinkView(call, link)),
    pagination: {
      ...{ prev: page > 1 ? to(page - 1, '') : '', next: isLast ? '' : to(page + 1, String(skip + size)) },
      ...{ size, page, total, search_after: isLast ? '' : String(skip + size) },
    },
  }
}

/** The address of another page, with all that this one was asked with. */
function pageAddress(
  ctx: ForeignCall['ctx'],
  account: Account,
  query: URLSearchParams,
  { number, after }: { number: number; after: string },
): string {
  const next = new URLSearchParams(query)
  next.set('page', String(number))
  next.delete('search_after')
  if (after !== '') next.set('search_after', after)
  return addressOf(ctx, `/groups/${groupOf(account)}/bitlinks?${next}`)
}

/** The links with the most clicks that were ever counted. */
export async function sortedBitlinks(call: ForeignCall) {
  const size = numberOf(call.query.get('size'), 1, MOST, 50)
  const links = await filed(call, await pageOfLinks(call, { sort: 'clicks' }, 0, size))
  return {
    links: links.map((link) => bitlinkView(call, link)),
    sorted_links: links.map((link) => ({ id: idOf(link), clicks: Number(link.clicks) })),
  }
}

import type { Link } from '@/lib/db/generated/client'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { findManaged } from '@/lib/links/find'
import { createOrReuse } from '@/lib/links/reuse'
import { CreateLink } from '@/lib/links/schemas'
import { linkTo } from '@/lib/links/twin'
import { shortUrlOf } from '@/lib/links/view'
import { accountTotals } from '@/lib/overview/totals'
import { validate } from '@/lib/tools/validate'
import type { ForeignCall } from '../dialect'
import { numberOf, withScheme } from '../fields'
import { addressTyped, clicksOf } from '../links'
import { pageOfLinks } from '../pages'
import type { Output } from './output'
import { parameter } from './parameters'

/** `Y-m-d H:i:s`, in UTC. */
const timeOf = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ')

/** Who created a link is kept by its account and never by an address. */
const NO_ADDRESS = ''
const OK = { message: 'success', statusCode: '200' }
const NEEDS_FIELDS = 'Need either XML or JSON format for stats'

/**
 * Shortens a URL. Without a keyword, a destination that the account has a link to already is refused together with that link, as
 * YOURLS does unless it is told otherwise.
 */
export async function shorten(call: ForeignCall): Promise<Output> {
  const { ctx, actor } = call
  const keyword = parameter(call, 'keyword')?.trim()
  const title = parameter(call, 'title')?.trim().slice(0, 255)
  const typed = withScheme(parameter(call, 'url')?.trim() ?? '')
  try {
    const fields = { url: typed, ...(keyword && { code: keyword }), ...(title ? { title } : { reuse: !keyword }) }
    const input = validate(CreateLink, fields)
    const twin = keyword ? null : await linkTo(ctx, actor, input.url)
    if (twin) return stored(call, twin)
    const created = await createOrReuse(ctx, actor, input)
    if (!('id' in created.link)) throw new TerseError('internal', say('api.internal'))
    const { link } = created
    if (!created.isNew) return stored(call, link)
    const shorturl = shortUrlOf(ctx, link)
    return {
      ...{ status: 'success', code: '', errorCode: '', statusCode: '200' },
      url: { keyword: link.code, url: link.url, title: titleOf(link), date: timeOf(link.createdAt), ip: NO_ADDRESS },
      message: `${link.url} added to database`,
      title: titleOf(link),
      shorturl,
      simple: shorturl,
    }
  } catch (error) {
    if (!isTerseError(error)) throw error
    if (error.code === 'conflict' && keyword) {
      return failed('error:keyword', `Short URL ${keyword} already exists in database or is reserved`)
    }
    throw error
  }
}

/** The account has such a link already. */
function stored({ ctx }: ForeignCall, link: Link): Output {
  const shorturl = shortUrlOf(ctx, link)
  const { keyword, url, title, timestamp: date, ip, clicks } = { ...rowOf(link), keyword: link.code }
  return {
    ...failed('error:url', `${link.url} already exists in database (short URL: ${shorturl.replace(/^https?:\/\//, '')})`),
    url: { keyword, url, title, date, ip, clicks },
    title,
    shorturl,
    simple: shorturl,
  }
}

export const failed = (code: string, message: string): Output => ({
  ...{ status: 'fail', code, message, errorCode: '400', statusCode: '400', simple: '' },
})

const titleOf = ({ title, url }: Link) => title || url

const rowOf = (link: Link) => ({
  url: link.url,
  title: titleOf(link),
  timestamp: timeOf(link.createdAt),
  ip: NO_ADDRESS,
  clicks: clicksOf(link),
})

/** The link of the short URL or keyword that was sent; null if the account has none. */
async function asked(call: ForeignCall): Promise<{ keyword: string; link: Link | null }> {
  const typed = parameter(call, 'shorturl') ?? ''
  const address = addressTyped(call.ctx, typed)
  try {
    return { keyword: address?.code ?? typed, link: address && (await findManaged(call.ctx, call.actor, address, 'read')) }
  } catch (error) {
    if (isTerseError(error) && (error.code === 'not_found' || error.code === 'gone')) return { keyword: typed, link: null }
    throw error
  }
}

export async function expand(call: ForeignCall): Promise<Output> {
  const { keyword, link } = await asked(call)
  if (!link) return { keyword, simple: 'not found', message: 'Error: short URL not found', errorCode: '404' }
  const { url: longurl, code } = link
  return { keyword: code, shorturl: shortUrlOf(call.ctx, link), longurl, title: titleOf(link), ...OK, simple: longurl }
}

export async function linkStats(call: ForeignCall): Promise<Output> {
  const { link } = await asked(call)
  if (!link) return { statusCode: '404', message: 'Error: short URL not found', simple: NEEDS_FIELDS }
  return { ...OK, link: { shorturl: shortUrlOf(call.ctx, link), ...rowOf(link) }, simple: NEEDS_FIELDS }
}

/** Links that one answer lists, and among how many of the newest random ones are drawn. */
const MOST_LISTED = 500

/** `top`, `last`, `bottom` (those with the fewest clicks) or `rand`. */
export async function stats(call: ForeignCall): Promise<Output> {
  const limit = numberOf(parameter(call, 'limit') || '10', 0, MOST_LISTED, 0)
  const start = numberOf(parameter(call, 'start'), 0, Number.MAX_SAFE_INTEGER, 0)
  const [links, totals] = await Promise.all([listed(call, limit, start), databaseStats(call)])
  const rows = links.map((link, i) => [`link_${i + 1}`, { shorturl: shortUrlOf(call.ctx, link), ...rowOf(link) }])
  return {
    ...(rows.length > 0 && { links: Object.fromEntries(rows) }),
    ...{ stats: totals['db-stats'], ...OK, simple: NEEDS_FIELDS },
  }
}

async function listed(call: ForeignCall, limit: number, start: number): Promise<Link[]> {
  if (limit === 0) return []
  const page = (sort: 'newest' | 'clicks' | 'fewest', skip: number, size: number) => pageOfLinks(call, { sort }, skip, size)
  switch (parameter(call, 'filter')) {
    case 'last':
      return page('newest', start, limit)
    case 'bottom':
      return page('fewest', start, limit)
    case 'rand':
    case 'random':
      return shuffled(await page('newest', 0, MOST_LISTED)).slice(0, limit)
    default:
      return page('clicks', start, limit)
  }
}

/** In an order that nothing depends on. */
const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)

/** The numbers of the account. */
export async function databaseStats({ ctx, account }: ForeignCall): Promise<Output> {
  const { links, clicks } = await accountTotals(ctx.db, account.id)
  return { 'db-stats': { total_links: links, total_clicks: clicks }, ...OK, simple: NEEDS_FIELDS }
}

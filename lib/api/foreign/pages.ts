import type { Link } from '@/lib/db/generated/client'
import { leastClicked, listAt, type OffsetList, totalOf } from '@/lib/links/offset'
import { type Condition, condition } from '@/lib/links/order'
import { ListLinks } from '@/lib/links/schemas'
import { validate } from '@/lib/tools/validate'
import type { ForeignCall } from './dialect'

/** Which links of the account are listed. */
export interface Listed {
  sort: ListLinks['sort'] | 'fewest'
  q?: string | undefined
  tag?: string | undefined
  folder?: string | undefined
  /** Left out: archived links too, since others know no archive, and their totals are then exact. */
  archived?: 'true' | 'false' | 'any' | undefined
  from?: string | undefined
  to?: string | undefined
  domainId?: number | undefined
  also?: readonly Condition[]
}

/** @throws TerseError 'validation_failed' */
function listOf({ account }: ForeignCall, { sort, domainId, also, archived = 'any', ...filters }: Listed): OffsetList {
  const shown = archived === 'false' ? {} : { archived }
  const query = validate(ListLinks, { ...filters, ...shown, sort: sort === 'fewest' ? 'newest' : sort, limit: 100 })
  return {
    scope: { ownerId: account.id, isOwn: true, ...(domainId !== undefined && { domainId }), ...(also && { also }) },
    query,
  }
}

/**
 * A part of the list of the account’s links.
 * @param skip how many come before it
 * @throws TerseError 'bad_request' for a part that is too far in, 'validation_failed', 'unavailable'
 */
export async function pageOfLinks(call: ForeignCall, listed: Listed, skip: number, size: number): Promise<Link[]> {
  if (listed.sort === 'fewest') return leastClicked(call.ctx, call.account.id, skip, size)
  return listAt(call.ctx, listOf(call, listed), skip, size)
}

/** Says of an answer that its total is an estimate, for which none of these APIs has a word. */
export const ESTIMATED = ['Terse-Total', 'estimated'] as const

/**
 * The same, with how many links the list holds: of more than 10,000 an estimate, which a header says. Behind its end nothing is
 * looked for.
 * @param read reads the part
 */
export async function countedPage(
  call: ForeignCall,
  listed: Listed,
  skip: number,
  read: () => Promise<Link[]>,
): Promise<{ links: Link[]; total: number }> {
  const { count: total, isEstimated } = await totalOf(call.ctx, listOf(call, listed))
  if (isEstimated) call.headers.set(...ESTIMATED)
  return { total, links: skip < total ? await read() : [] }
}

/** Links with one of these labels, or without all of them. */
export const withLabels = (ids: readonly bigint[], has: boolean): Condition =>
  condition(
    `${has ? '' : 'NOT '}EXISTS (SELECT 1 FROM LinkLabel AS one WHERE one.labelId IN (?) AND one.linkId = Link.id)`,
    ids.length === 0 ? [0n] : ids,
  )

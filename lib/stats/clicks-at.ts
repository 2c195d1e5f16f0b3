import { firstClickIdAt } from '@/lib/clicks/click-id'
import { type ClickKind, kindNumber } from '@/lib/clicks/dimensions'
import { allSingleClicks } from '@/lib/clicks/old-clicks'
import { ALL_FACTS } from '@/lib/clicks/single-clicks'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { type ClickRow, toClickView } from './clicks'
import type { ClickView } from './schemas'

/** Single clicks of one or several links in pages by number, for the APIs of other shorteners. */

/** Clicks that are gone through to a page, of all links together. */
const MOST_SKIPPED = 20_000
/** Clicks are counted so far. */
export const MOST_CLICKS_COUNTED = 10_000

export interface ClicksOfMany {
  linkIds: readonly bigint[]
  /** In ms since 1970. */
  from: number
  to: number
  /** Only this kind. */
  kind?: ClickKind | undefined
}

/** A click, and the link that was clicked. */
export type LinkClick = ClickView & { linkId: string }

function partsOf({ from, to, kind }: ClicksOfMany): { where: string; values: unknown[] } {
  const ofKind = kind === undefined ? '' : ' AND kind = ?'
  const values = [firstClickIdAt(from), firstClickIdAt(to), ...(kind === undefined ? [] : [kindNumber(kind)])]
  return { where: `linkId = ? AND click.id >= ? AND click.id < ?${ofKind}`, values }
}

/**
 * `size` clicks, newest first, behind the first `skip`.
 * @throws TerseError 'bad_request' for a page that is too far in, 'unavailable'
 */
export async function clicksAt(db: DatabaseGateway, selection: ClicksOfMany, skip: number, size: number): Promise<LinkClick[]> {
  const { linkIds } = selection
  if (linkIds.length === 0 || size === 0) return []
  if ((skip + size) * linkIds.length > Math.max(MOST_SKIPPED, size * linkIds.length)) {
    throw new TerseError('bad_request', say('api.request.farPage', { most: Math.floor(MOST_SKIPPED / linkIds.length) }))
  }
  const clicksWith = await allSingleClicks(db)
  const { where, values } = partsOf(selection)
  // Of each link the newest, along its index; together they hold those of the page.
  const one = `(SELECT linkId, click.id AS id FROM ${clicksWith([])} WHERE ${where} ORDER BY click.id DESC LIMIT ${skip + size})`
  const keys = await db.scan<{ linkId: bigint; id: bigint }>(
    `linkId, id FROM (${linkIds.map(() => one).join(' UNION ALL ')}) AS newest ORDER BY id DESC, linkId LIMIT ${size} OFFSET ${skip}`,
    ...linkIds.flatMap((id) => [id, ...values]),
  )
  if (keys.length === 0) return []
  const pairs = keys.map(() => '(linkId = ? AND click.id = ?)').join(' OR ')
  const rows = await db.scan<ClickRow & { linkId: bigint }>(
    `linkId, click.id AS id, kind, ${ALL_FACTS.join(', ')} FROM ${clicksWith(ALL_FACTS)} WHERE ${pairs} ORDER BY click.id DESC, linkId`,
    ...keys.flatMap(({ linkId, id }) => [linkId, id]),
  )
  return rows.map(({ linkId, ...row }) => ({ ...toClickView(row), linkId: linkId.toString() }))
}

/** How many there are, up to 10,001: then there are more. @throws TerseError 'unavailable' */
export async function countClicks(db: DatabaseGateway, selection: ClicksOfMany): Promise<number> {
  const clicksWith = await allSingleClicks(db)
  const { where, values } = partsOf(selection)
  let count = 0
  for (const linkId of selection.linkIds) {
    const [row] = await db.scan<{ clicks: bigint | number }>(
      `COUNT(*) AS clicks FROM (SELECT click.id FROM ${clicksWith([])} WHERE ${where} LIMIT ${MOST_CLICKS_COUNTED + 1 - count}) AS some`,
      ...[linkId, ...values],
    )
    count += Number(row?.clicks ?? 0)
    if (count > MOST_CLICKS_COUNTED) break
  }
  return count
}

/** Hours of clicks of which bots are counted in one answer. */
const MOST_HOURS = 20_000

/**
 * How many clicks of each of these links were by bots and previews. Where there are too many hours of clicks to add up, none are
 * told.
 * @throws TerseError 'unavailable'
 */
export async function botsOf(db: DatabaseGateway, linkIds: readonly bigint[]): Promise<Map<bigint, number>> {
  if (linkIds.length === 0) return new Map()
  const totals = 'ClickRollup WHERE linkId IN (?) AND dimension = 0 AND span = 1'
  const beyond = await db.rows(`SELECT hour FROM ${totals} LIMIT 1 OFFSET ${MOST_HOURS}`, linkIds)
  if (beyond.length > 0) return new Map()
  const rows = await db.rows<{ linkId: bigint; bots: number }>(
    `SELECT linkId, SUM(bots + 0e0 + previews) AS bots FROM ${totals} GROUP BY linkId`,
    linkIds,
  )
  return new Map(rows.map(({ linkId, bots }) => [linkId, Number(bots)]))
}

import { dimensionNumber, TOTAL } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { pieces } from '@/lib/db/pieces'
import { HOUR } from '@/lib/tools/time'
import { type Plan, rollupFilter, selectionOf } from './plan'
import { sum, whereSpans } from './rollup'
import { scanLinks } from './scan'

/** A link and its clicks. */
export interface LinkClicks {
  id: bigint
  clicks: number
}

/** Links whose clicks are added up at a time. */
const WINDOW = 100

/**
 * The links with the most clicks of a plan. None has more of them than clicks of all time: so candidates are looked at from the
 * most clicked of all time down, until the next one has fewer than those already found.
 * @param candidates with their clicks of all time, the most clicked first
 * @returns at most `shown`, the most clicked first, none without clicks; `least`: whatever was clicked less in all of time
 *   cannot be among them
 * @throws TerseError 'unavailable'
 */
export async function topOf(
  db: DatabaseGateway,
  plan: Plan,
  candidates: readonly LinkClicks[],
  shown: number,
): Promise<{ top: LinkClicks[]; least: number }> {
  let top: LinkClicks[] = []
  const least = () => top.at(shown - 1)?.clicks ?? 0
  for (const some of pieces(candidates, WINDOW)) {
    if (top.length === shown && (some[0]?.clicks ?? 0) <= least()) break
    const ids = some.map(({ id }) => id)
    const found = await (plan.fromClicks ? scanLinks(db, scanOf(plan, ids)) : clicksOf(db, plan, ids))
    top = [...top, ...found].sort((a, b) => b.clicks - a.clicks || (a.id < b.id ? 1 : -1)).slice(0, shown)
  }
  return { top, least: least() }
}

const scanOf = (plan: Plan, linkIds: bigint[]) => selectionOf({ ...plan, linkIds }, plan.range.from, plan.range.to, plan.kind)

async function clicksOf(db: DatabaseGateway, plan: Plan, linkIds: bigint[]): Promise<LinkClicks[]> {
  const { range, known, kind } = plan
  const where = whereSpans({ from: range.from / HOUR, to: range.to / HOUR }, known)
  const filter = rollupFilter(plan)
  if (where === '' || filter?.values.length === 0) return []
  // Those of other dimensions are of people alone.
  const counted =
    filter || kind === undefined ? 'clicks' : { person: 'clicks - bots - previews', bot: 'bots', preview: 'previews' }[kind]
  const rows = await db.rows<{ id: bigint; clicks: number }>(
    `SELECT linkId AS id, ${sum(counted)} AS clicks FROM ClickRollup
      WHERE linkId IN (?) AND dimension = ${filter ? dimensionNumber(filter.dimension) : TOTAL} AND (${where})${filter ? ' AND value IN (?)' : ''}
      GROUP BY linkId HAVING clicks > 0`,
    ...[linkIds, ...(filter ? [filter.values] : [])],
  )
  return rows.map(({ id, clicks }) => ({ id, clicks: Number(clicks) }))
}

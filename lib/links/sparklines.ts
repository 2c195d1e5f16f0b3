import type { Actor } from '@/lib/actor'
import { TOTAL } from '@/lib/clicks/dimensions'
import { marks } from '@/lib/db/literal'
import { DAY_HOURS, HOUR } from '@/lib/tools/time'
import { canManage } from './access'
import type { LinkContext } from './context'
import type { Sparklines } from './schemas'

const DAYS = 30

/**
 * Clicks of each of the last 30 days (UTC, today's the last) of some links, by id. Links that the actor may not look at are
 * left out, as are those that there are not.
 * @param ids at most 100
 * @throws TerseError 'unavailable'
 */
export async function getSparklines(
  ctx: Pick<LinkContext, 'db'>,
  actor: Actor,
  ids: readonly string[],
  now = Date.now(),
): Promise<Sparklines> {
  const links = await ctx.db.read((client) =>
    client.link.findMany({
      where: { id: { in: ids.map(BigInt) } },
      select: { id: true, ownerId: true, manageTokenHash: true },
    }),
  )
  const days: Sparklines['days'] = {}
  for (const link of links) if (canManage(actor, link, 'read')) days[link.id.toString()] = new Array<number>(DAYS).fill(0)
  const seen = Object.keys(days)
  if (seen.length === 0) return { days }
  const firstDay = Math.floor(now / HOUR / DAY_HOURS) - DAYS + 1
  const rows = await ctx.db.rows<{ linkId: bigint; hour: number; clicks: bigint }>(
    `SELECT linkId, hour, clicks FROM ClickRollup
      WHERE linkId IN (${marks(seen)}) AND dimension = ${TOTAL} AND span = ${DAY_HOURS} AND hour >= ? AND hour < ?`,
    ...seen.map(BigInt),
    firstDay * DAY_HOURS,
    (firstDay + DAYS) * DAY_HOURS,
  )
  for (const { linkId, hour, clicks } of rows) {
    const line = days[linkId.toString()]
    if (line) line[hour / DAY_HOURS - firstDay] = Number(clicks)
  }
  return { days }
}

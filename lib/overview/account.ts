import { LRUCache } from 'lru-cache'
import { TOTAL } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Domains } from '@/lib/domains/domains'
import { toView } from '@/lib/links/view'
import { DAY, DAY_HOURS } from '@/lib/tools/time'
import type { Overview } from './schemas'

/** How long what was counted is kept, in ms: counting reads all links of an account that have clicks. */
const KEPT = 60_000
const KEPT_ACCOUNTS = 1_000
/** Links in each of the two lists. */
const SHOWN = 5

interface Counted {
  byDay: Overview['clicksByDay']
  top: { linkId: bigint; clicks: number }[]
}

/** The numbers of all links of an account together. */
export class Overviews {
  private readonly kept = new LRUCache<string, Promise<Counted>>({ max: KEPT_ACCOUNTS, ttl: KEPT })

  constructor(
    private readonly db: DatabaseGateway,
    private readonly domains: Domains,
  ) {}

  /**
   * @param days how many days of UTC, today included
   * @throws TerseError 'unavailable'
   */
  async of(userId: string, days: number, now = Date.now()): Promise<Overview> {
    const [counted, [sums], newest] = await Promise.all([
      this.counted(userId, days, now),
      this.db.rows<{ links: bigint; clicks: bigint | string | null }>(
        'SELECT COUNT(*) AS links, SUM(clicks) AS clicks FROM Link WHERE ownerId = ?',
        userId,
      ),
      this.db.read((client) => client.link.findMany({ where: { ownerId: userId }, orderBy: { id: 'desc' }, take: SHOWN })),
    ])
    const ids = counted.top.map(({ linkId }) => linkId)
    const links = await this.db.read((client) => client.link.findMany({ where: { id: { in: ids }, ownerId: userId } }))
    return {
      links: Number(sums?.links ?? 0),
      clicks: Number(sums?.clicks ?? 0),
      clicksByDay: counted.byDay,
      top: counted.top.flatMap(({ linkId, clicks }) => {
        const link = links.find(({ id }) => id === linkId)
        return link ? [{ link: toView(link, this.domains), clicks }] : []
      }),
      newest: newest.map((link) => toView(link, this.domains)),
    }
  }

  private counted(userId: string, days: number, now: number): Promise<Counted> {
    const today = Math.floor(now / DAY)
    const key = `${userId} ${days} ${today}`
    const known = this.kept.get(key)
    if (known) return known
    const counting = this.count(userId, today - days + 1, today)
    this.kept.set(key, counting)
    counting.catch(() => this.kept.delete(key))
    return counting
  }

  /** @param first first and last day, in days since 1970 UTC */
  private async count(userId: string, first: number, last: number): Promise<Counted> {
    // Links first: the other way round every click of everybody would be read.
    const source = `FROM Link AS l STRAIGHT_JOIN ClickRollup AS r
        ON r.linkId = l.id AND r.dimension = ${TOTAL} AND r.span = ${DAY_HOURS} AND r.hour >= ? AND r.hour <= ?
     WHERE l.ownerId = ? AND l.clicks > 0`
    const values = [first * DAY_HOURS, last * DAY_HOURS, userId]
    const [days, top] = await Promise.all([
      this.db.scan<{ hour: number; clicks: number }>(
        `r.hour, SUM(r.clicks + 0e0) AS clicks ${source} GROUP BY r.hour`,
        ...values,
      ),
      this.db.scan<{ linkId: bigint; clicks: number }>(
        `l.id AS linkId, SUM(r.clicks + 0e0) AS clicks ${source} GROUP BY l.id ORDER BY clicks DESC, l.id DESC LIMIT ${SHOWN}`,
        ...values,
      ),
    ])
    const clicksOn = new Map(days.map(({ hour, clicks }) => [hour / DAY_HOURS, Number(clicks)]))
    const byDay = Array.from({ length: last - first + 1 }, (_, index) => {
      const day = first + index
      return { day: new Date(day * DAY).toISOString().slice(0, 10), count: clicksOn.get(day) ?? 0 }
    })
    return { byDay, top: top.map(({ linkId, clicks }) => ({ linkId, clicks: Number(clicks) })) }
  }
}

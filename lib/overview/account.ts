import { LRUCache } from 'lru-cache'
import { TOTAL } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Domains } from '@/lib/domains/domains'
import { toView } from '@/lib/links/view'
import { DAY, DAY_HOURS } from '@/lib/tools/time'
import { type CountedDay, clicksInDays, type DayRange, PEOPLE, PROGRAMS } from './days'
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
  private readonly kept = new LRUCache<string, Counted, { userId: string; range: DayRange }>({
    max: KEPT_ACCOUNTS,
    ttl: KEPT,
    // One that makes room for others before it was counted is answered all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => this.count(context.userId, context.range),
  })

  constructor(
    private readonly db: DatabaseGateway,
    private readonly domains: Domains,
  ) {}

  /**
   * @param days how many days of UTC, today included
   * @throws TerseError 'unavailable'
   */
  async of(userId: string, days: number, now = Date.now()): Promise<Overview> {
    const range = { first: Math.floor(now / DAY) - days + 1, count: days }
    const [counted, [sums], newest] = await Promise.all([
      this.kept.forceFetch(`${userId} ${days} ${range.first}`, { context: { userId, range } }),
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

  private async count(userId: string, range: DayRange): Promise<Counted> {
    // Links first: the other way round every click of everybody would be read.
    const source = `FROM Link AS l STRAIGHT_JOIN ClickRollup AS r
        ON r.linkId = l.id AND r.dimension = ${TOTAL} AND r.span = ${DAY_HOURS} AND r.hour >= ? AND r.hour < ?
     WHERE l.ownerId = ? AND l.clicks > 0`
    const values = [range.first * DAY_HOURS, (range.first + range.count) * DAY_HOURS, userId]
    const [days, top] = await Promise.all([
      this.db.scan<CountedDay>(
        `r.hour, ${PEOPLE} AS clicks, SUM(r.visitors + 0e0) AS visitors, ${PROGRAMS} AS bots ${source} GROUP BY r.hour`,
        ...values,
      ),
      this.db.scan<{ linkId: bigint; clicks: number }>(
        `l.id AS linkId, ${PEOPLE} AS clicks ${source} GROUP BY l.id HAVING clicks > 0 ORDER BY clicks DESC, l.id DESC LIMIT ${SHOWN}`,
        ...values,
      ),
    ])
    return { byDay: clicksInDays(range, days), top: top.map(({ linkId, clicks }) => ({ linkId, clicks: Number(clicks) })) }
  }
}

import { LRUCache } from 'lru-cache'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import type { Domains } from '@/lib/domains/domains'
import { toView } from '@/lib/links/view'
import { DAY, DAY_HOURS } from '@/lib/tools/time'
import { clicksInDays, type DayRange } from './days'
import type { Overview } from './schemas'
import { topLinks } from './top'
import { accountTotals } from './totals'

/** How long the most clicked links are kept, in ms: thousands are looked at. */
const KEPT = 60_000
const KEPT_ACCOUNTS = 1_000
/** Links in each of the two lists. */
const SHOWN = 5

/** Clicks of people, of a day or of all days. */
interface AccountDay {
  day: number
  clicks: number
  visitors: number
  bots: number
}

/** The numbers of all links of an account together. */
export class Overviews {
  private readonly top = new LRUCache<string, { link: Link; clicks: number }[], { userId: string; firstHour: number }>({
    max: KEPT_ACCOUNTS,
    ttl: KEPT,
    // One that makes room for others before it was found is answered all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: { userId, firstHour } }) =>
      topLinks(this.db, firstHour, { ownerId: userId, shown: SHOWN }),
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
    const firstHour = range.first * DAY_HOURS
    const [{ links, clicks }, byDay, top, newest] = await Promise.all([
      accountTotals(this.db, userId),
      this.byDay(userId, range),
      this.top.forceFetch(`${userId} ${firstHour}`, { context: { userId, firstHour } }),
      this.db.read((client) => client.link.findMany({ where: { ownerId: userId }, orderBy: { id: 'desc' }, take: SHOWN })),
    ])
    // What was deleted or handed on in the meantime is not shown any more.
    const ids = top.map(({ link }) => link.id)
    const still = await this.db.read((client) => client.link.findMany({ where: { id: { in: ids }, ownerId: userId } }))
    const current = new Map(still.map((link) => [link.id, link]))
    return {
      links,
      clicks,
      clicksByDay: clicksInDays(
        range,
        byDay.map(({ day, ...counts }) => ({ hour: day * DAY_HOURS, ...counts })),
      ),
      top: top.flatMap(({ link: { id }, clicks }) => {
        const link = current.get(id)
        return link ? [{ link: toView(link, this.domains), clicks }] : []
      }),
      newest: newest.map((link) => toView(link, this.domains)),
    }
  }

  private byDay(userId: string, { first, count }: DayRange): Promise<AccountDay[]> {
    return this.db.rows<AccountDay>(
      `SELECT day, SUM(clicks + 0e0 - bots - previews) AS clicks, SUM(visitors + 0e0) AS visitors, SUM(bots + 0e0 + previews) AS bots
         FROM AccountClick WHERE ownerId = ? AND day >= ? AND day < ? GROUP BY day`,
      ...[userId, first, first + count],
    )
  }
}

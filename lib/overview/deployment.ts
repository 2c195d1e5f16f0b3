import { LRUCache } from 'lru-cache'
import { ALL_LINKS, TOTAL } from '@/lib/clicks/dimensions'
import { countAll, countByDay } from '@/lib/counts/counts'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { firstIdAt } from '@/lib/db/id'
import { sqlTime } from '@/lib/db/time'
import type { Domains } from '@/lib/domains/domains'
import { toView } from '@/lib/links/view'
import { DAY, DAY_HOURS } from '@/lib/tools/time'
import { type CountedDay, clicksInDays, type DayRange, eachDay } from './days'
import type { AdminOverview } from './schemas'
import { topHosts, topLinks } from './top'

/** How long what was counted is kept, in ms: for the hosts and the most clicked links, 11,000 links are looked at. */
const KEPT = 60_000
/** Links in the list of the newest. */
const SHOWN = 10

type DayCounts = AdminOverview['linksByDay']

/** The numbers of the whole deployment. */
export class AdminOverviews {
  private readonly kept = new LRUCache<string, AdminOverview, { days: number; now: number }>({
    max: 10,
    ttl: KEPT,
    fetchMethod: (_key, _stale, { context }) => this.count(context.days, context.now),
  })

  constructor(
    private readonly db: DatabaseGateway,
    private readonly domains: Domains,
  ) {}

  /**
   * Counted once a minute at most, however many ask.
   * @param days how many days of UTC, today included
   * @throws TerseError 'unavailable'
   */
  of(days: number, now = Date.now()): Promise<AdminOverview> {
    return this.kept.forceFetch(`${days} ${Math.floor(now / DAY)}`, { context: { days, now } })
  }

  private async count(days: number, now: number): Promise<AdminOverview> {
    const { db } = this
    const range = { first: Math.floor(now / DAY) - days + 1, count: days }
    const [links, amounts, linksByDay, accounts, reports, clicks, top, hosts, newest] = await Promise.all([
      countAll(db),
      this.amounts(),
      countByDay(db, range.first, range.count),
      this.byDay(range, 'User', null),
      // Reports have no index by time, but ids that grow with it; what was drawn before midnight may be stored after it.
      this.byDay(range, 'Report', firstIdAt((range.first - 1) * DAY)),
      this.clicksByDay(range),
      topLinks(db, range.first * DAY_HOURS),
      topHosts(db),
      db.read((client) => client.link.findMany({ orderBy: { id: 'desc' }, take: SHOWN })),
    ])
    return {
      links,
      ...amounts,
      linksByDay: eachDay(range, (day) => ({ count: linksByDay.get(day) ?? 0 })),
      accountsByDay: accounts,
      reportsByDay: reports,
      clicksByDay: clicks,
      top: top.map(({ link, clicks: count }) => ({ link: toView(link, this.domains), clicks: count })),
      topHosts: hosts,
      newest: newest.map((link) => toView(link, this.domains)),
      at: new Date(now).toISOString(),
    }
  }

  private async amounts(): Promise<Pick<AdminOverview, 'clicks' | 'accounts' | 'openReports'>> {
    const [row] = await this.db.scan<Record<'clicks' | 'accounts' | 'openReports', bigint | number | null>>(
      `(SELECT SUM(clicks + 0e0) FROM ClickRollup WHERE linkId = ${ALL_LINKS} AND dimension = ${TOTAL} AND span = ${DAY_HOURS}) AS clicks,
       (SELECT COUNT(*) FROM User) AS accounts,
       (SELECT COUNT(*) FROM Report WHERE state = 'open') AS openReports`,
    )
    const [clicks, accounts, openReports] = [row?.clicks, row?.accounts, row?.openReports].map(Number)
    return { clicks: clicks || 0, accounts: accounts ?? 0, openReports: openReports ?? 0 }
  }

  /** How many rows of a table were made on each day. @param firstId where ids are numbers, one that all of them are beyond */
  private async byDay(range: DayRange, table: 'User' | 'Report', firstId: bigint | null): Promise<DayCounts> {
    const rows = await this.db.scan<{ day: number | bigint; count: bigint }>(
      `TIMESTAMPDIFF(DAY, '1970-01-01', createdAt) AS day, COUNT(*) AS count FROM ${table}
       WHERE createdAt >= ? AND createdAt < ? ${firstId === null ? '' : `AND id >= ${firstId}`} GROUP BY day`,
      sqlTime(range.first * DAY),
      sqlTime((range.first + range.count) * DAY),
    )
    const counts = new Map(rows.map(({ day, count }) => [Number(day), Number(count)]))
    return eachDay(range, (day) => ({ count: counts.get(day) ?? 0 }))
  }

  private async clicksByDay(range: DayRange): Promise<AdminOverview['clicksByDay']> {
    const rows = await this.db.rows<CountedDay>(
      `SELECT hour, SUM(clicks - bots - previews) AS clicks, SUM(visitors) AS visitors, SUM(bots + previews) AS bots FROM ClickRollup
       WHERE linkId = ${ALL_LINKS} AND dimension = ${TOTAL} AND span = ${DAY_HOURS} AND hour >= ? AND hour < ? GROUP BY hour`,
      range.first * DAY_HOURS,
      (range.first + range.count) * DAY_HOURS,
    )
    return clicksInDays(range, rows)
  }
}

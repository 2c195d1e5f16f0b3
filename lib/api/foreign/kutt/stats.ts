import type { Link } from '@/lib/db/generated/client'
import type { Runtime } from '@/lib/runtime'
import { type Share, type Stats, StatsQuery } from '@/lib/stats/schemas'
import { getStats } from '@/lib/stats/stats'
import { DAY, HOUR } from '@/lib/tools/time'
import { validate } from '@/lib/tools/validate'

/** Values of each breakdown. */
const MOST_VALUES = 100

/** When each period begins, and the interval of its series, which ends with the one that is under way. */
function periods(now: Date): Readonly<Record<string, { from: number; interval: 'hour' | 'day' | 'month'; points: number }>> {
  const hour = Math.floor(now.getTime() / HOUR) * HOUR
  const day = Math.floor(now.getTime() / DAY) * DAY
  return {
    lastDay: { from: hour - 23 * HOUR, interval: 'hour', points: 24 },
    lastWeek: { from: day - 6 * DAY, interval: 'day', points: 7 },
    lastMonth: { from: day - 29 * DAY, interval: 'day', points: 30 },
    lastYear: { from: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11), interval: 'month', points: 12 },
  }
}

/** The clicks of people on a link, as Kutt counts them: its visits by bots are none either. @throws as `getStats` */
export async function statsOf(ctx: Runtime, link: Link, now = new Date()) {
  const entries = Object.entries(periods(now)).map(async ([name, { from, interval, points }]) => {
    const range = { from: new Date(from).toISOString(), to: now.toISOString(), interval, compare: 'none', limit: MOST_VALUES }
    const input = validate(StatsQuery, { ...range, kind: 'person' })
    return [name, periodOf(await getStats(ctx, link, input, ctx.config.CLICK_RETENTION_DAYS, now), points)] as const
  })
  return { ...Object.fromEntries(await Promise.all(entries)), updatedAt: now.toISOString() }
}

function periodOf({ series, totals, breakdown }: Stats, points: number) {
  const views = series.map(({ clicks }) => clicks).slice(-points)
  return {
    stats: {
      browser: named(breakdown.browser),
      os: named(breakdown.os),
      country: named(breakdown.country, (value) => value.toLowerCase() || 'unknown'),
      referrer: named(breakdown.referrer, (value) => value || 'direct'),
    },
    views: [...Array.from({ length: points - views.length }, () => 0), ...views],
    total: totals.clicks,
  }
}

const named = (shares: readonly Share[], nameOf = (value: string) => value || 'Other') =>
  shares.map(({ value, clicks }) => ({ name: nameOf(value), value: clicks }))

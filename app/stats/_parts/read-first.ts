import { DateTime } from 'luxon'
import { cookies } from 'next/headers'
import { clicksQuery, statsQuery } from '@/app/_ui/data/stats-query'
import type { Account } from '@/lib/actor'
import { isTerseError } from '@/lib/errors'
import { findManaged, type LinkAddress } from '@/lib/links/find'
import { toView } from '@/lib/links/view'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { type Runtime, runtime } from '@/lib/runtime'
import { ScopeStatsQuery } from '@/lib/scopes/schemas'
import { getScopeStats } from '@/lib/scopes/stats'
import { listClicks } from '@/lib/stats/clicks'
import { listNotes } from '@/lib/stats/notes'
import { ClicksQuery, StatsQuery } from '@/lib/stats/schemas'
import { getStats } from '@/lib/stats/stats'
import { TimeoutError, withTimeout } from '@/lib/tools/timeout'
import { validate } from '@/lib/tools/validate'
import type { FirstScopeStats, FirstStats } from './first'
import { clicksRequestOf, requestOf } from './request'
import { ZONE_COOKIE } from './times'
import { type Clock, parseView, subjectOf, viewQuery } from './view'

/** So long the page waits for its numbers, in ms; the browser asks for those that are late. */
const PATIENCE = 500

/** The numbers that the page of a link opens with, where they are this account's to see; null: the browser is to ask for them. */
export const readFirst = (account: Account, address: LinkAddress, query: URLSearchParams): Promise<FirstStats | null> =>
  readInTime(account, (ctx, client, timezone) => read(ctx, account, client, address, query, timezone))

/** The same of several links of this account; null also while they are counted for the first time. */
export const readFirstOfScope = (account: Account, query: URLSearchParams): Promise<FirstScopeStats | null> =>
  readInTime(account, async (ctx, _client, timezone) => {
    const view = parseView(query)
    const asked = { ...subjectOf(query), ...statsQuery(requestOf(view, timezone, clockOf(timezone))) }
    const stats = await getScopeStats(ctx, account.id, validate(ScopeStatsQuery, asked))
    return 'counted' in stats ? null : { view: viewQuery(view, subjectOf(query)), stats: stats }
  })

async function readInTime<T>(
  account: Account,
  read: (ctx: Runtime, client: string, timezone: string) => Promise<T>,
): Promise<T | null> {
  const ctx = await runtime()
  const timezone = await knownTimeZone()
  const { address: client } = ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT
  try {
    const reading = ctx.db.asker.run(account.id, async () => {
      await ctx.limits.consume('api', limitKey(client))
      return read(ctx, client, timezone)
    })
    return await withTimeout(reading, PATIENCE, 'The statistics of a page')
  } catch (error) {
    // What is wrong the API says to the browser.
    if (isTerseError(error) || error instanceof TimeoutError) return null
    throw error
  }
}

async function read(
  ctx: Runtime,
  account: Account,
  client: string,
  address: LinkAddress,
  query: URLSearchParams,
  timezone: string,
): Promise<FirstStats> {
  const actor = { account, ownerId: account.id, scope: 'read', manageToken: null } as const
  const link = await findManaged(ctx, { ...actor, origin: { address: client, isJob: false } }, address, 'read')
  const view = parseView(query)
  const clock = clockOf(timezone)
  const [stats, notes, clicks] = await Promise.all([
    getStats(ctx, link, validate(StatsQuery, statsQuery(requestOf(view, timezone, clock))), ctx.config.CLICK_RETENTION_DAYS),
    listNotes(ctx, link.id),
    listClicks(ctx, link, validate(ClicksQuery, clicksQuery(clicksRequestOf(view, null, clock)))),
  ])
  return { view: viewQuery(view, subjectOf(query)), link: toView(link, ctx.domains), stats, notes, clicks }
}

/** The reader's zone, as an earlier page told it; UTC at first. */
async function knownTimeZone(): Promise<string> {
  const told = (await cookies()).get(ZONE_COOKIE)?.value ?? ''
  return StatsQuery.shape.timezone.safeParse(told || undefined).data ?? 'UTC'
}

function clockOf(zone: string): Clock {
  return {
    read(date) {
      const { year, month, day, hour } = DateTime.fromJSDate(date, { zone })
      return [year, month - 1, day, hour]
    },
    at(...parts) {
      // Brings a day 0 or a month -1 to where it is.
      const [year, month, day, hour] = new Date(Date.UTC(...parts)).toISOString().split(/\D/).map(Number)
      return DateTime.fromObject({ year, month, day, hour }, { zone }).toJSDate()
    },
  }
}

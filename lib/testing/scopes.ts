import type { Connection } from 'mariadb'
import { expect, vi } from 'vitest'
import type { Actor } from '@/lib/actor'
import { DIMENSIONS } from '@/lib/clicks/dimensions'
import type { Link } from '@/lib/db/generated/client'
import { pieces } from '@/lib/db/pieces'
import { createLink } from '@/lib/links/create'
import { insertLinks } from '@/lib/links/insert'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { updateLink } from '@/lib/links/update'
import type { Runtime } from '@/lib/runtime'
import { MOST_LINKS } from '@/lib/scopes/members'
import { type ScopeStats, ScopeStatsQuery } from '@/lib/scopes/schemas'
import { getScopeStats } from '@/lib/scopes/stats'
import { type Share, type Stats, StatsQuery } from '@/lib/stats/schemas'
import { getStats } from '@/lib/stats/stats'
import { DAY, MINUTE } from '@/lib/tools/time'
import { keepAccount } from './accounts'
import { keepClicks, type TestClick } from './clicks'
import { freshCode, linkRow } from './links'
import { owner } from './runtime'

/** When tests of statistics over several links ask, and since when. */
export const NOW = Date.UTC(2026, 9, 30, 12, 30)
export const RANGE = { from: new Date(NOW - 15 * DAY).toISOString() }

export const idOf = ({ ownerId }: Actor) => ownerId ?? ''

let seed = 1
/** The same numbers in each run. */
export const random = (below: number) => {
  seed = (seed * 16807) % 2147483647
  return seed % below
}
const oneOf = <const T>(...values: T[]): T => values[random(values.length)] as T

export const someClicks = (count: number, days = 20): TestClick[] =>
  Array.from({ length: count }, () => ({
    at: NOW - random(days * 24 * 60) * MINUTE - MINUTE,
    kind: oneOf('person', 'person', 'person', 'bot', 'preview'),
    visitor: random(5),
    country: oneOf('DE', 'NP', ''),
    city: oneOf('Köln', 'a', 'A', ''),
    referrer: oneOf('t.co', 'x.com', 'news.example', ''),
    utm_source: oneOf('mail', ''),
  })).sort((a, b) => a.at - b.at)

const added = (all: readonly Share[][]): Share[] => {
  const sums = new Map<string, Share>()
  for (const { value, clicks, visitors } of all.flat()) {
    const sum = sums.get(value) ?? { value, clicks: 0, visitors: 0 }
    sums.set(value, { value, clicks: sum.clicks + clicks, visitors: sum.visitors + visitors })
  }
  return [...sums.values()].sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1))
}
const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)

export const partsOf = ({ totals, series, hourOfWeek, breakdown }: Stats) => ({
  totals,
  series,
  hourOfWeek,
  breakdown: Object.fromEntries(Object.entries(breakdown).map(([facet, shares]) => [facet, added([shares])])),
})

/** What tests of statistics over several links do with a process and its database. */
export function scopeTests(ctx: Runtime, connection: Connection) {
  async function someone(): Promise<Actor> {
    const id = `user-${freshCode()}`
    await keepAccount(ctx.db, id)
    return owner(id)
  }

  async function click(link: Pick<Link, 'id'>, clicks: TestClick[]): Promise<void> {
    await keepClicks(connection, link.id, clicks)
    await connection.query('UPDATE Link SET clicks = clicks + ? WHERE id = ?', [clicks.length, link.id])
  }

  const create = async (by: Actor, clicks: number, fields: Record<string, unknown> = {}): Promise<Link> => {
    const { link } = await createLink(ctx, by, CreateLink.parse({ url: 'https://example.com/', code: freshCode(), ...fields }))
    await click(link, someClicks(clicks))
    return link
  }
  const file = (by: Actor, { code }: Link, fields: Record<string, unknown>) =>
    updateLink(ctx, by, { code }, UpdateLink.parse(fields))

  const ask = (by: Actor, query: Record<string, string> = {}, now = NOW) =>
    getScopeStats(ctx, idOf(by), ScopeStatsQuery.parse(query), new Date(now))

  /** Its numbers, once there are some that are as new as this question. */
  async function told(by: Actor, query: Record<string, string> = {}): Promise<ScopeStats> {
    await connection.query("UPDATE ScopeSum SET countedAt = '2000-01-01' WHERE ownerId = ?", [idOf(by)])
    return vi.waitFor(async () => {
      const stats = await ask(by, query)
      if ('counted' in stats || stats.counting) throw new Error('not counted yet')
      return stats
    }, 20_000)
  }

  /** What the links' own statistics add up to. */
  async function sumOf(links: readonly Link[], query: Record<string, string>) {
    const { tag: _tag, folder: _folder, domain: _domain, ...rest } = query
    const asked = StatsQuery.parse(rest)
    const all: Stats[] = []
    for (const some of pieces(links, 4)) {
      all.push(...(await Promise.all(some.map((link) => getStats(ctx, link, asked, 365, new Date(NOW))))))
    }
    const names = ['clicks', 'visitors', 'bots', 'previews'] as const
    return {
      totals: Object.fromEntries(names.map((name) => [name, total(all.map(({ totals }) => totals[name]))])),
      series: all[0]?.series.map(({ at }, i) => ({
        at,
        clicks: total(all.map(({ series }) => series[i]?.clicks ?? 0)),
        visitors: total(all.map(({ series }) => series[i]?.visitors ?? 0)),
      })),
      hourOfWeek: all[0]?.hourOfWeek.map((day, d) => day.map((_, h) => total(all.map((one) => one.hourOfWeek[d]?.[h] ?? 0)))),
      breakdown: Object.fromEntries(
        [...DIMENSIONS, 'source' as const].map((facet) => [facet, added(all.map(({ breakdown }) => breakdown[facet]))]),
      ),
    }
  }
  /** Expects the statistics of a scope to be those of these links. */
  async function expectSums(by: Actor, query: Record<string, string>, links: readonly Link[]): Promise<ScopeStats> {
    const stats = await told(by, query)
    expect(partsOf(stats)).toEqual(await sumOf(links, query))
    return stats
  }

  /** More links than are added up at once, of an account of its own. */
  async function many(count = MOST_LINKS + 1): Promise<{ by: Actor; links: Link[] }> {
    const by = await someone()
    const links = Array.from({ length: count }, () => linkRow({ ownerId: idOf(by), createdAt: new Date(NOW - 30 * DAY) }))
    await insertLinks(ctx.db.client, links)
    for (const link of links) await click(link, someClicks(1 + random(4)))
    return { by, links }
  }

  return { someone, click, create, file, ask, told, sumOf, expectSums, many }
}

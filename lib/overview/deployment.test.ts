import { beforeEach, describe, expect, it } from 'vitest'
import { getAdminOverview } from '@/lib/api/system'
import { applyBatches } from '@/lib/clicks/apply'
import type { Link } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { deleteFound } from '@/lib/links/delete'
import { insertLinks } from '@/lib/links/insert'
import { OURSELVES, type Permitted } from '@/lib/links/permit'
import { Visitor } from '@/lib/testing/accounts'
import { storedBatch, storedClick } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { AdminOverviews } from './deployment'
import { AdminOverview } from './schemas'
import { topHosts, topLinks } from './top'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })

const DAY = 86_400_000
const NOW = Date.UTC(2026, 5, 15, 12)
const daysAgo = (days: number) => new Date(NOW - days * DAY)
const overview = (days = 7) => new AdminOverviews(ctx.db, ctx.domains).of(days, NOW)
const counts = (days: { count: number }[]) => days.map(({ count }) => count)

beforeEach(async () => {
  for (const table of ['Link', 'DeletedLink', 'ClickRollup', 'User', 'Report']) await connection.query(`DELETE FROM ${table}`)
})

async function insert(links: Permitted<Link>[]): Promise<void> {
  for (let at = 0; at < links.length; at += 500) await insertLinks(ctx.db.client, links.slice(at, at + 500))
}

const rollups = (rows: [linkId: bigint, hour: number, clicks: number][]) =>
  connection.batch(
    "INSERT INTO ClickRollup (linkId, dimension, span, hour, value, clicks, visitors, bots, previews) VALUES (?, 0, 24, ?, '', ?, 0, 0, 0)",
    rows,
  )

const report = (days: number, state: string) =>
  connection.query(
    "INSERT INTO Report (id, reference, fullShortUrl, url, reason, details, state, answer, createdAt) VALUES (?, ?, 'a/b', '', 'spam', '', ?, '', ?)",
    [nextId(), String(nextId()).slice(-15), state, daysAgo(days)],
  )

describe('the overview of all', () => {
  it('of a deployment in which nothing happened is all zeros', async () => {
    const empty = await overview()
    expect(AdminOverview.parse(empty)).toMatchObject({ links: 0, clicks: 0, accounts: 0, openReports: 0, top: [], topHosts: [] })
    for (const days of [empty.linksByDay, empty.clicksByDay, empty.accountsByDay, empty.reportsByDay]) {
      expect(counts(days)).toEqual([0, 0, 0, 0, 0, 0, 0])
      expect(days.map(({ day }) => day)).toEqual(
        [9, 10, 11, 12, 13, 14, 15].map((day) => `2026-06-${String(day).padStart(2, '0')}`),
      )
    }
  })

  it('counts links, accounts and reports by the UTC day on which they were made', async () => {
    const atMidnight = new Date(Date.UTC(2026, 5, 9))
    const justBefore = new Date(atMidnight.getTime() - 1)
    const links = [daysAgo(0), daysAgo(0), daysAgo(3), atMidnight, justBefore].map((createdAt) => linkRow({ createdAt }))
    await insert(links)
    for (const [id, createdAt] of [
      ['a', daysAgo(1)],
      ['b', daysAgo(40)],
    ]) {
      await connection.query('INSERT INTO User (id, name, email, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?)', [
        id,
        id,
        `${id}@example.com`,
        createdAt,
        createdAt,
      ])
    }
    await report(2, 'open')
    await report(2, 'acted')
    await report(8, 'open')
    const week = await overview()
    expect(AdminOverview.parse(week)).toMatchObject({ links: 5, accounts: 2, openReports: 2 })
    expect(counts(week.linksByDay)).toEqual([1, 0, 0, 1, 0, 0, 2])
    expect(counts(week.accountsByDay)).toEqual([0, 0, 0, 0, 0, 1, 0])
    expect(counts(week.reportsByDay)).toEqual([0, 0, 0, 0, 2, 0, 0])
    expect(week.newest.map(({ id }) => id)).toEqual(links.map(({ id }) => String(id)).reverse())
    const month = await overview(90)
    expect(month.linksByDay).toHaveLength(90)
    expect(counts(month.accountsByDay).reduce((sum, count) => sum + count)).toBe(2)
  })

  it('counts the clicks that were applied, those on links that were deleted since included', async () => {
    const [kept, gone] = [linkRow(), linkRow()]
    await insert([kept, gone])
    const clicksOf = (link: Link, days: number, count: number) =>
      Array.from({ length: count }, () => storedClick(link.id, { at: daysAgo(days).getTime() }))
    await applyBatches(ctx.db, [
      storedBatch([...clicksOf(kept, 0, 3), ...clicksOf(gone, 0, 4), ...clicksOf(gone, 6, 2), ...clicksOf(kept, 7, 1)]),
    ])
    await deleteFound(ctx, OURSELVES, gone)
    const week = await overview()
    expect([week.clicks, week.links]).toEqual([10, 1])
    expect(counts(week.clicksByDay)).toEqual([2, 0, 0, 0, 0, 0, 7])
    expect(week.top.map(({ link, clicks }) => [link.id, clicks])).toEqual([[String(kept.id), 3]])
  })

  it('is counted once a minute, however many ask at once, and again at once after a failure', async () => {
    const overviews = new AdminOverviews(ctx.db, ctx.domains)
    await connection.query('RENAME TABLE Report TO ReportAway')
    await expect(overviews.of(7, NOW)).rejects.toThrow()
    await connection.query('RENAME TABLE ReportAway TO Report')
    const [one, other] = await Promise.all([overviews.of(7, NOW), overviews.of(7, NOW + 1)])
    expect(one).toBe(other)
    await insert([linkRow()])
    expect((await overviews.of(7, NOW)).links).toBe(0)
    expect((await overviews.of(30, NOW)).links).toBe(1)
  })

  it('is for admins, of 7, 30 or 90 days', async () => {
    const visitor = new Visitor(ctx)
    const { id } = await visitor.signUp()
    const ask = (days: string) => visitor.ask(getAdminOverview, 'GET', `/api/v1/admin/overview?days=${days}`)
    expect((await ask('7')).status).toBe(403)
    await connection.query("UPDATE User SET role = 'admin' WHERE id = ?", [id])
    expect(AdminOverview.parse((await ask('7')).body).accounts).toBe(1)
    expect((await ask('8')).status).toBe(422)
  })
})

describe('the links that were clicked most', () => {
  it('in some time are found, also far behind those that were clicked more before', async () => {
    // The most clicked of all time have rested since; what is clicked now is anywhere among 1,400 links.
    const links = Array.from({ length: 1_400 }, (_, i) => linkRow({ clicks: BigInt(3_000 - i) }))
    await insert(links)
    const recent = links.map((link, i) => ({ link, clicks: (i * 7_919) % 1_500 }))
    await rollups(
      recent.flatMap(
        ({ link, clicks }) =>
          [
            [link.id, 4_800, clicks],
            [link.id, 4_776, 1_500],
          ] as [bigint, number, number][],
      ),
    )
    const expected = recent.toSorted((a, b) => b.clicks - a.clicks).slice(0, 10)
    const found = await topLinks(ctx.db, 4_800)
    expect(found.map(({ link, clicks }) => [link.id, clicks])).toEqual(expected.map(({ link, clicks }) => [link.id, clicks]))
    // Else the test says nothing of how far the search goes.
    expect(Math.max(...expected.map(({ link }) => links.indexOf(link)))).toBeGreaterThan(1_000)
  })

  it('are looked for no further than they can be', async () => {
    const links = Array.from({ length: 600 }, (_, i) => linkRow({ clicks: BigInt(1_000 - i) }))
    await insert(links)
    await rollups(links.slice(0, 10).map(({ id, clicks }) => [id, 4_800, Number(clicks)]))
    // More than all of its clicks: it would come first, if it were looked at.
    await rollups([[links[599]?.id ?? 0n, 4_800, 5_000]])
    expect((await topLinks(ctx.db, 4_800)).map(({ link }) => link.id)).toEqual(links.slice(0, 10).map(({ id }) => id))
  })
})

describe('the hosts that links lead to', () => {
  it('are counted without port, path, query or fragment', async () => {
    const destinations: [string, bigint][] = [
      ['https://example.com/', 1n],
      ['http://example.com:8080/a:80/b', 2n],
      ['https://example.com/?to=https://other.example/', 4n],
      ['https://other.example/#/x', 3n],
      ['http://[2001:db8::1]:3000/', 1n],
      ['http://[2001:db8::1]/', 1n],
      ['https://xn--bcher-kva.example/', 0n],
    ]
    await insert(destinations.map(([to, clicks]) => linkRow({ url: new URL(to).href, clicks })))
    expect(await topHosts(ctx.db)).toEqual([
      { host: 'example.com', links: 3, clicks: 7 },
      { host: 'other.example', links: 1, clicks: 3 },
      { host: '[2001:db8::1]', links: 2, clicks: 2 },
      { host: 'xn--bcher-kva.example', links: 1, clicks: 0 },
    ])
  })
})

import { beforeAll, describe, expect, it, vi } from 'vitest'
import { claimLinks } from '@/lib/accounts/claim'
import { finishRemoval } from '@/lib/accounts/remove'
import { getAllStats, getAllStatsCsv } from '@/lib/api/stats'
import { purgeClicks } from '@/lib/clicks/sweep'
import type { Link } from '@/lib/db/generated/client'
import { deleteLabel, listLabels } from '@/lib/labels/labels'
import { deleteLink } from '@/lib/links/delete'
import { insertLinks } from '@/lib/links/insert'
import { restoreLink } from '@/lib/links/restore'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode, linkRow, SILENT } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { idOf, NOW, partsOf, RANGE, scopeTests, someClicks } from '@/lib/testing/scopes'
import { sha256 } from '@/lib/tools/hash'
import { DAY, HOUR } from '@/lib/tools/time'
import { ScopeCounter } from './counting'
import { MOST_LINKS } from './members'
import { type ScopeStats, ScopeStatsQuery } from './schemas'
import { getScopeStats } from './stats'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const { click, file, ask, told, sumOf, expectSums, many } = scopeTests(ctx, connection)
beforeAll(() => settled(ctx))

describe('statistics of many links', () => {
  it('are counted in the background, and then add up those of the links', async () => {
    const { by, links } = await many()
    await expectSums(by, { ...RANGE, compare: 'none' }, links)
    const hourly = { ...RANGE, timezone: 'Asia/Kolkata', interval: 'hour' }
    const stats = await expectSums(by, hourly, links)
    expect(stats).toMatchObject({ links: links.length, countedAt: expect.any(String), hasBreakdowns: true })
  }, 60_000)

  it('are those of the links with one filter, or of one kind of visitors', async () => {
    const { by, links } = await many()
    expect((await told(by, { ...RANGE, country: 'DE' })).totals).toEqual((await sumOf(links, { ...RANGE, country: 'DE' })).totals)
    expect((await told(by, { ...RANGE, source: 'X' })).totals).toEqual((await sumOf(links, { ...RANGE, source: 'X' })).totals)
    const bots = await told(by, { ...RANGE, kind: 'bot' })
    expect(bots.totals).toEqual((await sumOf(links, { ...RANGE, kind: 'bot' })).totals)
    expect([bots.hasBreakdowns, bots.breakdown.country]).toEqual([false, []])
  }, 60_000)

  it('say how far they are at first, and what they cannot answer', async () => {
    const { by } = await many()
    expect(await ask(by)).toEqual({ counted: expect.any(Number) })
    await told(by)
    const refused: Record<string, string>[] = [
      { country: 'DE', city: 'a' },
      { interval: 'minute', from: new Date(NOW - HOUR).toISOString() },
      { utm_source: '' },
    ]
    for (const query of refused) {
      await expect(ask(by, query)).rejects.toMatchObject({ code: 'validation_failed' })
    }
    expect(await told(by, { from: new Date(NOW - HOUR).toISOString() })).toMatchObject({ interval: 'hour' })
  }, 60_000)

  it('leave out what is deleted, and take in what comes back, with the next count', async () => {
    const { by, links } = await many()
    const before = await expectSums(by, RANGE, links)
    const [gone, ...rest] = links as [Link, ...Link[]]
    await deleteLink(ctx, by, { code: gone.code })
    await expectSums(by, RANGE, rest)
    await restoreLink(ctx, by, { code: gone.code })
    expect(partsOf(await told(by, RANGE))).toEqual(partsOf(before))
  }, 60_000)

  it('take in what is claimed, with the next count', async () => {
    const { by, links } = await many()
    await told(by, RANGE)
    const token = freshCode()
    const anonymous = linkRow({ manageTokenHash: sha256(token), createdAt: new Date(NOW - 30 * DAY) })
    await insertLinks(ctx.db.client, [anonymous])
    await click(anonymous, someClicks(5))
    await claimLinks(ctx, idOf(by), [token])
    await expectSums(by, RANGE, [...links, anonymous])
  }, 60_000)

  it('are exact however many processes count, and wherever one dies', async () => {
    const { by, links } = await many(MOST_LINKS * 3)
    expect(await ask(by)).toEqual({ counted: expect.any(Number) })
    // Each takes the count away from the others after every step, as if these had died. A deadlock is another chance.
    const steal = () =>
      connection.query("UPDATE ScopeSum SET dueAt = '2000-01-01' WHERE ownerId = ? AND dueAt IS NOT NULL", [idOf(by)])
    const stealing = setInterval(() => void steal().catch(() => undefined), 3)
    const others = Array.from({ length: 3 }, () => new ScopeCounter(ctx.db, SILENT))
    try {
      await Promise.all(others.map((one) => one.run()))
    } finally {
      clearInterval(stealing)
    }
    await expectSums(by, { ...RANGE, compare: 'none' }, links)
    await purgeClicks(ctx.db)
    await expectSums(by, { ...RANGE, compare: 'none' }, links)
  }, 60_000)

  it('go once nobody has asked for them for a month', async () => {
    const { by } = await many()
    await told(by)
    await connection.query('UPDATE ScopeSum SET askedAt = askedAt - INTERVAL 31 DAY WHERE ownerId = ?', [idOf(by)])
    const [row] = await connection.query<{ sumId: bigint }[]>('SELECT sumId FROM ScopeSum WHERE ownerId = ?', [idOf(by)])
    await ctx.scopeCounting.run()
    expect(await connection.query('SELECT * FROM ScopeSum WHERE ownerId = ?', [idOf(by)])).toEqual([])
    expect(await connection.query('SELECT linkId FROM ClickPurge WHERE linkId = ?', [row?.sumId])).toHaveLength(1)
    expect(await ask(by)).toEqual({ counted: expect.any(Number) })
  }, 60_000)

  it('are told by the API once there are some', async () => {
    const visitor = new Visitor(ctx)
    const { id } = await visitor.signUp()
    const links = Array.from({ length: MOST_LINKS + 1 }, () => linkRow({ ownerId: id }))
    await insertLinks(ctx.db.client, links)
    for (const link of links) await click(link, [{ at: NOW }])
    const first = await visitor.ask(getAllStatsCsv, 'GET', '/api/v1/stats.csv')
    expect([first.status, first.headers.get('retry-after'), first.body.detail]).toEqual([
      503,
      '2',
      expect.stringContaining('counted'),
    ])
    const answers = await vi.waitFor(async () => {
      const { status, headers, body } = await visitor.ask(getAllStats, 'GET', '/api/v1/stats')
      if (status === 202) expect([headers.get('retry-after'), body]).toEqual(['1', { counted: expect.any(Number) }])
      expect(status).toBe(200)
      return body
    }, 20_000)
    expect(answers).toMatchObject({ totals: { clicks: links.length }, links: links.length, countedAt: expect.any(String) })
    expect(answers.top).toHaveLength(10)
    const csv = await visitor.ask(getAllStatsCsv, 'GET', '/api/v1/stats.csv')
    expect(csv.body).toContain(`"total","",${links.length},`)
    const stranger = new Visitor(ctx)
    await stranger.signUp()
    const none = await stranger.ask(getAllStats, 'GET', '/api/v1/stats?tag=none')
    await file(owner(id), links[0] as Link, { tags: ['theirs'] })
    const theirs = await stranger.ask(getAllStats, 'GET', '/api/v1/stats?tag=theirs')
    expect([theirs.status, { ...theirs.body, requestId: '' }]).toEqual([404, { ...none.body, requestId: '' }])
    expect((await new Visitor(ctx).ask(getAllStats, 'GET', '/api/v1/stats')).status).toBe(401)
  }, 60_000)

  it('of a tag are those of the links that have it, whoever had it before', async () => {
    const { by, links } = await many(5)
    const { links: theirs } = await many(3)
    const [first] = links as [Link]
    await file(by, first, { tags: ['large'] })
    const [label] = (await listLabels(ctx, idOf(by))).tags
    // Among a thousand links that were deleted, and some of another account.
    const others = Array.from({ length: 1_200 }, (_, i) => [BigInt(label?.id ?? 0), BigInt(i + 1)])
    await connection.batch('INSERT INTO LinkLabel (labelId, linkId) VALUES (?, ?)', [
      ...others,
      ...[...links.slice(1), ...theirs].map(({ id }) => [BigInt(label?.id ?? 0), id]),
    ])
    const stats = await expectSums(by, { ...RANGE, tag: 'large' }, links)
    expect(stats).toMatchObject({ links: 5, countedAt: expect.any(String) })
    expect(stats.top.map(({ link }) => link.id).every((id) => links.some((link) => String(link.id) === id))).toBe(true)
    await deleteLabel(ctx, idOf(by), BigInt(label?.id ?? 0))
    await expect(ask(by, { tag: 'large' })).rejects.toMatchObject({ code: 'not_found' })
  }, 60_000)

  it('are never those of a count that was replaced and deleted while they were read', async () => {
    const { by, links } = await many()
    await told(by)
    let isReplaced = false
    const db = new Proxy(ctx.db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'rows') return value.bind(target)
        return async (sql: string, ...values: unknown[]) => {
          if (sql.includes('PARTITION BY dimension') && !isReplaced) {
            isReplaced = true
            await connection.query("UPDATE ScopeSum SET dueAt = '2000-01-01' WHERE ownerId = ?", [idOf(by)])
            await new ScopeCounter(ctx.db, SILENT).run()
            await purgeClicks(ctx.db)
          }
          return target.rows(sql, ...values)
        }
      },
    })
    const query = { ...RANGE, compare: 'none' }
    const stats = await getScopeStats({ ...ctx, db }, idOf(by), ScopeStatsQuery.parse(query), new Date(NOW))
    expect(isReplaced).toBe(true)
    expect(partsOf(stats as ScopeStats)).toEqual(await sumOf(links, query))
  }, 60_000)

  it('replace what was counted before, which then goes, as all does with the account', async () => {
    const { by, links } = await many()
    await told(by)
    const sumId = async () => {
      const [row] = await connection.query<{ sumId: bigint }[]>('SELECT sumId FROM ScopeSum WHERE ownerId = ?', [idOf(by)])
      return row?.sumId
    }
    const rollups = async (id: bigint | undefined) => {
      const [row] = await connection.query<{ n: bigint }[]>('SELECT COUNT(*) AS n FROM ClickRollup WHERE linkId = ?', [id])
      return Number(row?.n)
    }
    const before = await sumId()
    expect(await rollups(before)).toBeGreaterThan(100)
    await told(by)
    const after = await sumId()
    expect(after).not.toBe(before)
    await purgeClicks(ctx.db)
    expect([await rollups(before), (await rollups(after)) > 100]).toEqual([0, true])
    await connection.query("UPDATE User SET removal = 'keep' WHERE id = ?", [idOf(by)])
    await finishRemoval(ctx, idOf(by))
    await purgeClicks(ctx.db)
    expect([await sumId(), await rollups(after)]).toEqual([undefined, 0])
    expect(await rollups(links[0]?.id)).toBeGreaterThan(0)
  }, 60_000)
})

import { beforeAll, describe, expect, it } from 'vitest'
import { getOverview } from '@/lib/api/account'
import { settleStep } from '@/lib/clicks/account-settling'
import { insertLinks } from '@/lib/links/insert'
import { Overviews } from '@/lib/overview/account'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { profileOf } from './profile'
import { banAccount } from './standing'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

const past = new Date(Date.now() - 60_000)
const future = new Date(Date.now() + 60_000)

describe('the public page of an account', () => {
  it('shows what is listed and leads somewhere now, and nothing else', async () => {
    const { id: ownerId, handle } = await new Visitor(ctx).signUp()
    await connection.query('UPDATE User SET publicProfile = TRUE WHERE id = ?', [ownerId])
    const listed = { ownerId, listed: true }
    const shown = linkRow({ ...listed, title: 'Shown' })
    const locked = linkRow({ ...listed, title: 'Locked', url: 'https://example.com/secret', passwordHash: 'x' })
    await insertLinks(ctx.db.client, [
      shown,
      locked,
      linkRow({ ownerId }),
      linkRow({ ...listed, state: 'disabled' }),
      linkRow({ ...listed, state: 'banned' }),
      linkRow({ ...listed, expiresAt: past }),
      linkRow({ ...listed, startsAt: future }),
      linkRow({ ...listed, maxClicks: 3, taken: 3 }),
      linkRow({ listed: true, ownerId: 'someone else' }),
    ])
    const profile = await profileOf(ctx, handle)
    expect(profile).toMatchObject({ handle, name: 'Someone', nextCursor: null })
    expect(profile?.links.map(({ title, url }) => [title, url])).toEqual([
      ['Locked', expect.stringMatching(/^http:\/\/terse\.test\//)],
      ['Shown', shown.url],
    ])
    expect(JSON.stringify(profile)).not.toContain('secret')
  })

  it('is shown page by page, whole and without repeats', async () => {
    const { id: ownerId, handle } = await new Visitor(ctx).signUp()
    await connection.query('UPDATE User SET publicProfile = TRUE WHERE id = ?', [ownerId])
    const rows = Array.from({ length: 120 }, (_, i) => linkRow({ ownerId, listed: true, state: i % 3 ? 'active' : 'disabled' }))
    await insertLinks(ctx.db.client, rows)
    const urls: string[] = []
    for (let cursor: string | undefined, pages = 0; pages < 10; pages++) {
      const page = await profileOf(ctx, handle, cursor)
      urls.push(...(page?.links ?? []).map((link) => link.url))
      if (!page?.nextCursor) break
      cursor = page.nextCursor
    }
    const active = rows.filter(({ state }) => state === 'active').map((link) => link.url)
    expect(urls).toEqual(active.reverse())
    await expect(profileOf(ctx, handle, 'x')).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('is not there without the owner’s wish, for a banned account, and for none', async () => {
    const { id, handle } = await new Visitor(ctx).signUp()
    expect(await profileOf(ctx, handle)).toBeNull()
    await connection.query('UPDATE User SET publicProfile = TRUE WHERE id = ?', [id])
    expect(await profileOf(ctx, handle)).not.toBeNull()
    await banAccount(ctx, id, { reason: '', until: null })
    expect(await profileOf(ctx, handle)).toBeNull()
    expect(await profileOf(ctx, '99999999')).toBeNull()
  })
})

describe('the overview', () => {
  const DAY = 86_400_000
  const today = Math.floor(Date.now() / DAY)
  const rollup = (linkId: bigint, daysAgo: number, clicks: number, dimension = 0, span = 24) =>
    connection.query(
      "INSERT INTO ClickRollup (linkId, dimension, span, hour, value, clicks, visitors, bots, previews) VALUES (?, ?, ?, ?, '', ?, 0, 0, 0)",
      [linkId, dimension, span, (today - daysAgo) * 24, clicks],
    )

  /** As if all of it had been counted by a former release. */
  const takeIn = async () => {
    await connection.query('DELETE FROM AccountClick')
    await connection.query('UPDATE CountedTo SET lastId = -1 WHERE id = 3')
    while (await settleStep(ctx.db));
  }

  it('counts all links of the account, by day, and nobody else’s', async () => {
    const visitor = new Visitor(ctx)
    const { id: ownerId } = await visitor.signUp()
    const links = Array.from({ length: 7 }, (_, i) => linkRow({ ownerId, clicks: BigInt(i * 10) }))
    const other = linkRow({ ownerId: 'someone else', clicks: 1_000n })
    await insertLinks(ctx.db.client, [...links, other])
    for (const { id } of [other, ...links.slice(1)]) {
      await rollup(id, 0, 2)
      await rollup(id, 6, 1)
      await rollup(id, 7, 5)
      // Neither of another dimension nor of an hour.
      await rollup(id, 0, 100, 1)
      await rollup(id, 0, 100, 0, 1)
    }
    await rollup(links[3]?.id ?? 0n, 2, 4)
    await takeIn()
    const ask = async (days: string) => (await visitor.ask(getOverview, 'GET', `/api/v1/account/overview?days=${days}`)).body
    const week = await ask('7')
    expect(week).toMatchObject({ links: 7, clicks: 52 })
    expect(week.clicksByDay.map(({ count }: { count: number }) => count)).toEqual([6, 0, 0, 0, 4, 0, 12])
    expect(week.clicksByDay.at(-1).day).toBe(new Date().toISOString().slice(0, 10))
    expect(week.top).toHaveLength(5)
    expect(week.top[0]).toMatchObject({ clicks: 7, link: { id: links[3]?.id.toString() } })
    expect(week.newest.map((link: { id: string }) => link.id)).toEqual(
      links
        .slice(2)
        .reverse()
        .map(({ id }) => id.toString()),
    )
    expect((await ask('30')).clicksByDay.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(52)
    expect((await visitor.ask(getOverview, 'GET', '/api/v1/account/overview?days=8')).status).toBe(422)
  })

  it('looks for the most clicked links again once they are a minute old, and after an outage at once', async () => {
    const { id: ownerId } = await new Visitor(ctx).signUp()
    const link = linkRow({ ownerId, clicks: 1n })
    await insertLinks(ctx.db.client, [link])
    await rollup(link.id, 0, 1)
    const overviews = new Overviews(ctx.db, ctx.domains)
    const clicksOfTop = async () => (await overviews.of(ownerId, 7)).top[0]?.clicks
    await connection.query('RENAME TABLE ClickRollup TO ClickRollupAway')
    await expect(clicksOfTop()).rejects.toThrow()
    await connection.query('RENAME TABLE ClickRollupAway TO ClickRollup')
    expect(await clicksOfTop()).toBe(1)
    await connection.query('UPDATE ClickRollup SET clicks = 9 WHERE linkId = ?', [link.id])
    expect(await clicksOfTop()).toBe(1)
    await connection.query('UPDATE Link SET clicks = 9 WHERE id = ?', [link.id])
    const again = await new Overviews(ctx.db, ctx.domains).of(ownerId, 7)
    expect(again.top[0]?.clicks).toBe(9)
  })
})

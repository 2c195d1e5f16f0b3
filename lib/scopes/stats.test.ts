import { beforeAll, describe, expect, it } from 'vitest'
import { deleteLink } from '@/lib/links/delete'
import { restoreLink } from '@/lib/links/restore'
import type { TestClick } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { NOW, RANGE, scopeTests, someClicks } from '@/lib/testing/scopes'
import { DAY, HOUR } from '@/lib/tools/time'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const { someone, click, create, file, ask, told, expectSums } = scopeTests(ctx, connection)
beforeAll(() => settled(ctx))

describe('statistics of few links', () => {
  it('add up those of the links with a tag, in a folder, on a domain, or all', async () => {
    const by = await someone()
    const [a, b, c] = [
      await create(by, 60, { tags: ['Spring', 'news'], folder: 'Clients' }),
      await create(by, 40, { tags: ['spring'] }),
      await create(by, 30, { folder: 'Clients', archived: true }),
    ]
    await create(await someone(), 50, { tags: ['Spring'], folder: 'Clients' })
    const other = { ...RANGE, timezone: 'Asia/Kolkata', interval: 'hour' }
    for (const query of [RANGE, other]) {
      expect(await expectSums(by, { ...query, tag: 'SPRING' }, [a, b])).toMatchObject({ links: 2, countedAt: null })
      await expectSums(by, { ...query, tag: 'news' }, [a])
      await expectSums(by, { ...query, folder: 'clients' }, [a, c])
      await expectSums(by, query, [a, b, c])
      await expectSums(by, { ...query, domain: 'terse.test' }, [a, b, c])
    }
  })

  it.each<Record<string, string>>([
    { country: 'DE' },
    { source: 'X' },
    { kind: 'bot' },
    { country: 'DE', city: 'a' },
    { kind: 'preview', country: 'NP' },
    { utm_source: '' },
    { interval: 'minute', from: new Date(NOW - 5 * HOUR).toISOString() },
  ])('do so with %o', async (query) => {
    const by = await someone()
    const links = [await create(by, 80), await create(by, 60), await create(by, 1)]
    await click(links[0] ?? { id: 0n }, someClicks(30, 1 / 6))
    await expectSums(by, { ...RANGE, kind: 'person', ...query }, links)
  })

  it('name the links with the most of these clicks', async () => {
    const by = await someone()
    const [first, second] = [await create(by, 0, { tags: ['t'] }), await create(by, 0, { tags: ['t'] })]
    await create(by, 0, { tags: ['t'] })
    const at = NOW - HOUR
    await click(first, [...Array<TestClick>(9).fill({ at: NOW - 18 * DAY }), { at, country: 'NP' }])
    await click(second, [
      { at: at - DAY, kind: 'bot' },
      { at, country: 'DE' },
      { at, country: 'DE' },
    ])
    const top = async (query: Record<string, string>) => {
      const stats = await told(by, { tag: 't', ...query })
      expect(stats.topIsComplete).toBe(true)
      return stats.top.map(({ link, clicks }) => [link.code, clicks])
    }
    expect(await top({})).toEqual([
      [first.code, 10],
      [second.code, 3],
    ])
    expect(await top(RANGE)).toEqual([
      [second.code, 3],
      [first.code, 1],
    ])
    expect(await top({ ...RANGE, kind: 'person' })).toEqual([
      [second.code, 2],
      [first.code, 1],
    ])
    expect(await top({ kind: 'bot' })).toEqual([[second.code, 1]])
    expect(await top({ country: 'NP' })).toEqual([[first.code, 1]])
    expect(await top({ country: 'NP', city: '' })).toEqual([[first.code, 1]])
  })

  it('are empty where there is nothing', async () => {
    const by = await someone()
    expect(await told(by)).toMatchObject({ links: 0, totals: { clicks: 0 }, top: [], topIsComplete: true, hasBreakdowns: true })
    await create(by, 0, { tags: ['quiet'] })
    expect(await told(by, { tag: 'quiet' })).toMatchObject({ links: 0, totals: { clicks: 0 } })
  })

  it('tell nobody what others have', async () => {
    const [by, other] = [await someone(), await someone()]
    await create(by, 3, { tags: ['secret'], folder: 'secret' })
    const unknown: Record<string, string>[] = [{ tag: 'secret' }, { folder: 'secret' }, { tag: 'unheard-of' }, { tag: '' }]
    for (const query of unknown) {
      await expect(ask(other, query)).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(ask(by, { domain: 'nowhere.example' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(ask(by, { tag: 'secret', folder: 'secret' })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await told(other)).toMatchObject({ totals: { clicks: 0 } })
  })

  it('follow a link that is filed, deleted, restored, and gone for good, with all its clicks', async () => {
    const by = await someone()
    const [a, b] = [await create(by, 20, { tags: ['one'] }), await create(by, 20, { tags: ['two'] })]
    await expectSums(by, { ...RANGE, tag: 'one' }, [a])
    await file(by, b, { tags: ['one'] })
    await expectSums(by, { ...RANGE, tag: 'one' }, [a, b])
    expect(await told(by, { tag: 'two' })).toMatchObject({ totals: { clicks: 0 } })
    await deleteLink(ctx, by, { code: b.code })
    await expectSums(by, { ...RANGE, tag: 'one' }, [a])
    await expectSums(by, RANGE, [a])
    await restoreLink(ctx, by, { code: b.code })
    await expectSums(by, { ...RANGE, tag: 'one' }, [a, b])
    await file(by, a, { archived: true })
    await expectSums(by, RANGE, [a, b])
  })
})

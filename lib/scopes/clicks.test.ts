import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Actor } from '@/lib/actor'
import { deleteLink } from '@/lib/links/delete'
import { listClicks } from '@/lib/stats/clicks'
import { createNote } from '@/lib/stats/notes'
import { ClicksQuery, type ClickView } from '@/lib/stats/schemas'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { idOf, NOW, RANGE, scopeTests } from '@/lib/testing/scopes'
import { HOUR } from '@/lib/tools/time'
import { findFew, listScopeClicks, listScopeNotes } from './clicks'
import { clicksOf } from './live'
import { MOST_LINKS } from './members'
import { ScopeClicksQuery } from './schemas'
import { textOfScope } from './scope'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const { someone, click, create, told } = scopeTests(ctx, connection)
beforeAll(() => settled(ctx))

const list = (by: Actor, query: Record<string, string> = {}) =>
  listScopeClicks(ctx, idOf(by), ScopeClicksQuery.parse(query), new Date(NOW))

/** All of them, page by page. */
async function every(by: Actor, query: Record<string, string>) {
  const found: Awaited<ReturnType<typeof list>>['clicks'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof list>> = await list(by, { ...query, ...(cursor !== '' && { cursor }) })
    found.push(...page.clicks)
    cursor = page.nextCursor
  }
  return found
}

const byTime = (clicks: readonly ClickView[]) => clicks.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))

describe('single clicks of several links', () => {
  it('are those of each link, newest first, each once and with its link', async () => {
    const by = await someone()
    const [a, b] = [await create(by, 70, { tags: ['both'] }), await create(by, 45, { tags: ['both'], folder: 'one' })]
    await create(by, 20)
    const queries: Record<string, string>[] = [{}, RANGE, { country: 'DE' }, { kind: 'bot' }, { source: 'X' }]
    for (const query of queries) {
      const own = async (link: { id: bigint; code: string }) => {
        const { clicks } = await listClicks(ctx, link, ClicksQuery.parse({ ...query, limit: '1000' }), new Date(NOW))
        return clicks.map((one) => ({ ...one, shortUrl: `http://terse.test/${link.code}` }))
      }
      const expected = byTime([...(await own(a)), ...(await own(b))])
      expect(expected.length).toBeGreaterThan(0)
      expect(await every(by, { ...query, tag: 'both', limit: '7' })).toEqual(expected)
      expect((await list(by, { ...query, folder: 'one' })).clicks).toEqual(await own(b))
    }
  })

  it('are none where nothing was clicked, of what is not there, and of what is too many', async () => {
    const by = await someone()
    await create(by, 0, { tags: ['quiet'] })
    for (const more of [{}, { source: 'X' }, { country: 'DE' }] as Record<string, string>[])
      expect(await list(by, { tag: 'quiet', ...more })).toEqual({ clicks: [], nextCursor: null })
    await expect(list(await someone(), { tag: 'quiet' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(list(by, { tag: 'quiet', domain: 'terse.test' })).rejects.toMatchObject({ code: 'validation_failed' })
    const links = []
    for (let i = 0; i <= MOST_LINKS; i++) links.push(await create(by, 1, { folder: 'many' }))
    await expect(list(by, { folder: 'many' })).rejects.toMatchObject({ code: 'conflict' })
    expect(await list(by, { tag: 'quiet' })).toMatchObject({ clicks: [] })
    await deleteLink(ctx, by, { code: links[0]?.code ?? '' })
    expect((await list(by, { folder: 'many', limit: '100' })).clicks).toHaveLength(MOST_LINKS)
    expect(await told(by, { folder: 'many' })).toMatchObject({ hasClicks: true, links: MOST_LINKS })
  }, 60_000)
})

describe('notes of several links', () => {
  it('are those of each, in order of time, with their link', async () => {
    const by = await someone()
    const [a, b] = [await create(by, 1, { tags: ['noted'] }), await create(by, 1, { tags: ['noted'] })]
    const other = await create(by, 1)
    for (const [link, text, hours] of [
      [a, 'second', 2],
      [b, 'first', 3],
      [a, 'third', 1],
      [other, 'elsewhere', 1],
    ] as const) {
      await createNote(ctx, link.id, { text, at: new Date(NOW - hours * HOUR) })
    }
    const { notes } = await listScopeNotes(ctx, idOf(by), { tag: 'noted' })
    expect(notes.map(({ text, shortUrl }) => [text, shortUrl])).toEqual([
      ['first', `http://terse.test/${b.code}`],
      ['second', `http://terse.test/${a.code}`],
      ['third', `http://terse.test/${a.code}`],
    ])
    expect((await listScopeNotes(ctx, idOf(by), {})).notes).toHaveLength(4)
    await expect(listScopeNotes(ctx, idOf(await someone()), { tag: 'noted' })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('several links, watched', () => {
  it('tell the sum of their clicks, and end once they are too many', async () => {
    const by = await someone()
    const [a] = [await create(by, 3, { tags: ['live'] }), await create(by, 2, { tags: ['live'] })]
    const { scope, members } = await findFew(ctx, idOf(by), { tag: 'live' })
    const heard: (number | string)[] = []
    const watcher = { clicks: (count: number) => void heard.push(count), end: () => void heard.push('end') }
    ctx.scopeLive.watch(textOfScope(scope), clicksOf(members), watcher, { account: idOf(by), client: '203.0.113.1' })
    expect(heard).toEqual([5])
    await click(a, [{ at: NOW - HOUR }])
    await vi.waitFor(() => expect(heard).toEqual([5, 6]), { timeout: 10_000 })
    // One that comes to them counts with all that it has.
    await create(by, 4, { tags: ['live'] })
    await vi.waitFor(() => expect(heard).toEqual([5, 6, 10]), { timeout: 10_000 })
    for (let i = 0; i < MOST_LINKS; i++) await create(by, 1, { tags: ['live'] })
    await vi.waitFor(() => expect(heard.at(-1)).toBe('end'), { timeout: 10_000 })
    expect(ctx.scopeLive.watching).toBe(0)
  }, 60_000)
})

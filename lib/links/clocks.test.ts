import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { claimLinks } from '@/lib/accounts/claim'
import { anonymous } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { copyOf, testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { banLink } from './ban'
import { createLink } from './create'
import { deleteLink } from './delete'
import { OURSELVES } from './permit'
import { restoreLink } from './restore'
import { updateLink } from './update'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const { url, connection } = await testDatabase()
const server = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: server.url }
const [ctx, other] = [await testRuntime(settings), await testRuntime(settings)]
beforeAll(() => settled(ctx, other))
afterEach(() => {
  vi.useRealTimers()
})

const alice = owner('alice')
const make = async () => (await createLink(ctx, alice, { url: 'https://example.com/', code: freshCode() })).link
/** Does something in a process whose clock is an hour behind. */
async function behind<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

/** When the database says that a link was last changed or deleted, seen from `since` on, in ms. */
async function changedAfter(full: string, since: Date): Promise<number> {
  const sql =
    'SELECT updatedAt AS at FROM Link WHERE fullShortUrl = ? UNION SELECT deletedAt FROM DeletedLink WHERE fullShortUrl = ?'
  const [row] = await connection.query<{ at: Date }[]>(sql, [full, full])
  return (row?.at.getTime() ?? 0) - since.getTime()
}
const databaseTime = async () => {
  const [row] = await connection.query<{ now: Date }[]>('SELECT UTC_TIMESTAMP(3) AS now')
  return row?.now ?? new Date(Number.NaN)
}

describe('the time of a change', () => {
  it.each<[string, () => Promise<Link>, (code: string) => Promise<Link | undefined>]>([
    ['an edit', make, (code: string) => updateLink(ctx, alice, { code }, { title: 'Other' })],
    ['a ban', make, async (code: string) => banLink(ctx, OURSELVES, (await rowOf(code)).id, 'phishing')],
    ['a deletion', make, async (code: string) => void (await deleteLink(ctx, alice, { code }))],
    ['a restoration', deletedLink, (code: string) => restoreLink(ctx, alice, { code })],
  ])('is that of the database for %s, exactly as it is answered', async (_, before, change) => {
    const { code, fullShortUrl } = await before()
    const since = await databaseTime()
    const changed = await behind(() => change(code))
    expect(await changedAfter(fullShortUrl, since)).toBeGreaterThanOrEqual(0)
    if (changed) expect(changed.updatedAt).toEqual((await rowOf(code)).updatedAt)
  })

  it('is that of the database when an account takes over a link', async () => {
    const { link, manageToken } = await createLink(ctx, anonymous(), { url: 'https://example.com/' })
    const since = await databaseTime()
    await behind(() => claimLinks(ctx, 'alice', [manageToken ?? '']))
    expect(await changedAfter(link.fullShortUrl, since)).toBeGreaterThanOrEqual(0)
  })

  it.each([
    ['one', async () => [(await createLink(ctx, alice, { url: 'https://example.com/' })).link]],
    [
      'many',
      async () =>
        (
          await createLinks(
            ctx,
            alice,
            [1, 2, 3].map(() => ({ url: 'https://example.com/' })),
          )
        ).map(({ link }) => link),
    ],
  ])(
    'is nearly that of the database for a new link of %s, and exactly as it is answered where clocks are right',
    async (_, create) => {
      for (const link of await create()) expect((await rowOf(link.code)).updatedAt).toEqual(link.updatedAt)
      const since = await databaseTime()
      for (const { fullShortUrl } of await behind(create)) {
        expect(await changedAfter(fullShortUrl, since)).toBeGreaterThanOrEqual(-10_000)
      }
    },
  )
})

describe('a Redis that comes back on an old copy', () => {
  it('is told of a ban and of a new link by a third process, whose clock was an hour behind', async () => {
    const link = await make()
    // No change of today, but for what follows.
    await connection.query('UPDATE Link SET updatedAt = ?', [new Date(Date.now() - DAY)])
    const restore = await copyOf(server, ctx.redis)
    const [banned, created] = await behind(
      async () => [await banLink(ctx, OURSELVES, link.id, 'phishing'), await make()] as const,
    )
    await restore()
    await settled(ctx, other)
    for (const { fullShortUrl, state } of [banned, created]) {
      expect((await other.lookup.find(fullShortUrl)).entry.record).toMatchObject({ state })
      expect(await ctx.registry.lookup(fullShortUrl)).toMatchObject({ trusted: true, mayExist: true })
    }
    expect((await ctx.registry.lookup(banned.fullShortUrl)).record).toContain('"s":"banned"')
  })
})

const rowOf = (code: string) => ctx.db.client.link.findFirstOrThrow({ where: { code } })

async function deletedLink() {
  const link = await make()
  await deleteLink(ctx, alice, { code: link.code })
  return link
}

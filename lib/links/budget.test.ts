import { beforeAll, describe, expect, it, vi } from 'vitest'
import { findJob } from '@/lib/jobs/store'
import { keepAccount } from '@/lib/testing/accounts'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { queueImport } from './import-queue'
import { createSpoken } from './spoken'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url, RATE_LIMIT: 'on', LINKS_PER_MINUTE: '50' }
const ctx = await testRuntime(settings)
beforeAll(() => settled(ctx))
beforeAll(async () => {
  for (const id of ['alice', 'bob', 'carol']) await keepAccount(ctx.db, id)
})

const href = () => `https://example.com/${freshCode()}`
const count = async (ownerId: string) => ctx.db.client.link.count({ where: { ownerId } })

describe('what an account may make in a minute', () => {
  it('is one budget, from which an import takes, one by one or many at once, and spoken codes', async () => {
    const alice = owner('alice')
    await createLinks(
      ctx,
      alice,
      Array.from({ length: 40 }, () => ({ url: href() })),
    )
    for (let i = 0; i < 5; i++) await createLink(ctx, alice, { url: href() })
    for (let i = 0; i < 5; i++) await createSpoken(ctx, alice, { url: href(), digits: 6, ttl: 60 })
    const refused = expect.objectContaining({ code: 'rate_limited', retryAfter: expect.any(Number) })
    await expect(createLink(ctx, alice, { url: href() })).rejects.toEqual(refused)
    await expect(createSpoken(ctx, alice, { url: href(), digits: 6, ttl: 60 })).rejects.toEqual(refused)
    await expect(createLinks(ctx, alice, [{ url: href() }])).rejects.toEqual(refused)
    await expect(createLink(ctx, owner('bob'), { url: href() })).resolves.toBeTruthy()
  })

  it('is waited for by an import, which says until when, leaves some to requests, and ends with every link made once', async () => {
    const csv = ['url', ...Array.from({ length: 70 }, href)].join('\n')
    const { number } = await queueImport(ctx, { account: { id: 'carol' }, address: null }, csv)
    ctx.jobs.look()
    const job = () => findJob(ctx, null, number)
    await vi.waitFor(async () => expect((await job()).waitUntil).not.toBeNull(), { timeout: 10_000, interval: 20 })
    expect(await job()).toMatchObject({ state: 'running', failed: 0, leaseUntil: null })
    const made = await count('carol')
    expect(made).toBeGreaterThanOrEqual(40)
    expect(made).toBeLessThanOrEqual(44)
    await createLink(ctx, owner('carol'), { url: href() })
    // A minute later.
    for (let minute = 0; minute < 3 && (await job()).state !== 'done'; minute++) {
      await ctx.redis.client.del('terse:limit:links:carol')
      await connection.query('UPDATE Job SET waitUntil = NULL')
      ctx.jobs.look()
      await vi.waitFor(async () => expect((await job()).state === 'done' || (await job()).waitUntil !== null).toBe(true), {
        timeout: 10_000,
      })
    }
    expect(await job()).toMatchObject({ state: 'done', done: 70, failed: 0, waitUntil: null })
    expect(await count('carol')).toBe(71)
  })
})

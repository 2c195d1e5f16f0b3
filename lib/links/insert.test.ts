import { describe, expect, it } from 'vitest'
import { isUniqueViolation } from '@/lib/db/errors'
import { testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })

describe('links that are inserted at once', () => {
  it('are each inserted or refused as if they were alone', async () => {
    const [taken, ...free] = Array.from({ length: 300 }, () => linkRow())
    if (!taken) throw new Error('there is none')
    await ctx.inserts.add(taken)
    const again = linkRow({ code: taken.code, fullShortUrl: taken.fullShortUrl })
    const outcomes = await Promise.allSettled(
      [...free.slice(0, 100), again, ...free.slice(100)].map((link) => ctx.inserts.add(link)),
    )
    const refused = outcomes.flatMap((outcome, i) => (outcome.status === 'rejected' ? [{ i, reason: outcome.reason }] : []))
    expect(refused.map(({ i, reason }) => [i, isUniqueViolation(reason, 'Link_fullShortUrl_key')])).toEqual([[100, true]])
    expect(await ctx.db.client.link.count({ where: { id: { in: free.map(({ id }) => id) } } })).toBe(free.length)
    expect(await ctx.db.client.link.count({ where: { id: again.id } })).toBe(0)
  })
})

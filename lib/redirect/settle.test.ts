import { beforeAll, describe, expect, it } from 'vitest'
import { banLink } from '@/lib/links/ban'
import { anonymous } from '@/lib/links/context'
import { createLink } from '@/lib/links/create'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { changeOf, encodeRecord, toRecord } from './record'

const { url: DATABASE_URL } = await testDatabase()
const server = await testRedis()
const ctx = await testRuntime({ DATABASE_URL, REDIS_URL: server.url })
beforeAll(() => settled(ctx))

describe('a ban after MySQL was put back to an older copy', () => {
  it('takes the place of the newer record that Redis holds', async () => {
    const { link } = await createLink(ctx, anonymous(), { url: 'https://example.com/' })
    const later = toRecord({ ...link, version: link.version + 3n })
    await ctx.registry.publish(changeOf(link.fullShortUrl, later)) // of which MySQL knows nothing any more
    const banned = await banLink(ctx, link.id, 'phishing')
    expect((await ctx.registry.lookup(link.fullShortUrl)).record).toBe(encodeRecord(toRecord(banned)))
    expect((await ctx.lookup.find(link.fullShortUrl)).entry.record).toMatchObject({ state: 'banned' })
  })
})

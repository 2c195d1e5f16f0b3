import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '@/lib/testing/database'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { longestStretch } from '@/lib/testing/stretch'
import { countLinks } from './count'
import { insertLinks } from './insert'
import { listLinks } from './list'
import { ListLinks } from './schemas'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
ctx.searchIndexer.close()

/**
 * What takes longest to fold: each nine characters of it stand for eighteen (U+FDFA), and punycode is read in the square of its
 * length.
 */
const LONG = [
  `https://xn--976${'a'.repeat(50)}.example/?${'%EF%B7%BA'.repeat(880)}`,
  `https://example.com/?xn--976${'a'.repeat(8_000)}`,
]
const rows = Array.from({ length: 600 }, (_, i) => linkRow({ ownerId: 'alice', url: LONG[i % 2] }))

beforeAll(async () => {
  for (let i = 0; i < rows.length; i += 100) await insertLinks(ctx.db.client, rows.slice(i, i + 100))
  for (let i = 0; i < rows.length; i += 100) {
    await ctx.db.client.deletedLink.createMany({ data: rows.slice(i, i + 100).map((row) => deletedRow(row)) })
  }
}, 60_000)

describe('hundreds of links with the longest texts are searched in stretches of less than 50 ms:', () => {
  it.each([undefined, 'deleted'])('those in a list (state: %s)', async (state) => {
    const search = (q: string) => () => listLinks(ctx, { ownerId: 'alice' }, ListLinks.parse({ q, state }))
    await search('warm')()
    expect(await longestStretch(search('nothing holds this'))).toBeLessThan(50)
  })

  it('those that are counted', async () => {
    const count = () => countLinks(ctx, { ownerId: 'alice' }, ListLinks.parse({ q: 'nothing holds this' }))
    expect(await longestStretch(count)).toBeLessThan(50)
  })
})

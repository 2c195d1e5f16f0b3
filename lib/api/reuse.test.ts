import { describe, expect, it } from 'vitest'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { postLink } from './links'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
await settled(ctx)

const post = (by: Visitor, body: object) => by.ask(postLink, 'POST', '/api/v1/links', body)

describe('a link that exists, asked for with `reuse`,', () => {
  it('tells those without an account nothing but what following it tells', async () => {
    const destination = `https://example.com/${freshCode()}`
    const { body: first } = await post(new Visitor(ctx), { url: destination })
    await connection.query('UPDATE Link SET clicks = 3 WHERE id = ?', [first.id])
    const { code, domain, shortUrl } = first
    // The one that makes it shared, and one that finds it so.
    for (const stranger of [new Visitor(ctx), new Visitor(ctx)]) {
      const { status, body } = await post(stranger, { url: destination, reuse: true })
      expect([status, body]).toEqual([200, { code, domain, shortUrl, url: destination, redirectStatus: 302 }])
    }
  })

  it('is answered in full to the account that it belongs to', async () => {
    const destination = `https://example.com/${freshCode()}`
    const alice = new Visitor(ctx)
    await alice.signUp()
    const { body: first } = await post(alice, { url: destination })
    expect(await post(alice, { url: destination, reuse: true })).toMatchObject({ status: 200, body: first })
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { postConversions } from './conversions'
import { postLink, postSpoken } from './links'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, RATE_LIMIT: 'on', LINKS_PER_MINUTE: '70' })
beforeAll(() => settled(ctx))

const create = (visitor: Visitor) =>
  visitor.ask(postLink, 'POST', '/api/v1/links', { url: `https://example.com/${freshCode()}`, reuse: false })
const speak = (visitor: Visitor) =>
  visitor.ask(postSpoken, 'POST', '/api/v1/spoken', { url: 'https://example.com/aloud', digits: 6, ttl: 60 })

async function statuses(count: number, ask: () => ReturnType<typeof create>): Promise<number[]> {
  const all: number[] = []
  for (let i = 0; i < count; i++) all.push((await ask()).status)
  return all
}

describe('creating links', () => {
  it('is limited per account where there is one, and its own words say so: others at its address have theirs', async () => {
    const visitor = new Visitor(ctx, '203.0.113.1')
    await visitor.signUp()
    expect(await statuses(65, () => create(visitor))).toEqual(Array(65).fill(201))
    expect(await statuses(5, () => speak(visitor))).toEqual(Array(5).fill(201))
    for (const ask of [create, speak]) {
      const { status, body, headers } = await ask(visitor)
      expect([status, body.code]).toEqual([429, 'rate_limited'])
      expect(body.detail).toMatch(/^You’ve created as many links as you can in a minute\. Try again in /)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const colleague = new Visitor(ctx, '203.0.113.1')
    await colleague.signUp()
    expect((await create(colleague)).status).toBe(201)
    expect((await create(new Visitor(ctx, '203.0.113.1'))).status).toBe(201)
  })

  it('does not keep an account from reporting conversions, of which it has a limit of its own, at whatever address', async () => {
    const visitor = new Visitor(ctx, '203.0.113.4')
    await visitor.signUp()
    const report = () => {
      visitor.address = `203.0.113.${5 + Math.floor(Math.random() * 200)}`
      const conversions = Array.from({ length: 100 }, () => ({ clickId: 'none' }))
      return visitor.ask(postConversions, 'POST', '/api/v1/conversions', { conversions })
    }
    expect(await statuses(60, report)).toEqual(Array(60).fill(422))
    const { status, body } = await report()
    expect([status, body.detail]).toEqual([
      429,
      expect.stringMatching(/^You’ve reported as many conversions as you can in a minute\. Try again in /),
    ])
  })

  it('is limited per client without an account, spoken codes too, also where someone else signed in', async () => {
    const visitor = new Visitor(ctx, '203.0.113.2')
    expect(await statuses(50, () => create(visitor))).toEqual(Array(50).fill(201))
    expect(await statuses(10, () => speak(visitor))).toEqual(Array(10).fill(201))
    const { status, body } = await speak(visitor)
    expect([status, body.detail]).toEqual([429, expect.stringMatching(/from your network\. Try again in /)])
    expect((await create(visitor)).status).toBe(429)
    expect((await create(new Visitor(ctx, '203.0.113.3'))).status).toBe(201)
    await visitor.signUp()
    expect((await create(visitor)).status).toBe(201)
  })
})

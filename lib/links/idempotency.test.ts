import { beforeAll, describe, expect, it } from 'vitest'
import { postLink } from '@/lib/api/links'
import { setRuntime } from '@/lib/runtime'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { IDEMPOTENCY_LIFETIME, idempotencyOf } from './idempotency'
import type { LinkView } from './schemas'

const { url, connection } = await testDatabase()
const server = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url })
setRuntime(ctx)
beforeAll(() => settled(ctx))

async function post(body: object, key?: string, client = '203.0.113.1') {
  const headers = { 'Content-Type': 'application/json', ...(key === undefined ? {} : { 'Idempotency-Key': key }) }
  const request = new Request('http://terse.test/api/v1/links', { method: 'POST', headers, body: JSON.stringify(body) })
  const response = await ctx.scope.run({ client: { address: client, network: '', viaProxy: false } }, () =>
    postLink(request, { params: Promise.resolve({}) }),
  )
  const answer = (await response.json()) as LinkView & { code: string }
  return { status: response.status, replayed: response.headers.get('idempotency-replayed') === 'true', answer, response }
}

const freshBody = () => ({ url: `https://example.com/${freshCode()}` })
const linksTo = (destination: string) => ctx.db.client.link.count({ where: { url: destination } })

describe('a request repeated with its Idempotency-Key', () => {
  it('gets the first answer again, token included, and makes nothing', async () => {
    const [body, key] = [freshBody(), freshCode()]
    const first = await post(body, key)
    const again = await post(body, key)
    expect(first).toMatchObject({ status: 201, replayed: false, answer: { manageToken: expect.any(String) } })
    expect(again).toMatchObject({ status: 201, replayed: true })
    expect(again.answer).toEqual(first.answer)
    expect(again.response.headers.get('location')).toBe(first.answer.shortUrl)
    expect(await linksTo(body.url)).toBe(1)
  })

  it.each([
    ['a generated code', () => ({})],
    ['a custom code', () => ({ code: freshCode() })],
    ['reuse', () => ({ reuse: true })],
    ['a password', () => ({ password: 'x' })],
  ])('many times at once makes one link and gets one answer: with %s', async (_, given) => {
    for (let round = 0; round < 5; round++) {
      const [body, key] = [{ ...freshBody(), ...given() }, freshCode()]
      const all = await Promise.all(Array.from({ length: 8 }, () => post(body, key)))
      expect(all.map(({ status }) => status)).toEqual(new Array(8).fill(201))
      expect(new Set(all.map(({ answer }) => JSON.stringify(answer.code))).size).toBe(1)
      expect(new Set(all.map(({ answer }) => answer.manageToken)).size).toBe(1)
      expect(await linksTo(body.url)).toBe(1)
    }
  })

  it('with another body is refused with 422, and makes nothing', async () => {
    const [body, key] = [freshBody(), freshCode()]
    await post(body, key)
    const other = freshBody()
    expect(await post(other, key)).toMatchObject({ status: 422, answer: { code: 'validation_failed' } })
    expect(await linksTo(other.url)).toBe(0)
  })

  it('by another client is a request of its own', async () => {
    const [body, key] = [freshBody(), freshCode()]
    const first = await post(body, key, '203.0.113.1')
    const second = await post(body, key, '203.0.113.2')
    expect(second).toMatchObject({ status: 201, replayed: false })
    expect(second.answer.code).not.toBe(first.answer.code)
  })

  it('after a day is a request of its own', async () => {
    const [body, key] = [freshBody(), freshCode()]
    const first = await post(body, key)
    await connection.query('UPDATE IdempotencyKey SET createdAt = ?', [new Date(Date.now() - IDEMPOTENCY_LIFETIME - 1_000)])
    const second = await post(body, key)
    expect(second).toMatchObject({ status: 201, replayed: false })
    expect(second.answer.code).not.toBe(first.answer.code)
  })

  it('after a refusal is tried again: only what was made is remembered', async () => {
    const code = freshCode()
    await post({ ...freshBody(), code })
    const [body, key] = [{ ...freshBody(), code }, freshCode()]
    expect((await post(body, key)).status).toBe(409)
    expect((await post(body, key)).status).toBe(409)
    expect((await post({ ...body, code: freshCode() }, key)).status).toBe(201)
  })

  it('is not stored with its token or password in readable form', async () => {
    const [body, key] = [{ ...freshBody(), password: 'correct horse' }, freshCode()]
    const { answer } = await post(body, key)
    const rows = await connection.query<{ response: string }[]>('SELECT response FROM IdempotencyKey')
    expect(rows.length).toBeGreaterThan(0)
    for (const { response } of rows) {
      expect(response).not.toContain('correct horse')
      expect(response).not.toContain(answer.manageToken)
    }
  })

  it.each(['', 'x'.repeat(256)])('has a key of 1 to 255 characters', (key) => {
    expect(() => idempotencyOf('a secret', key, 'scope', {})).toThrow('1 to 255')
  })
})

describe('without an Idempotency-Key', () => {
  it('the same request twice makes two links', async () => {
    const body = freshBody()
    const [first, second] = [await post(body), await post(body)]
    expect(first.answer.code).not.toBe(second.answer.code)
    expect(await linksTo(body.url)).toBe(2)
  })
})

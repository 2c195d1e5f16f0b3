import { createHash, randomUUID } from 'node:crypto'
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

/** Of as many random bits as a key has that nobody else can guess. */
const freshKey = () => randomUUID()
const freshBody = () => ({ url: `https://example.com/${freshCode()}` })
const linksTo = (destination: string) => ctx.db.client.link.count({ where: { url: destination } })

describe('a request repeated with its Idempotency-Key', () => {
  it('gets the first answer again, token included, and makes nothing', async () => {
    const [body, key] = [freshBody(), freshKey()]
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
      const [body, key] = [{ ...freshBody(), ...given() }, freshKey()]
      const all = await Promise.all(Array.from({ length: 8 }, () => post(body, key)))
      expect(all.map(({ status }) => status)).toEqual(new Array(8).fill(201))
      expect(new Set(all.map(({ answer }) => JSON.stringify(answer.code))).size).toBe(1)
      expect(new Set(all.map(({ answer }) => answer.manageToken)).size).toBe(1)
      expect(await linksTo(body.url)).toBe(1)
    }
  })

  it('with another body is refused with 422, and makes nothing', async () => {
    const [body, key] = [freshBody(), freshKey()]
    await post(body, key)
    const other = freshBody()
    expect(await post(other, key)).toMatchObject({ status: 422, answer: { code: 'validation_failed' } })
    expect(await linksTo(other.url)).toBe(0)
  })

  it('by another client is a request of its own', async () => {
    const [body, key] = [freshBody(), freshKey()]
    const first = await post(body, key, '203.0.113.1')
    const second = await post(body, key, '203.0.113.2')
    expect(second).toMatchObject({ status: 201, replayed: false })
    expect(second.answer.code).not.toBe(first.answer.code)
  })

  it('by the same client on another network gets the same answer, where the key is long enough to be nobody else’s', async () => {
    const [body, key] = [freshBody(), `${freshKey()}.${freshKey()}`]
    const first = await post(body, key, '203.0.113.1')
    const second = await post(body, key, '203.0.113.2')
    expect(second).toMatchObject({ status: 201, replayed: true })
    expect(second.answer).toEqual(first.answer)
    expect(await linksTo(body.url)).toBe(1)
  })

  it('after a day is a request of its own', async () => {
    const [body, key] = [freshBody(), freshKey()]
    const first = await post(body, key)
    await connection.query('UPDATE IdempotencyKey SET createdAt = ?', [new Date(Date.now() - IDEMPOTENCY_LIFETIME - 1_000)])
    const second = await post(body, key)
    expect(second).toMatchObject({ status: 201, replayed: false })
    expect(second.answer.code).not.toBe(first.answer.code)
  })

  it('after a refusal is tried again: only what was made is remembered', async () => {
    const code = freshCode()
    await post({ ...freshBody(), code })
    const [body, key] = [{ ...freshBody(), code }, freshKey()]
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

  it.each([
    ['a word', 'create-link-1'],
    ['a hash of the request', createHash('sha256').update('https://example.com/').digest('hex')],
    ['a UUID made from the request (version 5)', '74738ff5-5367-5958-9aee-98fffdcd1876'],
    ['a UUID made from time and machine (version 1)', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
  ])('without an account has a key that others cannot guess: %s is refused', async (_, key) => {
    // Two programs behind one address, with the same way to make keys, would get each other's manage token.
    const body = freshBody()
    const [first, second] = [await post(body, key), await post(body, key)]
    expect([first.status, second.status]).toEqual([400, 400])
    expect(first.answer).not.toHaveProperty('manageToken')
    expect(await linksTo(body.url)).toBe(0)
  })

  it.each(['0190b0c3-6d2e-7cc1-8e55-9d3c1c0a4f1b', '9F1B0C36-D2E4-4CC1-AE55-9D3C1C0A4F1B'])(
    'without an account has a random UUID (%s) as its key, and gets its token again when the answer was lost',
    async (key) => {
      const body = freshBody()
      const [first, again] = [await post(body, key), await post(body, key)]
      expect([first.status, again.status]).toEqual([201, 201])
      expect(again.answer.manageToken).toBe(first.answer.manageToken)
    },
  )

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

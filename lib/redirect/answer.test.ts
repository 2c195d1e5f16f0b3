import { beforeAll, describe, expect, it } from 'vitest'
import { insertLinks } from '@/lib/links/insert'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { testDatabase } from '@/lib/testing/database'
import { HOST, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { answer } from './answer'

const { url } = await testDatabase()
const server = await testRedis()
const given = { DATABASE_URL: url, REDIS_URL: server.url, RATE_LIMIT: 'on' }
const [one, two] = [await testRuntime(given), await testRuntime(given)]
beforeAll(() => settled(one, two))

const HOUR = 3_600_000
let clients = 0
/** An address that nobody asked from yet. */
const newClient = () => `203.0.113.${++clients}`

async function get(ctx: typeof one, address: string, path: string, method = 'GET'): Promise<number> {
  const { status } = await answer(ctx.answering, {
    method,
    path,
    query: '',
    rawHeaders: ['Host', HOST],
    host: HOST,
    accept: '*/*',
    language: '',
    client: () => ({ ...UNKNOWN_CLIENT, address }),
    body: async () => '',
  })
  return status
}

async function statuses(ctx: typeof one, address: string, paths: string[]): Promise<number[]> {
  const all = []
  for (const path of paths) all.push(await get(ctx, address, path))
  return all
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => `/${from + i}`)

describe('numbers that lead nowhere', () => {
  const alive = linkRow({ code: '4821', expiresAt: new Date(Date.now() + HOUR) })
  const expired = linkRow({ code: '4822', expiresAt: new Date(Date.now() - HOUR) })
  beforeAll(async () => {
    await insertLinks(one.db.client, [alive, expired])
    await one.registry.announceMany([alive, expired].map(({ fullShortUrl: full, version }) => ({ full, version })))
  })

  it('can be tried twenty times; then nothing is told of any number, by any process', async () => {
    const client = newClient()
    expect(await statuses(one, client, numbers(1000, 19))).toEqual(Array(19).fill(404))
    expect(await get(two, client, '/4822')).toBe(410)
    expect(await statuses(two, client, ['/1234', '/4822', '/4821', '/4821+', '/123456'])).toEqual(Array(5).fill(429))
    expect(await statuses(one, client, ['/4821', '/1'])).toEqual([429, 429])
  })

  it('are counted for each client, and only as misses', async () => {
    const client = newClient()
    expect(await statuses(one, client, Array(40).fill('/4821'))).toEqual(Array(40).fill(302))
    expect(await statuses(one, client, numbers(2000, 20))).toEqual(Array(20).fill(404))
    expect(await get(one, client, '/4821')).toBe(429)
    expect(await get(one, newClient(), '/4821')).toBe(302)
  })

  it('are no concern of other codes', async () => {
    const client = newClient()
    expect(await statuses(one, client, numbers(3_000_000, 30))).toEqual(Array(30).fill(404))
    expect(await statuses(one, client, numbers(3000, 20))).toEqual(Array(20).fill(404))
    expect(await statuses(one, client, ['/3000001', '/unknown'])).toEqual([404, 404])
  })

  it('cannot be tried more often by trying many at once', async () => {
    const client = newClient()
    const all = await Promise.all(numbers(5000, 60).map((path) => get(one, client, path)))
    expect(all.filter((status) => status === 404)).toHaveLength(20)
    expect(all.filter((status) => status === 429)).toHaveLength(40)
  })

  it('hide those that lead somewhere, though all are asked for at once', async () => {
    const client = newClient()
    const all = await Promise.all([...numbers(6000, 60), '/4821'].map((path) => get(one, client, path)))
    expect(all.filter((status) => status === 404)).toHaveLength(20)
    expect(all.at(-1)).toBe(429)
  })

  it('hide them from two processes that are asked at once, too', async () => {
    const client = newClient()
    const all = await Promise.all(numbers(7000, 80).map((path, i) => get(i % 2 === 0 ? one : two, client, path)))
    expect(all.filter((status) => status === 404)).toHaveLength(20)
  })

  it.each([
    ['the preview', 'GET', (number: string) => `/${number}+`],
    ['HEAD', 'HEAD', (number: string) => `/${number}`],
    ['POST', 'POST', (number: string) => `/${number}`],
    ['DELETE', 'DELETE', (number: string) => `/${number}`],
    ['percent-encoding', 'GET', (number: string) => `/%3${number[0]}${number.slice(1)}`],
    ['a slash at the end', 'GET', (number: string) => `/${number}/`],
  ])('are the same when asked for by %s', async (_, method, path) => {
    const client = newClient()
    for (let i = 0; i < 20; i++) expect(await get(one, client, path(String(8000 + i)), method)).not.toBe(429)
    expect(await get(one, client, path('4821'), method)).toBe(429)
    expect(await get(one, client, '/4821')).toBe(429)
  })
})

describe('numbers that lead somewhere', () => {
  const alive = Array.from({ length: 70 }, (_, i) =>
    linkRow({ code: String(91_000 + i), expiresAt: new Date(Date.now() + HOUR) }),
  )
  const paths = alive.map(({ code }) => `/${code}`)
  beforeAll(async () => {
    await insertLinks(one.db.client, alive)
    await one.registry.announceMany(alive.map(({ fullShortUrl: full, version }) => ({ full, version })))
  })

  it('can be followed as often as one likes, by everybody behind one address at once', async () => {
    const client = newClient()
    const again = Array<string>(100).fill(paths[0] ?? '')
    expect(await Promise.all(again.map((path) => get(one, client, path)))).toEqual(Array(100).fill(302))
    expect(await Promise.all(paths.slice(0, 40).map((path) => get(two, client, path)))).toEqual(Array(40).fill(302))
    expect(await statuses(one, client, numbers(9000, 20))).toEqual(Array(20).fill(404))
  })

  it('are no more than sixty for one client in five minutes, whichever processes it asks', async () => {
    const client = newClient()
    const all = await Promise.all(paths.flatMap((path) => [get(one, client, path), get(two, client, path)]))
    const seen = paths.filter((_, i) => all[2 * i] === 302 || all[2 * i + 1] === 302)
    expect(seen.length).toBeLessThanOrEqual(60)
    // What both processes look up at once may count twice until one of them knows of the other.
    expect(seen.length).toBeGreaterThanOrEqual(55)
    expect(await get(one, newClient(), paths.at(-1) ?? '')).toBe(302)
  })
})

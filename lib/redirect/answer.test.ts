import { beforeAll, describe, expect, it } from 'vitest'
import { laneContext } from '@/lib/lane-context'
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

async function get(ctx: typeof one, address: string, path: string): Promise<number> {
  const { status } = await answer(laneContext(ctx), {
    method: 'GET',
    path,
    query: '',
    rawHeaders: ['Host', HOST],
    host: HOST,
    accept: '*/*',
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
    await one.registry.announceMany([alive, expired].map(({ fullShortUrl }) => fullShortUrl))
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
})

import { beforeAll, expect, it, vi } from 'vitest'
import { readFilter } from '@/lib/codes/fill'
import { filterSettings } from '@/lib/codes/rebuild'
import { Registry } from '@/lib/codes/registry'
import { RECONCILER_LOCK } from '@/lib/redirect/trust'
import { testDatabase } from '@/lib/testing/database'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { CreateLink } from './schemas'

const CAPACITY = 1_000
const LINKS = 60

const { url, connection } = await testDatabase()
const server = await testRedis()
const redis = await openRedis(server.url)
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url, BLOOM_CAPACITY: String(CAPACITY) })
const registry = new Registry(redis, 0)

beforeAll(async () => {
  await settled(ctx)
  // Nobody makes the filter larger during this test, nor is about to.
  const hold = () => redis.client.set(RECONCILER_LOCK, 'this test', 'NX')
  await vi.waitFor(async () => expect(await hold()).toBe('OK'), { timeout: 10_000, interval: 5 })
})

it.each([5, 10, 40])('a filter filled %i times over its capacity stops no link from being created', async (times) => {
  const others = Array.from({ length: times * CAPACITY }, (_, i) => ({ full: `terse.test/other${i}`, freedAt: null }))
  await registry.add(others, 'current')
  expect((await readFilter(redis, filterSettings(ctx.config))).estimatedError).toBeGreaterThan(0.3)
  const created: Awaited<ReturnType<typeof createLink>>[] = []
  for (let i = 0; i < LINKS; i++) {
    created.push(await createLink(ctx, owner('someone'), CreateLink.parse({ url: `https://example.com/${times}/${i}` })))
  }
  expect(new Set(created.map(({ link }) => link.fullShortUrl)).size).toBe(LINKS)
  for (const { link } of created) expect(await registry.lookup(link.fullShortUrl)).toMatchObject({ mayExist: true })
  const [{ rows } = { rows: -1 }] = await connection.query<{ rows: number }[]>('SELECT COUNT(*) AS `rows` FROM Outbox')
  expect(Number(rows)).toBe(0)
})

it('the same address again gets another code, and costs MySQL no attempt at the first', async () => {
  await redis.client.del(RECONCILER_LOCK)
  const input = CreateLink.parse({ url: 'https://example.com/again' })
  const [one, two] = [await createLink(ctx, owner('someone'), input), await createLink(ctx, owner('someone'), input)]
  expect(two.link.code).not.toBe(one.link.code)
})

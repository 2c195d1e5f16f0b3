import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { Cycle, NEVER } from './cycle'

const server = await testRedis()
const redis = await openRedis(server.url)
const HOUR = 3_600_000
const START = 1_800_000_000_000

beforeEach(() => redis.client.flushall())

it('takes whole runs as it takes one after another: in order, none that is busy, and none too soon', async () => {
  const step = fc.record({
    pass: fc.nat(2 * HOUR),
    busyFor: fc.integer({ min: 1, max: 3 * HOUR }),
    count: fc.integer({ min: 1, max: 300 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 999 }),
      fc.boolean(),
      fc.array(step, { minLength: 3, maxLength: 12 }),
      async (size, frees, steps) => {
        await redis.client.flushall()
        const cycle = new Cycle(redis, '{test}', size, () => 0, frees)
        await cycle.resync(async function* () {})
        const busy = new Map<number, number>()
        let [now, next] = [START, 0]
        for (const { pass, busyFor, count } of steps) {
          now += pass
          const until = frees ? now + busyFor : NEVER
          const free = Array.from({ length: size }, (_, i) => (next + i) % size).filter((one) => (busy.get(one) ?? 0) <= now)
          expect(await cycle.look(count, now)).toEqual({ positions: free.slice(0, count), free: free.length })
          const drawn = await cycle.take(count, until, now)
          if (free.length < count) {
            const ends = [...busy.values()].filter((until) => until > now).sort((one, other) => one - other)
            const freeAt = ends[count - free.length - 1] ?? NEVER
            expect(drawn).toEqual({ positions: null, free: free.length, freeAt: freeAt === NEVER ? null : freeAt })
            continue
          }
          const expected = free.slice(0, count)
          expect(drawn).toEqual({ positions: expected, free: free.length - count })
          for (const position of expected) busy.set(position, until)
          next = ((expected.at(-1) ?? 0) + 1) % size
        }
      },
    ),
    { numRuns: 60 },
  )
})

it('keeps one bit of each position, where none ever frees: also of those that MySQL has', async () => {
  const [size, drawn] = [100_000, 40_000]
  const bytes = async () => {
    const keys = await redis.client.keys('{bits}*')
    const usage = await Promise.all(keys.map((key) => redis.client.memory('USAGE', key, 'SAMPLES', 0)))
    return usage.reduce<number>((sum, one) => sum + Number(one), 0)
  }
  const cycle = new Cycle(redis, '{bits}', size, () => 0, false)
  await cycle.resync(async function* () {})
  for (let i = 0; i < drawn; i += 10_000) expect((await cycle.take(10_000, NEVER))?.positions).toHaveLength(10_000)
  expect(await bytes()).toBeLessThan(size / 8 + 10_000)
  await redis.client.flushall()
  await cycle.resync(async function* () {
    for (let i = 0; i < drawn; i += 1_000) {
      yield Array.from({ length: 1_000 }, (_, n) => ({ position: i + n, until: NEVER, id: BigInt(i + n) }))
    }
  })
  expect(await cycle.look(1)).toEqual({ positions: [drawn], free: size - drawn })
  expect(await bytes()).toBeLessThan(size / 8 + 10_000)
})

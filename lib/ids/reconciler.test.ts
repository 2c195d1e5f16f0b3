import { beforeEach, describe, expect, it, vi } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { inStep, insertUnique } from '@/lib/testing/ids'
import { SILENT } from '@/lib/testing/links'
import { closedPort } from '@/lib/testing/proxy'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { testConfig } from '@/lib/testing/runtime'
import { createIds } from './ids'
import { DAILY } from './jobs'
import { IdReconciler } from './reconciler'
import type { NumberSource } from './system'

const DAY = 86_400_000
const server = await testRedis()
const redis = await openRedis(server.url)
const { url } = await testDatabase()
const db = openGateway(url, 4)
const config = testConfig({ DATABASE_URL: url, REDIS_URL: server.url, CODE_REUSE_AFTER: '90d', JOB_COUNTER_DAYS: '7' })
const ids = createIds(config, redis, db)
const PATIENCE = { timeout: 15_000, interval: 20 }

beforeEach(async () => {
  await redis.client.flushall()
})

describe('the reconciler of ids', () => {
  it('tells Redis by itself what it lacks: at first, after a flush and after a restart', async () => {
    const reconciler = new IdReconciler(redis, ids, SILENT)
    atEnd(() => reconciler.close())
    await reconciler.start()
    expect(await inStep(ids)).toBe(true)
    await redis.client.flushall()
    await vi.waitFor(async () => expect(await inStep(ids)).toBe(true), PATIENCE)
    await server.stop()
    await server.start()
    await vi.waitFor(async () => expect(await inStep(ids)).toBe(true), PATIENCE)
  })

  it('gives freed handles back and removes old counters, now and then', async () => {
    const now = Date.UTC(2026, 10, 21, 12)
    const reconciler = new IdReconciler(redis, ids, SILENT)
    await reconciler.check(now)
    await db.client.freedHandle.create({ data: { handle: 10_000_002, freedAt: new Date(now - 91 * DAY) } })
    await redis.client.hset(DAILY, { '20261113': 1, '20261114': 1 })
    await reconciler.check(now + 1_000)
    expect(await db.client.freedHandle.count()).toBe(1)
    await reconciler.check(now + 3_600_000)
    expect(await db.client.freedHandle.count()).toBe(0)
    expect(await redis.client.hkeys(DAILY)).toEqual(['20261114'])
  })

  it('goes on while MySQL is away, and nothing is believed meanwhile', async () => {
    const away = createIds(config, redis, openGateway(await closedPort(url), 1))
    await new IdReconciler(redis, away, SILENT).check()
    expect(await away.handles.isStale()).toBe(true)
    expect(await away.spoken.isStale()).toBe(true)
  })

  it('says what Redis holds, or that it cannot be asked', async () => {
    await new IdReconciler(redis, ids, SILENT).check()
    const systems = [ids.handles, ids.spoken, ids.references, ids.jobs]
    expect((await Promise.all(systems.map((system) => system.state()))).map(({ up }) => up)).toEqual(Array(4).fill(true))
    await server.stop()
    expect(await Promise.all(systems.map((system) => system.state()))).toEqual(
      ['handle', 'spoken', 'reference', 'job'].map((name) => ({ name, up: false, parts: [] })),
    )
    await server.start()
    expect(await redis.connected(10_000)).toBe(true)
  })
})

describe('inserting under a number of its own', () => {
  const source = (numbers: string[]): NumberSource & { told: string[] } => {
    const told: string[] = []
    return {
      told,
      issue: async (attempt) => numbers[attempt] ?? 'none',
      taken: async (number) => {
        told.push(number)
        throw new Error('Redis is away')
      },
    }
  }

  it('tries the next number after one that was taken, and tells the source even where that fails', async () => {
    const numbers = source(['one', 'two', 'three', 'four'])
    expect(await insertUnique(numbers, async (number) => number === 'three')).toBe('three')
    expect(numbers.told).toEqual(['one', 'two'])
  })

  it('gives up in clear words when every number is taken', async () => {
    const numbers = source([])
    await expect(insertUnique(numbers, async () => false)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 })
    expect(numbers.told.length).toBeGreaterThan(3)
  })

  it('passes on what the insert throws, and tries no other number', async () => {
    const numbers = source(['one', 'two'])
    const insert = vi.fn(async () => {
      throw new Error('MySQL is away')
    })
    await expect(insertUnique(numbers, insert)).rejects.toThrow('MySQL is away')
    expect(insert).toHaveBeenCalledTimes(1)
  })
})

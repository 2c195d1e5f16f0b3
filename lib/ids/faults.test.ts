import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { inStep, insertAccount, insertJob, insertReport, insertSpoken, insertUnique } from '@/lib/testing/ids'
import { HOST, SILENT } from '@/lib/testing/links'
import { copyOf, openRedis, testRedis } from '@/lib/testing/redis'
import { SECRET, testConfig } from '@/lib/testing/runtime'
import { utcDay } from '@/lib/tools/time'
import { SEGMENT_KEYS, SEGMENT_SIZE } from './handles'
import { createIds, type Ids } from './ids'
import { DAILY } from './jobs'
import { Permutation } from './permutation'
import { poolKeys } from './pools'
import { IdReconciler } from './reconciler'
import type { NumberSource } from './system'

const CLIENTS = 64
const HOUR = 3_600_000
const GRACE = 60_000

const server = await testRedis()
const redis = await openRedis(server.url)
const { url } = await testDatabase()
const db = openGateway(url, 10)
await db.client.domain.create({ data: { host: HOST, createdAt: new Date() } })

const config = testConfig({ DATABASE_URL: url, REDIS_URL: server.url, SPOKEN_GRACE: '60s' })
const ids = createIds(config, redis, db)
const reconciler = new IdReconciler(redis, ids, SILENT)
/** A later minute would be another day when the tests run across midnight. */
const NOW = new Date()
const DAY = utcDay(NOW)
const cycle = new Permutation(SECRET, 100_000)

/** One of the four systems, as its callers and Redis see it. */
interface Subject {
  name: string
  issue(ids: Ids): Promise<string>
  source(): NumberSource
  insert(number: string): Promise<boolean>
  /** Those that Redis might still give. */
  untaken(numbers: string[]): Promise<string[]>
}

const SUBJECTS: Subject[] = [
  {
    name: 'handles',
    issue: async ({ handles }) => (await handles.issue()).handle,
    source: () => ids.handles.source(),
    insert: (handle) => insertAccount(db, handle),
    untaken: (handles) =>
      clear(handles, (handle) => {
        const segment = Math.floor(Number(handle) / SEGMENT_SIZE) - 1
        return [SEGMENT_KEYS[segment] ?? '', Number(handle) % SEGMENT_SIZE]
      }),
  },
  {
    name: 'spoken codes',
    issue: async ({ spoken }) => (await spoken.issue(5, Date.now() + HOUR)).code,
    source: () => ids.spoken.source(5, Date.now() + HOUR + GRACE),
    insert: (code) => insertSpoken(db, code, new Date(Date.now() + HOUR), GRACE),
    untaken: (codes) => clear(codes, (code) => ['{spoken:5}:busy', cycle.backward(Number(code))]),
  },
  {
    name: 'references',
    issue: ({ references }) => references.issue(NOW),
    source: () => ids.references.source(NOW),
    insert: (reference) => insertReport(db, reference),
    async untaken(references) {
      const left = await poolLeft()
      return references.filter((reference) => left.has(reference))
    },
  },
  {
    name: 'job numbers',
    issue: ({ jobs }) => jobs.issue(NOW),
    source: () => ids.jobs.source(NOW),
    insert: (number) => insertJob(db, number),
    async untaken(numbers) {
      const count = Number(await redis.client.hget(DAILY, DAY))
      return numbers.filter((number) => Number(number.slice(8)) > count)
    },
  },
]

/** The numbers whose bit is not set. */
async function clear(numbers: string[], bitOf: (number: string) => [key: string, bit: number]): Promise<string[]> {
  const bits = await Promise.all(numbers.map((number) => redis.client.getbit(...bitOf(number))))
  return numbers.filter((_, i) => bits[i] === 0)
}

/** The references that are still to be given. */
async function poolLeft(): Promise<Set<string>> {
  const day = DAY.slice(2)
  const { count, size } = await redis.client.hgetall(poolKeys.about(day))
  expect(Number(size)).toBeGreaterThan(0)
  const lists = await Promise.all(
    Array.from({ length: Math.ceil(Number(size) / 1000) }, (_, list) => redis.client.lrange(poolKeys.list(day, 5, list), 0, -1)),
  )
  return new Set(
    lists
      .flat()
      .slice(Number(count))
      .map((number) => day + number),
  )
}

beforeEach(async () => {
  await redis.client.flushall()
  await Promise.all([db.client.user.deleteMany(), db.client.report.deleteMany(), db.client.job.deleteMany()])
  await db.client.link.deleteMany()
  await settle()
})

/** Until Redis is back and has been told everything. */
async function settle(): Promise<void> {
  await vi.waitFor(
    async () => {
      await reconciler.check()
      expect(await inStep(ids)).toBe(true)
    },
    { timeout: 15_000, interval: 50 },
  )
}

describe.each(SUBJECTS)('$name', ({ name, issue, source, insert, untaken }) => {
  let refused = 0

  /** Inserts so many rows, several at a time, each under a number of its own. */
  async function insertMany(count: number): Promise<string[]> {
    refused = 0
    const numbers: string[] = []
    const insertOne = async (number: string) => {
      const inserted = await insert(number)
      if (!inserted) refused += 1
      return inserted
    }
    let begun = 0
    const insertSome = async () => {
      while (begun++ < count) numbers.push(await insertUnique(source(), insertOne))
    }
    await Promise.all(Array.from({ length: 16 }, insertSome))
    return numbers
  }

  it(`are never given twice, with ${CLIENTS} clients racing`, async () => {
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, async () => createIds(config, await openRedis(server.url), db)),
    )
    const given = (await Promise.all(clients.flatMap((client) => Array.from({ length: 50 }, () => issue(client))))).sort()
    expect(given).toHaveLength(CLIENTS * 50)
    expect(new Set(given).size).toBe(given.length)
    for (const client of clients) expect(await inStep(client)).toBe(true) // nobody had to do without Redis
  })

  it('are inserted once each after Redis was flushed, and Redis learns all that MySQL has', async () => {
    const before = await insertMany(100)
    await redis.client.flushall()
    const meanwhile = await insertMany(20)
    await settle()
    if ((await redis.client.exists(poolKeys.about(DAY.slice(2)))) === 0) await issue(ids)
    expect(await untaken([...before, ...meanwhile])).toEqual([])
    const after = await insertMany(100)
    expect(refused).toBe(0)
    expect(new Set([...before, ...meanwhile, ...after]).size).toBe(220)
  })

  it('are inserted once each after Redis was killed and came back with an old copy', async () => {
    const before = await insertMany(50)
    const restore = await copyOf(server, redis)
    const later = await insertMany(100)
    await restore()
    const meanwhile = await insertMany(20)
    await settle()
    expect(await untaken([...before, ...later, ...meanwhile])).toEqual([])
    const after = await insertMany(100)
    expect(refused).toBe(0)
    expect(new Set([...before, ...later, ...meanwhile, ...after]).size).toBe(270)
  })

  it('are inserted once each after old values were put in place behind its back', async () => {
    const before = await insertMany(50)
    const keys = (await redis.client.keys('*')).filter((key) => !key.includes('{codes'))
    const dumps = await Promise.all(keys.map(async (key) => [key, await redis.client.dumpBuffer(key)] as const))
    const later = await insertMany(100)
    for (const [key, dump] of dumps) await redis.client.restore(key, 0, dump as Buffer, 'REPLACE')
    const after = await insertMany(100)
    expect(new Set([...before, ...later, ...after]).size).toBe(250)
    const isNoticed = refused > 0
    // Numbers that are drawn at random seldom meet those that Redis has forgotten. MySQL refuses the one that does.
    if (name !== 'handles') expect(isNoticed).toBe(true)
    await settle()
    await insertMany(100)
    if (isNoticed) expect(refused).toBe(0)
  })

  it('are given without Redis, and Redis is told when it is back', async () => {
    const before = await insertMany(20)
    await server.stop()
    const meanwhile = await insertMany(50)
    await server.start()
    await redis.connected(10_000)
    await settle()
    expect(await untaken([...before, ...meanwhile])).toEqual([])
    const after = await insertMany(100)
    expect(refused).toBe(0)
    expect(new Set([...before, ...meanwhile, ...after]).size).toBe(170)
  })
})

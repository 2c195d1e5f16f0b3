import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { RedisGateway } from '@/lib/redis/gateway'
import { atEnd } from '@/lib/testing/cleanup'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { insertAccount, insertUnique } from '@/lib/testing/ids'
import { closedPort } from '@/lib/testing/proxy'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { Handles, SEGMENT_KEYS, SEGMENT_SIZE, SEGMENTS } from './handles'

const DAY = 86_400_000
const BYTES = SEGMENT_SIZE / 8
const [FIRST = '', SECOND = ''] = SEGMENT_KEYS

const server = await testRedis()
const redis = await openRedis(server.url)
const { url } = await testDatabase()
const db = openGateway(url, 4)
const handles = new Handles(redis, db, 90 * DAY)

beforeEach(async () => {
  await redis.client.flushall()
  await db.client.user.deleteMany()
  await db.client.freedHandle.deleteMany()
  await handles.resync()
  await handles.issue() // allocates the first segment
})

/** Makes a segment full but for the given positions. */
async function fill(segment: number, free: Iterable<number> = []): Promise<void> {
  const bitmap = Buffer.alloc(BYTES, 0xff)
  for (const position of free) bitmap[position >> 3] = (bitmap[position >> 3] ?? 0) & ~(0x80 >> (position & 7))
  await redis.client.set(SEGMENT_KEYS[segment] ?? '', bitmap)
  await redis.client.hset('{handles}:about', `allocated:${segment}`, 1)
}

const issueMany = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, () => handles.issue()))).map(({ handle }) => Number(handle))

const bit = (handle: string) => redis.client.getbit(FIRST, Number(handle) - SEGMENT_SIZE)
const freed = (handle: number, freedAt: Date) => db.client.freedHandle.create({ data: { handle, freedAt } })
const ascending = (numbers: number[]) => [...numbers].sort((a, b) => a - b)

describe('a handle', () => {
  it('has 8 digits, of the first segment as long as there is room', async () => {
    for (const handle of await issueMany(1_000)) {
      expect(handle).toBeGreaterThanOrEqual(SEGMENT_SIZE)
      expect(handle).toBeLessThan(2 * SEGMENT_SIZE)
    }
    expect(await redis.client.exists(SECOND)).toBe(0)
  })

  it('does not tell the next one', async () => {
    const given = await issueMany(2_000)
    const steps = given.slice(1).map((handle, i) => Math.abs(handle - (given[i] ?? 0)))
    // Of two places drawn at random from ten million, one in 50,000 pairs lies within 100 of each other.
    expect(steps.filter((step) => step < 100).length).toBeLessThan(10)
  })

  it('is any of those that are left and no other, down to the last one, then of the next segment', async () => {
    const positions = fc.uniqueArray(
      fc.oneof(
        fc.nat(SEGMENT_SIZE - 1),
        fc.nat(16),
        fc.nat(16).map((back) => SEGMENT_SIZE - 1 - back),
      ),
      { minLength: 1, maxLength: 40 },
    )
    await fc.assert(
      fc.asyncProperty(positions, async (free) => {
        await fill(0, free)
        await redis.client.del(SECOND)
        await redis.client.hset('{handles}:about', 'segment', 0)
        await redis.client.hdel('{handles}:about', 'allocated:1')
        expect(ascending(await issueMany(free.length))).toEqual(ascending(free.map((position) => SEGMENT_SIZE + position)))
        const [next = 0] = await issueMany(1)
        expect(Math.floor(next / SEGMENT_SIZE)).toBe(2)
        expect(await redis.client.strlen(FIRST)).toBe(BYTES)
      }),
      { numRuns: 25 },
    )
  })

  it('is found again at the start when there is none from the random place to the end, and that is told', async () => {
    await fill(0, [0, 1, 2])
    const answers = [await handles.issue(), await handles.issue()]
    // A random place in the very first byte would not wrap: one in 1,250,000.
    expect(answers).toEqual([
      { handle: '10000000', wrapped: true },
      { handle: '10000001', wrapped: true },
    ])
  })

  it('is refused in clear words when all 90,000,000 are taken, and given again when one comes back', async () => {
    for (let segment = 0; segment < SEGMENTS; segment++) await fill(segment)
    await expect(handles.issue()).rejects.toMatchObject({ code: 'unavailable', message: 'No more accounts can be created here.' })
    await expect(handles.issue()).rejects.toMatchObject({ code: 'unavailable' })
    await handles.release('45678901')
    expect(await handles.issue()).toMatchObject({ handle: '45678901' })
    await expect(handles.issue()).rejects.toMatchObject({ code: 'unavailable' })
    for (const key of SEGMENT_KEYS) expect(await redis.client.strlen(key)).toBe(BYTES)
  })

  it('is drawn at random while the bitmap of a segment is missing, until it was added again', async () => {
    const { handle } = await handles.issue()
    expect(await insertAccount(db, handle)).toBe(true)
    await redis.client.del(FIRST)
    expect(await handles.issue()).toMatchObject({ wrapped: false })
    expect(await handles.isStale()).toBe(true)
    expect(await redis.client.exists(FIRST)).toBe(0)
    await handles.resync()
    expect(await handles.isStale()).toBe(false)
    expect(await bit(handle)).toBe(1)
  })

  it('cannot be had when neither Redis nor MySQL answers, and that is said', async () => {
    const cut = new RedisGateway(await closedPort(server.url))
    atEnd(() => cut.close())
    const away = new Handles(cut, openGateway(await closedPort(url), 1), 0)
    await expect(away.issue()).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a segment', () => {
  it('takes at most 1.3 MB when it is full', async () => {
    await fill(0, [])
    expect(await redis.client.memory('USAGE', FIRST)).toBeLessThanOrEqual(1.3 * 2 ** 20)
    await redis.client.del(FIRST)
    await redis.client.hdel('{handles}:about', 'allocated:0')
    await handles.issue()
    expect(await redis.client.strlen(FIRST)).toBe(BYTES)
    expect(await redis.client.memory('USAGE', FIRST)).toBeLessThanOrEqual(1.3 * 2 ** 20)
  })

  it('is shown to the admin with its fill and the last handle', async () => {
    const { handle } = await handles.issue()
    const first = { part: '0', used: 2, capacity: SEGMENT_SIZE, last: handle }
    expect(await handles.state()).toEqual({ name: 'handle', up: true, parts: [first] })
    await fill(0)
    const [next] = await issueMany(1)
    expect((await handles.state()).parts).toEqual([
      { part: '0', used: SEGMENT_SIZE, capacity: SEGMENT_SIZE, last: null },
      { part: '1', used: 1, capacity: SEGMENT_SIZE, last: String(next) },
    ])
  })
})

describe('the handle of a deleted account', () => {
  it('rests, and can be given again once its quarantine is over', async () => {
    const [handle = 0] = await issueMany(1)
    await freed(handle, new Date(1_000))
    expect(await handles.sweepFreed(1_000 + 90 * DAY - 1)).toBe(0)
    expect(await bit(String(handle))).toBe(1)
    expect(await handles.sweepFreed(1_000 + 90 * DAY)).toBe(1)
    expect(await bit(String(handle))).toBe(0)
    expect(await db.client.freedHandle.count()).toBe(0)
  })

  it('is not taken from the account that has it by then', async () => {
    const [handle = 0] = await issueMany(1)
    await insertAccount(db, String(handle))
    await freed(handle, new Date(1_000))
    expect(await handles.sweepFreed()).toBe(0)
    expect(await bit(String(handle))).toBe(1)
    expect(await db.client.freedHandle.count()).toBe(0)
  })

  it('is neither lost nor given twice when the process dies between bitmap and MySQL', async () => {
    const [handle = 0] = await issueMany(1)
    await freed(handle, new Date(1_000))
    await handles.release(String(handle)) // as far as the sweep had come
    await handles.resync()
    expect(await bit(String(handle))).toBe(0)
    await fill(0, [handle - SEGMENT_SIZE])
    expect(await insertUnique(handles.source(), (number) => insertAccount(db, number))).toBe(String(handle))
    expect(await handles.sweepFreed()).toBe(0)
    expect(await bit(String(handle))).toBe(1)
  })

  it('stays in MySQL while Redis does not know which are taken', async () => {
    const [handle = 0] = await issueMany(1)
    await freed(handle, new Date(1_000))
    await redis.client.flushall()
    await expect(handles.sweepFreed()).rejects.toThrow('not complete')
    expect(await db.client.freedHandle.count()).toBe(1)
    await handles.resync()
    expect(await handles.sweepFreed()).toBe(1)
  })

  it('is swept once, however many processes sweep at the same time', async () => {
    const given = await issueMany(5_000)
    await db.client.freedHandle.createMany({ data: given.map((handle) => ({ handle, freedAt: new Date(1_000) })) })
    const swept = await Promise.all(Array.from({ length: 4 }, () => new Handles(redis, db, 90 * DAY).sweepFreed()))
    swept.push(await handles.sweepFreed()) // what one of them held while the others looked
    expect(swept.reduce((total, count) => total + count, 0)).toBe(5_000)
    expect(await redis.client.bitcount(FIRST)).toBe(1)
  })

  it('is not given to an account while it rests, even where Redis believes it free', async () => {
    await freed(10_000_005, new Date())
    await fill(0, [5, 6])
    expect(await insertUnique(handles.source(), (number) => insertAccount(db, number))).toBe('10000006')
  })

  it('rests for ever where handles are never used again', async () => {
    const never = new Handles(redis, db, Number.POSITIVE_INFINITY)
    await freed(10_000_005, new Date(0))
    await redis.client.flushall()
    await never.resync()
    expect(await never.sweepFreed()).toBe(0)
    expect(await bit('10000005')).toBe(1)
  })
})

describe('telling Redis all handles', () => {
  it('covers every segment and both tables, in batches, and does not clear what was given meanwhile', async () => {
    const [given = 0] = await issueMany(1)
    const known = Array.from({ length: 5_000 }, (_, i) => 10_000_000 + i * 17_999)
    const now = new Date()
    await db.client.user.createMany({
      data: known.map((handle) => ({
        id: String(handle),
        name: 'Someone',
        email: `${handle}@example.com`,
        emailVerified: true,
        handle: String(handle),
        createdAt: now,
        updatedAt: now,
      })),
    })
    await db.client.freedHandle.createMany({ data: known.map((handle) => ({ handle: handle + 1, freedAt: now })) })
    await handles.resync()
    for (const handle of [...known, ...known.map((handle) => handle + 1), given]) {
      const key = SEGMENT_KEYS[Math.floor(handle / SEGMENT_SIZE) - 1] ?? ''
      if ((await redis.client.getbit(key, handle % SEGMENT_SIZE)) !== 1) expect.fail(`${handle} is not known`)
    }
  })

  it('is not believed when Redis was flushed in the middle of it', async () => {
    await insertAccount(db, '10000007')
    const flushing = new Handles(redis, new Proxy(db, { get: flushFirst }), 90 * DAY)
    await expect(flushing.resync()).rejects.toThrow('flushed')
    expect(await handles.isStale()).toBe(true)
    expect(await redis.client.exists(FIRST)).toBe(0)
  })
})

/** A gateway to MySQL that flushes Redis before the first read. */
function flushFirst(target: typeof db, property: keyof typeof db): unknown {
  if (property !== 'rows') return target[property]
  return async (sql: string, ...values: unknown[]) => {
    const rows = await target.rows(sql, ...values)
    await redis.client.flushall()
    return rows
  }
}

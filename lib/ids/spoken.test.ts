import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TerseError } from '@/lib/errors'
import { insertLinks } from '@/lib/links/insert'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { insertSpoken, insertUnique } from '@/lib/testing/ids'
import { deletedRow, HOST, linkRow } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { SECRET } from '@/lib/testing/runtime'
import { Permutation } from './permutation'
import { SpokenCodes, type SpokenDigits } from './spoken'

const HOUR = 3_600_000
const GRACE = 10 * 60_000
/** Of a simulated clock. */
const START = 1_800_000_000_000

const server = await testRedis()
const redis = await openRedis(server.url)
const { url } = await testDatabase()
const db = openGateway(url, 4)
await db.client.domain.createMany({
  data: [HOST, 'other.test'].map((host) => ({ host, createdAt: new Date(), spokenCodes: true })),
})
const spoken = new SpokenCodes(redis, db, SECRET, GRACE, HOST)

const fresh = async () => {
  await redis.client.flushall()
  await spoken.resync()
}

beforeEach(async () => {
  await db.client.link.deleteMany()
  await db.client.deletedLink.deleteMany()
  await fresh()
})

/** So many numbers at the same time of the simulated clock; the error, where there was none left. */
const issueMany = (count: number, digits: SpokenDigits, busyUntil: number, now: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      spoken.issue(digits, busyUntil, now).then(
        ({ code }) => code,
        (error: TerseError) => error,
      ),
    ),
  )

const codesOf = (answers: (string | TerseError)[]) => answers.filter((answer) => typeof answer === 'string')

describe('a spoken code', () => {
  it.each([4, 5, 6] as const)('has %i digits, leading zeros included', async (digits) => {
    const codes = codesOf(await issueMany(300, digits, START + HOUR, START))
    expect(new Set(codes).size).toBe(300)
    for (const code of codes) expect(code).toMatch(new RegExp(`^\\d{${digits}}$`))
    expect(codes.some((code) => code.startsWith('0'))).toBe(true)
  })

  it('is each of the 10,000 once before any comes again', async () => {
    const codes = codesOf(await issueMany(10_000, 4, START + 1, START))
    expect(new Set(codes).size).toBe(10_000)
    // All are free again, and the cycle goes on where it began.
    expect(codesOf(await issueMany(10, 4, START + HOUR, START + 1))).toEqual(codes.slice(0, 10))
  })

  it('does not tell the next one', async () => {
    const codes = codesOf(await issueMany(1_000, 6, START + HOUR, START)).map(Number)
    const steps = codes.slice(1).map((code, i) => (code - (codes[i] ?? 0) + 1_000_000) % 1_000_000)
    // Of a thousand steps drawn from a million, more than a handful alike is beyond chance.
    expect(new Set(steps).size).toBeGreaterThan(990)
  })

  it('never comes again before its time is over, whatever the times, and there is always one when one is free', async () => {
    const step = fc.record({
      pass: fc.oneof(fc.constant(0), fc.nat(2 * HOUR)),
      busyFor: fc.integer({ min: 1, max: 6 * HOUR }),
      count: fc.integer({ min: 1, max: 4_000 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
        await fresh()
        const busy = new Map<string, number>()
        let now = START
        for (const { pass, busyFor, count } of steps) {
          now += pass
          for (const [code, until] of busy) if (until <= now) busy.delete(code)
          for (const answer of await issueMany(count, 4, now + busyFor, now)) {
            if (typeof answer === 'string') {
              if (busy.has(answer)) expect.fail(`${answer} was given ${(busy.get(answer) ?? 0) - now} ms too soon`)
              busy.set(answer, now + busyFor)
            } else {
              expect(answer).toMatchObject({ code: 'unavailable' })
              expect(busy.size).toBe(10_000)
              expect(answer.retryAfter).toBe(Math.ceil((Math.min(...busy.values()) - now) / 1000))
            }
          }
        }
      }),
      { numRuns: 6 },
    )
  })

  it('is refused while all are busy, with the time at which the next one frees', async () => {
    await issueMany(9_999, 4, START + 5 * HOUR, START)
    await issueMany(1, 4, START + HOUR, START)
    const error = (await issueMany(1, 4, START + HOUR, START))[0]
    expect(error).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 3_600 })
    expect(error).toMatchObject({ said: { values: { freeAt: START + HOUR } } })
    expect(await issueMany(1, 4, START + HOUR, START + HOUR - 1)).toEqual([expect.objectContaining({ retryAfter: 1 })])
    expect(codesOf(await issueMany(2, 4, START + 9 * HOUR, START + HOUR))).toHaveLength(1)
  })

  it('is not refused for what only seems to be busy', async () => {
    await redis.client.set('{spoken:4}:busy', Buffer.alloc(10_000 / 8, 0xff))
    expect((await spoken.issue(4, START, START)).code).toMatch(/^\d{4}$/)
    expect(await spoken.isStale()).toBe(true)
  })

  it('of one length does not use up those of another', async () => {
    await issueMany(10_001, 4, START + HOUR, START)
    expect(codesOf(await issueMany(1, 5, START + HOUR, START))).toHaveLength(1)
  })

  it("goes by the server's clock unless told another", async () => {
    const { code } = await spoken.issue(4, Date.now() + HOUR)
    const position = new Permutation(SECRET, 10_000).backward(Number(code))
    await redis.client.hset('{spoken:4}:about', 'next', position)
    expect((await spoken.issue(4, 0)).code).not.toBe(code)
    await redis.client.hset('{spoken:4}:about', 'next', position)
    await redis.client.zadd('{spoken:4}:until', Date.now() - 1, position)
    expect((await spoken.issue(4, 0)).code).toBe(code)
  })

  it.each(['{spoken:4}:busy', '{spoken:4}:until'])(
    'is drawn at random while %s is missing, until all was added again',
    async (key) => {
      const { code } = await spoken.issue(4, Date.now() + HOUR)
      await redis.client.del(key)
      expect((await spoken.issue(4, Date.now() + HOUR)).code).toMatch(/^\d{4}$/)
      expect(await spoken.isStale()).toBe(true)
      await insertSpoken(db, code, new Date(Date.now() + HOUR), GRACE)
      await spoken.resync()
      expect(await spoken.isStale()).toBe(false)
      const position = new Permutation(SECRET, 10_000).backward(Number(code))
      expect(await redis.client.getbit('{spoken:4}:busy', position)).toBe(1)
      expect(Number(await redis.client.zscore('{spoken:4}:until', position))).toBeGreaterThan(Date.now())
    },
  )
})

describe('telling Redis all spoken codes', () => {
  it('covers those that are alive or rest on any domain, and goes on behind the newest', async () => {
    const now = Date.now()
    const alive = linkRow({ code: '0004', expiresAt: new Date(now + HOUR) })
    const resting = linkRow({ code: '0005', expiresAt: new Date(now - GRACE + 60_000), id: alive.id + 2n })
    const elsewhere = linkRow({
      code: '0006',
      expiresAt: new Date(now + HOUR),
      id: alive.id + 1n,
      fullShortUrl: 'other.test/0006',
    })
    const rested = linkRow({ code: '0007', expiresAt: new Date(now - GRACE - 1), id: alive.id + 3n })
    const longer = linkRow({ code: '00081', expiresAt: new Date(now + HOUR), id: alive.id + 4n })
    const word = linkRow({ code: '0008abc', expiresAt: new Date(now + HOUR), id: alive.id + 5n })
    const deleted = deletedRow(
      linkRow({ id: alive.id - 1n, code: '0009', expiresAt: new Date(now + HOUR) }),
      new Date(now - GRACE + 60_000),
    )
    await db.client.deletedLink.create({ data: deleted })
    await insertLinks(db.client, [alive, resting, elsewhere, rested, longer, word])
    await fresh()
    const given = codesOf(await issueMany(10_000, 4, now + HOUR, now))
    expect(given).toHaveLength(9_996)
    for (const code of ['0004', '0005', '0006', '0009']) expect(given).not.toContain(code)
    for (const code of ['0007', '0008']) expect(given).toContain(code)
    const cycle = new Permutation(SECRET, 10_000)
    const next = (cycle.backward(5) + 1) % 10_000
    expect(cycle.backward(Number(given[0]))).toBe(next)
  })

  it('keeps a number busy for as long as the later of both says', async () => {
    const now = Date.now()
    const { code } = await spoken.issue(4, now + 9 * HOUR)
    await insertSpoken(db, code, new Date(now + HOUR), GRACE)
    await spoken.resync()
    const position = new Permutation(SECRET, 10_000).backward(Number(code))
    expect(Number(await redis.client.zscore('{spoken:4}:until', position))).toBe(now + 9 * HOUR)
  })

  it('begins anywhere when nothing is known', async () => {
    const firsts = new Set<string>()
    for (let i = 0; i < 5; i++) {
      await fresh()
      firsts.add((await spoken.issue(6, START, START)).code)
    }
    expect(firsts.size).toBeGreaterThan(3)
  })

  it('happens before another number is tried when one was taken', async () => {
    const { code } = await spoken.issue(4, Date.now() + HOUR)
    const position = new Permutation(SECRET, 10_000).backward(Number(code))
    // As an old copy has it, with the twenty that follow in MySQL but not in Redis.
    await redis.client.hset('{spoken:4}:about', 'next', position + 1)
    const following = Array.from({ length: 20 }, (_, i) =>
      String(new Permutation(SECRET, 10_000).forward((position + 1 + i) % 10_000)).padStart(4, '0'),
    )
    for (const taken of following) await insertSpoken(db, taken, new Date(Date.now() + HOUR), GRACE)
    const tried: string[] = []
    await insertUnique(spoken.source(4, Date.now() + HOUR), (number) => {
      tried.push(number)
      return insertSpoken(db, number, new Date(Date.now() + HOUR), GRACE)
    })
    expect(tried).toHaveLength(2)
    expect(following).not.toContain(tried[1])
  })
})

it('the admin sees how many are busy of each length, and the last one', async () => {
  const { code } = await spoken.issue(5, Date.now() + HOUR)
  await spoken.issue(4, Date.now() - 1)
  const [four, five, six] = (await spoken.state()).parts
  expect(four).toMatchObject({ part: '4', used: 0, capacity: 10_000 })
  expect(five).toEqual({ part: '5', used: 1, capacity: 100_000, last: code })
  expect(six).toEqual({ part: '6', used: 0, capacity: 1_000_000, last: null })
})

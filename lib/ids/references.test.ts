import { beforeEach, describe, expect, it } from 'vitest'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { insertReport, insertUnique } from '@/lib/testing/ids'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { controlOf, replicate } from '@/lib/testing/sentinel'
import { makePool, poolKeys } from './pools'
import { References } from './references'

const server = await testRedis()
const redis = await openRedis(server.url)
const { url, connection } = await testDatabase()
const db = openGateway(url, 4)
// Far from today: Redis deletes at once what was to end before.
const NOON = new Date('2076-11-21T12:00:00Z')
const DAY = '761121'
const about = poolKeys.about(DAY)
let references: References

beforeEach(async () => {
  // A machine that was busy for long may have cut the connection off.
  await eventually(() => redis.client.flushall())
  await db.client.report.deleteMany()
  references = new References(redis, db)
})

const issueMany = (count: number, now = NOON) => Promise.all(Array.from({ length: count }, () => references.issue(now)))

/** Makes MySQL have these numbers of the day. */
async function insertMany(numbers: number[]): Promise<void> {
  for (let from = 0; from < numbers.length; from += 10_000) {
    const rows = numbers
      .slice(from, from + 10_000)
      .map((number) => `(${number}, '${DAY}${number}', '', '', 'spam', '', '', NOW())`)
    await connection.query(
      `INSERT INTO Report (id, reference, fullShortUrl, url, reason, details, answer, createdAt) VALUES ${rows.join(',')}`,
    )
  }
}

const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)

/** The whole pool in its order. */
async function poolOf(day: string): Promise<string[]> {
  const { size, digits } = await redis.client.hgetall(poolKeys.about(day))
  const count = Math.ceil(Number(size) / 1000)
  const keys = Array.from({ length: count }, (_, list) => poolKeys.list(day, digits === '6' ? 6 : 5, list))
  return (await Promise.all(keys.map((key) => redis.client.lrange(key, 0, -1)))).flat()
}

describe('a reference', () => {
  it('is the UTC day and a number of 5 digits', async () => {
    expect(await references.issue(new Date('2076-12-31T23:59:59.999Z'))).toMatch(/^761231[1-9]\d{4}$/)
    expect(await references.issue(new Date('2027-01-01T00:00:00Z'))).toMatch(/^270101[1-9]\d{4}$/)
  })

  it('comes from the pool of the day, list after list to its end, then from one of 6 digits', async () => {
    const given = await issueMany(2_500)
    const pool = (await poolOf(DAY)).map((number) => DAY + number)
    expect(given.sort()).toEqual(pool.slice(0, 2_500).sort())
    await redis.client.hset(about, 'count', 87_950)
    const last = await issueMany(2_050)
    expect(last.sort()).toEqual(pool.slice(87_950).sort())
    const more = await issueMany(1_500)
    expect(new Set(more).size).toBe(1_500)
    for (const reference of more) if (!/^761121[1-9]\d{5}$/.test(reference)) expect.fail(reference)
    expect(await references.isStale()).toBe(false) // none of them was drawn without Redis
    const [part] = (await references.state(NOON)).parts
    expect(part).toMatchObject({ part: '2076-11-21', used: 1_500, capacity: 900_000 })
    expect(more).toContain(part?.last)
  })

  it('is refused in clear words when all 990,000 of the day are given, until it ends', async () => {
    await issueMany(1)
    await redis.client.hset(about, 'count', 90_000)
    await issueMany(1)
    await redis.client.hset(about, 'count', 899_999)
    await issueMany(1)
    await expect(issueMany(1)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 12 * 3_600 })
    expect(await references.issue(new Date('2076-11-22T00:00:00Z'))).toMatch(/^761122\d{5}$/)
  })

  it('comes in one round trip, but for the first of a day and of every thousandth when others draw too', async () => {
    await issueMany(1)
    const calls = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.client.info('commandstats'))?.[1] ?? 0)
    const before = await calls()
    await issueMany(5_000)
    expect((await calls()) - before).toBe(5_000)
    const other = new References(redis, db)
    await other.issue(NOON)
    expect((await calls()) - before).toBe(5_002) // it had to be told where the others are
  })

  it('does not tell the order, nor how many there were', async () => {
    const given = (await issueMany(10_000)).map((reference) => Number(reference.slice(6)))
    const rising = given.filter((number, i) => i > 0 && number > (given[i - 1] ?? 0)).length / given.length
    const mean = given.reduce((sum, number) => sum + number, 0) / given.length / 110_000
    // Six standard deviations of 10,000 random numbers.
    for (const share of [rising, mean]) expect(Math.abs(share - 0.5)).toBeLessThan(0.02)
  })
})

describe('the pool of a day', () => {
  it('lies in 90 lists of 1,000, shuffled again for each day, and ends by itself', async () => {
    await issueMany(1)
    await references.issue(new Date('2076-11-22T12:00:00Z'))
    const [one, other] = [await poolOf(DAY), await poolOf('761122')]
    expect([...one].sort()).toEqual(numbersFrom(10_000, 90_000).map(String))
    expect(one.filter((number, i) => number === other[i]).length).toBeLessThan(15)
    const keys = await redis.client.keys('{reports:761121}:*')
    expect(keys).toHaveLength(91)
    const lists = keys.filter((key) => key !== about)
    expect(await Promise.all(lists.map((key) => redis.client.llen(key)))).toEqual(Array(90).fill(1000))
    const end = Date.UTC(2076, 10, 24) / 1000
    for (const key of keys) expect(await redis.client.expiretime(key)).toBe(end)
  })

  it('is of one maker only, however many make one at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => makePool(redis, db, { day: DAY, digits: 5, found: '' })))
    expect(made).toEqual(Array(5).fill(true))
    expect([...(await poolOf(DAY))].sort()).toEqual(numbersFrom(10_000, 90_000).map(String))
    expect(await redis.client.keys('*')).toHaveLength(91) // nothing is left of the others
  })

  it('is not to be believed by what a replica was told of it', async () => {
    const replica = controlOf((await testRedis()).url)
    await replicate(server.url, replica)
    await makePool(redis, db, { day: DAY, digits: 5, found: '' })
    const { run, ...known } = await redis.client.hgetall(about)
    expect(run).not.toBe('')
    await expect.poll(() => replica.hgetall(about), { timeout: 10_000 }).toEqual(known)
  })

  it('leaves out what MySQL has, and is of 6 digits when that is all', async () => {
    await insertMany(numbersFrom(10_000, 89_990))
    await insertReport(db, '76112012345') // of another day
    const last = await issueMany(10)
    expect(last.sort()).toEqual(numbersFrom(99_990, 10).map((number) => `${DAY}${number}`))
    await insertMany(numbersFrom(99_990, 10))
    // A machine that was busy for long may have cut the connection off.
    await eventually(() => redis.client.flushall())
    expect((await issueMany(1))[0]).toMatch(/^761121\d{6}$/)
  })

  it('is made again before another number is tried when one was taken', async () => {
    const given = await issueMany(50)
    for (const reference of given) await insertReport(db, reference)
    await redis.client.hset(about, 'count', 0) // as an old copy has it
    const tried: string[] = []
    const insert = (reference: string) => {
      tried.push(reference)
      return insertReport(db, reference)
    }
    await insertUnique(references.source(NOON), insert)
    expect(tried).toHaveLength(2)
    expect(given[0]).toBe(tried[0])
    expect(given).not.toContain(tried[1])
  })

  it('is made again when a list of it is missing', async () => {
    const given = await issueMany(5)
    for (const reference of given) await insertReport(db, reference)
    await redis.client.del(poolKeys.list(DAY, 5, 0))
    expect(given).not.toContain((await issueMany(1))[0])
    const pool = await poolOf(DAY)
    expect(pool).toHaveLength(89_995)
    for (const reference of given) expect(pool).not.toContain(reference.slice(6))
    expect(await references.isStale()).toBe(false)
  })
})

it('without Redis references are random, and of 6 digits when those of 5 are taken again and again', async () => {
  await server.stop()
  const lengths = await Promise.all([0, 1, 2, 3, 9].map(async (attempt) => (await references.issue(NOON, attempt)).length))
  await server.start()
  expect(await redis.connected(10_000)).toBe(true)
  expect(lengths).toEqual([11, 11, 11, 12, 12])
  expect(await references.isStale()).toBe(true)
})

import { beforeEach, describe, expect, it } from 'vitest'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { insertJob, insertUnique } from '@/lib/testing/ids'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { DAILY, JobNumbers } from './jobs'

const server = await testRedis()
const redis = await openRedis(server.url)
const { url } = await testDatabase()
const db = openGateway(url, 4)
const jobs = new JobNumbers(redis, db, 7)
const at = (text: string) => new Date(`${text}Z`)
const add = (days: string[]) => redis.client.hset(DAILY, Object.fromEntries(days.map((day) => [day, 1])))

beforeEach(async () => {
  await redis.client.flushall()
  await db.client.job.deleteMany()
  await jobs.resync()
})

describe('job numbers', () => {
  it('count from 00001 each UTC day, whatever the time zone', async () => {
    const times = ['2026-11-21T23:59:59.998', '2026-11-21T23:59:59.999', '2026-11-22T00:00:00.000', '2026-11-22T00:00:00.001']
    const given: string[] = []
    for (const time of times) given.push(await jobs.issue(at(time)))
    expect(given).toEqual(['2026112100001', '2026112100002', '2026112200001', '2026112200002'])
  })

  it('are never shared by two servers whose clocks disagree across midnight', async () => {
    const ahead = new JobNumbers(await openRedis(server.url), db, 7)
    const given: string[] = []
    for (let i = 0; i < 20; i++) {
      const truth = at('2026-11-21T23:59:50').getTime() + i * 1_000
      given.push(...(await Promise.all([jobs.issue(new Date(truth)), ahead.issue(new Date(truth + 5_000))])))
    }
    expect(new Set(given).size).toBe(40)
    expect(given.filter((number) => number.startsWith('20261121'))).toHaveLength(15)
  })

  it('grow to six digits past 99,999', async () => {
    await jobs.issue(at('2026-11-21T12:00:00'))
    await redis.client.hset(DAILY, '20261121', 99_998)
    const given = [await jobs.issue(at('2026-11-21T12:00:00')), await jobs.issue(at('2026-11-21T12:00:00'))]
    expect(given).toEqual(['2026112199999', '20261121100000'])
  })

  it('go on after the greatest in MySQL where Redis has no counter of the day', async () => {
    for (const number of ['2026112100007', '20261121100003', '2026112099999']) await insertJob(db, number)
    expect(await jobs.issue(at('2026-11-21T12:00:00'))).toBe('20261121100004')
    expect(await jobs.issue(at('2026-11-21T12:00:00'))).toBe('20261121100005')
  })

  it('go on after the greatest in MySQL once one was refused', async () => {
    const now = at('2026-11-21T12:00:00')
    await jobs.issue(now)
    for (let i = 2; i < 40; i++) await insertJob(db, `20261121${String(i).padStart(5, '0')}`)
    let tries = 0
    const insert = (number: string) => {
      tries += 1
      return insertJob(db, number)
    }
    expect(await insertUnique(jobs.source(now), insert)).toBe('2026112100040')
    expect(tries).toBe(2)
  })

  it('are told to the admin with the last one of each day, newest first', async () => {
    await jobs.issue(at('2026-11-21T12:00:00'))
    await jobs.issue(at('2026-11-22T12:00:00'))
    await jobs.issue(at('2026-11-22T12:00:00'))
    expect(await jobs.state()).toEqual({
      name: 'job',
      up: true,
      parts: [
        { part: '2026-11-22', used: 2, capacity: null, last: '2026112200002' },
        { part: '2026-11-21', used: 1, capacity: null, last: '2026112100001' },
      ],
    })
  })
})

describe('the clean-up of counters', () => {
  it.each([
    { days: 5, today: '2026-03-01', first: '20260224' },
    { days: 5, today: '2028-03-01', first: '20280225' }, // a leap year
    { days: 7, today: '2026-01-03', first: '20251227' },
    { days: 1, today: '2026-11-21', first: '20261120' },
  ])('removes what lies more than $days calendar days before $today, and nothing else', async ({ days, today, first }) => {
    const before = String(Number(first) - 1)
    const kept = [first, today.replaceAll('-', ''), '20991231']
    await add([before, '20200229', ...kept])
    for (const time of ['00:00:00.000', '23:59:59.999']) {
      await add([before])
      expect(await new JobNumbers(redis, db, days).cleanUp(at(`${today}T${time}`))).toBeGreaterThan(0)
      expect((await redis.client.hkeys(DAILY)).sort()).toEqual([...kept].sort())
    }
    expect(await new JobNumbers(redis, db, days).cleanUp(at(`${today}T12:00:00`))).toBe(0)
  })

  it('never makes a number come again: its counter begins where MySQL ends', async () => {
    const now = at('2026-11-21T12:00:00')
    await insertJob(db, await jobs.issue(now))
    await insertJob(db, await jobs.issue(now))
    expect(await jobs.cleanUp(at('2027-11-21T12:00:00'))).toBe(1)
    expect(await jobs.issue(now)).toBe('2026112100003')
  })
})

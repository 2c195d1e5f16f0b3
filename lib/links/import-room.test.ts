import { beforeAll, expect, it } from 'vitest'
import { cancelJobs } from '@/lib/jobs/queue'
import { sweepJobs } from '@/lib/jobs/sweep'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { queueImport } from './import-job'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, IMPORT_ROWS: '10' })
ctx.jobs.close()
beforeAll(async () => {
  for (const id of ['alice', 'bob']) await keepAccount(ctx.db, id)
})

const queue = (id: string, rows: number) =>
  queueImport(ctx, { account: { id }, address: null }, `url\n${'https://example.com/\n'.repeat(rows)}`)
const parts = async () => Number((await connection.query('SELECT COUNT(*) AS n FROM JobPart'))[0].n)

it('an account has so many links in unfinished imports, with requests at once too, and what is refused leaves nothing', async () => {
  await expect(queue('alice', 11)).rejects.toMatchObject({ code: 'validation_failed' })
  const asked = await Promise.allSettled([queue('alice', 6), queue('alice', 6), queue('alice', 6)])
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toEqual([expect.objectContaining({ code: 'conflict' }), expect.objectContaining({ code: 'conflict' })])
  expect(refused[0].message).toContain('more than 10 links or 16 MB')
  await queue('alice', 4)
  await queue('bob', 10)
  expect(await parts()).toBe(3)
  await ctx.db.write((client) => cancelJobs(client, { userId: 'alice' }))
  await queue('alice', 10)
})

it('what a job was to get that never came to be goes with a sweep, and not while it may still come', async () => {
  const [bobs] = await connection.query<{ id: bigint }[]>("SELECT id FROM Job WHERE userId = 'bob'")
  await connection.query('DELETE FROM Job WHERE id = ?', [bobs?.id])
  const left = async (now: number) => {
    await sweepJobs(ctx.db, now)
    return Number((await connection.query('SELECT COUNT(*) AS n FROM JobPart WHERE jobId = ?', [bobs?.id]))[0].n)
  }
  expect([await left(Date.now()), await left(Date.now() + 3_600_000)]).toEqual([1, 0])
})

it('counts a list for what is stored of it, where that is much more than was sent', async () => {
  await ctx.db.write((client) => cancelJobs(client, { userId: 'alice' }))
  const list = (filler: string) => `url,code,expiredUrl,domain\n${`x${`,${filler.repeat(9_990)}`.repeat(3)}\n`.repeat(10)}`
  const room = async (filler: string) => {
    const { number } = await queueImport(ctx, { account: { id: 'alice' }, address: null }, list(filler))
    const { input } = await ctx.db.client.job.findUniqueOrThrow({ where: { number } })
    await ctx.db.write((client) => cancelJobs(client, { userId: 'alice' }))
    return JSON.parse(input).bytes
  }
  expect(await room('a')).toBe(Buffer.byteLength(list('a')))
  expect(await room('\u0001')).toBeGreaterThan(3 * 10 * 9_990 * 2.9)
})

import { beforeAll, expect, it } from 'vitest'
import { cancelJobs } from '@/lib/jobs/queue'
import { sweepJobs } from '@/lib/jobs/sweep'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { HOUR } from '@/lib/tools/time'
import { withResolvers } from '@/lib/tools/with-resolvers'
import { queueImport } from './import-queue'

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
  expect(refused[0].message).toContain('more than 10 links or 256 MB')
  await queue('alice', 4)
  await queue('bob', 10)
  expect(await parts()).toBe(3)
  await ctx.db.write((client) => cancelJobs(client, { userId: 'alice' }))
  await queue('alice', 10)
})

it('what was only checked gives way to a list that needs its room', async () => {
  await ctx.db.write((client) => cancelJobs(client, { userId: 'alice' }))
  const checked = await queue('alice', 8)
  await connection.query("UPDATE Job SET state = 'checked', mode = 'check' WHERE number = ?", [checked.number])
  const small = await queue('alice', 2)
  expect((await ctx.db.client.job.findUniqueOrThrow({ where: { number: checked.number } })).state).toBe('checked')
  await queue('alice', 3)
  const states = await ctx.db.client.job.findMany({
    where: { number: { in: [checked.number, small.number] } },
    orderBy: { id: 'asc' },
  })
  expect(states.map(({ state }) => state)).toEqual(['cancelled', 'queued'])
  await expect(queue('alice', 9)).rejects.toMatchObject({ code: 'conflict' })
  await ctx.db.write((client) => cancelJobs(client, { userId: 'alice' }))
})

it('an account can send two files at the same time: none of more is read, as each could take the room of all', async () => {
  for (const userId of ['alice', 'bob']) await ctx.db.write((client) => cancelJobs(client, { userId }))
  const { promise, resolve: end } = withResolvers<void>()
  let begun = 0
  async function* bytes() {
    begun += 1
    yield Buffer.from('url\n')
    await promise
    yield Buffer.from('https://example.com/\n')
  }
  const send = (id: string) => queueImport(ctx, { account: { id }, address: null }, { format: 'csv', bytes: bytes() })
  const [one, two] = [send('alice'), send('alice')]
  await eventually(() => expect(begun).toBe(2))
  await expect(send('alice')).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('being uploaded') })
  const bobs = send('bob')
  await eventually(() => expect(begun).toBe(3))
  end()
  await Promise.all([one, two, bobs])
  await send('alice')
  for (const userId of ['alice', 'bob']) await ctx.db.write((client) => cancelJobs(client, { userId }))
})

it('what a job was to get that never came to be goes with a sweep, and not while it may still come', async () => {
  const [bobs] = await connection.query<{ id: bigint }[]>("SELECT id FROM Job WHERE userId = 'bob'")
  await connection.query('DELETE FROM Job WHERE id = ?', [bobs?.id])
  const left = async (now: number) => {
    await sweepJobs(ctx.db, now)
    return Number((await connection.query('SELECT COUNT(*) AS n FROM JobPart WHERE jobId = ?', [bobs?.id]))[0].n)
  }
  // A file takes up to an hour to arrive.
  const now = Date.now()
  expect([await left(now), await left(now + HOUR), await left(now + 2 * HOUR)]).toEqual([1, 1, 0])
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

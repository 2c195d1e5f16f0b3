import { expect, it } from 'vitest'
import { cancelJobs } from '@/lib/jobs/queue'
import { sweepJobs } from '@/lib/jobs/sweep'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { postCancel } from './jobs'
import { postImport } from './links-import'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, RATE_LIMIT: 'on' })

const LIST = `url\n${Array.from({ length: 2_500 }, (_, row) => `https://example.com/${row}`).join('\n')}\n`
const send = (visitor: Visitor) =>
  visitor.ask(
    (request: Request) => {
      const headers = new Headers([...request.headers, ['content-type', 'text/csv']])
      return postImport(new Request(request.url, { method: 'POST', headers, body: LIST }), { params: Promise.resolve({}) })
    },
    'POST',
    '/api/v1/links/import',
  )
const parts = async () => Number((await connection.query('SELECT COUNT(*) AS n FROM JobPart'))[0].n)

it('lists of imports that are cancelled take no room, and one account sends ten a minute, from wherever', async () => {
  const visitor = new Visitor(ctx, '203.0.113.1')
  const { id } = await visitor.signUp()
  for (let i = 0; i < 10; i++) {
    visitor.address = `198.51.100.${i}`
    const { status, body } = await send(visitor)
    expect(status).toBe(202)
    const path = `/api/v1/jobs/${body.number}/cancel`
    if (i < 9) await visitor.ask(postCancel, 'POST', path, undefined, {}, { number: body.number })
    expect(await parts()).toBe(i < 9 ? 0 : 3)
  }
  visitor.address = '198.51.100.99'
  expect((await send(visitor)).status).toBe(429)
  // As a ban cancels: what that leaves goes with the next sweep.
  await ctx.db.write((client) => cancelJobs(client, { userId: id }))
  await sweepJobs(ctx.db, Date.now())
  expect(await parts()).toBe(0)
})

import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { say } from '@/lib/i18n/message'
import { createJob, findJob } from '@/lib/jobs/store'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { getJob, getJobFile, getJobItems, getJobs, postCancel } from './jobs'
import { getLinks, postBulk, postLink, postSpoken } from './links'
import { getAllLinks, postAdminBulk } from './links-admin'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

const [alice, bob, admin] = [new Visitor(ctx), new Visitor(ctx), new Visitor(ctx)]
let aliceId = ''
beforeAll(async () => {
  aliceId = (await alice.signUp()).id
  await bob.signUp()
  const { id, email } = await admin.signUp()
  await connection.query("UPDATE User SET role = 'admin' WHERE id = ?", [id])
  await admin.signIn(email)
})

const make = async (by: Visitor, path: string) =>
  (await by.ask(postLink, 'POST', '/api/v1/links', { url: `https://example.com/${path}` })).body
const about = (by: Visitor, handler: typeof getJob, number: string, method = 'GET') =>
  by.ask(handler, method, `/api/v1/jobs/${number}`, undefined, {}, { number })
const done = (by: Visitor, number: string) =>
  vi.waitFor(
    async () => {
      const { body } = await about(by, getJob, number)
      expect(body).toMatchObject({ state: 'done' })
      return body
    },
    { timeout: 30_000, interval: 20 },
  )
const listed = async (by: Visitor, query = '') =>
  (await by.ask(getLinks, 'GET', `/api/v1/links${query}`)).body.links.map(({ id }: { id: string }) => id)

describe('jobs over the API', () => {
  it('delete many links and bring them back, which only their owner and admins can watch', async () => {
    const ids = [(await make(alice, 'a')).id, (await make(alice, 'b')).id]
    const { status, headers, body: job } = await alice.ask(postBulk, 'POST', '/api/v1/links/bulk', { action: 'delete', ids })
    expect([status, headers.get('location')]).toEqual([202, `http://terse.test/api/v1/jobs/${job.number}`])
    expect(job).toMatchObject({ kind: 'links', title: 'Delete 2 links', total: 2 })
    expect(await done(alice, job.number)).toMatchObject({ done: 2, failed: 0, error: '', hasFile: false })
    expect(await listed(alice)).toEqual([])
    expect((await listed(alice, '?state=deleted')).sort()).toEqual(ids.sort())
    const items = await about(alice, getJobItems, job.number)
    expect(items.body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['done', 'done'])
    for (const handler of [getJob, getJobItems, getJobFile]) {
      expect((await about(bob, handler, job.number)).status).toBe(404)
      expect((await about(new Visitor(ctx), handler, job.number)).status).toBe(401)
    }
    expect((await about(bob, postCancel, job.number, 'POST')).status).toBe(404)
    expect((await bob.ask(getJobs, 'GET', '/api/v1/jobs')).body.jobs).toEqual([])
    expect((await about(admin, getJob, job.number)).status).toBe(200)
    const undo = await alice.ask(postBulk, 'POST', '/api/v1/links/bulk', { action: 'restore', ids })
    await done(alice, undo.body.number)
    expect((await listed(alice)).sort()).toEqual(ids)
    const mine = await alice.ask(getJobs, 'GET', '/api/v1/jobs?limit=1')
    expect(mine.body).toMatchObject({ jobs: [{ number: undo.body.number }], nextCursor: expect.any(String) })
    expect((await alice.ask(getJobs, 'GET', `/api/v1/jobs?cursor=${mine.body.nextCursor}`)).body.jobs).toHaveLength(1)
  })

  it('refuse ids that are none, too many, and cursors that are not ours', async () => {
    const refused = async (ids: string[]) =>
      (await alice.ask(postBulk, 'POST', '/api/v1/links/bulk', { action: 'delete', ids })).status
    expect([await refused([]), await refused(['x']), await refused(['9999999999999999999'])]).toEqual([422, 422, 422])
    expect(await refused(Array.from({ length: 1_001 }, (_, i) => `${i}`))).toBe(422)
    for (const cursor of ['x', '-1', '1-1-1']) {
      expect((await alice.ask(getJobs, 'GET', `/api/v1/jobs?cursor=${cursor}`)).status, cursor).toBe(400)
      expect((await alice.ask(getLinks, 'GET', `/api/v1/links?state=deleted&cursor=1-${cursor}`)).status, cursor).toBe(400)
    }
    const beyond = '9999999999999999999'
    expect((await alice.ask(getJobs, 'GET', `/api/v1/jobs?cursor=${beyond}`)).status).toBe(200)
    expect((await alice.ask(getLinks, 'GET', `/api/v1/links?state=deleted&cursor=1-${beyond}`)).status).toBe(200)
  })

  it('hand out a file of several parts as one text, to its owner alone', async () => {
    const { number } = await createJob(
      ctx,
      { account: { id: aliceId }, address: null },
      { kind: 'export', title: say('api.job.export'), input: 'none', total: 0 },
    )
    const { id } = await findJob(ctx, null, number)
    const parts = ['{"name":"Zoë', ` ${'x'.repeat(100_000)}`, '"}']
    const file = parts.map((text, part) => ({ jobId: id, part, content: new Uint8Array(gzipSync(text)) }))
    await ctx.db.client.jobFile.createMany({ data: file })
    await connection.query("UPDATE Job SET state = 'done', result = 'file' WHERE id = ?", [id])
    const { status, headers, body } = await about(alice, getJobFile, number)
    expect([status, body]).toEqual([200, JSON.parse(parts.join(''))])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="terse-export-${number}.json"`)
    expect((await about(admin, getJobFile, number)).status).toBe(404)
  })

  it('of admins reach the links of everyone, and their lists tell whose they are', async () => {
    const [hers, his] = [await make(alice, 'unusual-word'), await make(bob, 'unusual-word')]
    const all = async (by: Visitor, query: string) => by.ask(getAllLinks, 'GET', `/api/v1/admin/links?${query}`)
    expect((await all(alice, '')).status).toBe(403)
    const { body } = await all(admin, 'q=unusual')
    expect(body.links.map(({ id }: { id: string }) => id)).toEqual([his.id, hers.id])
    expect(body.links[1].owner).toMatchObject({ id: aliceId, name: 'Someone' })
    expect((await all(admin, `q=unusual&owner=${aliceId}`)).body.links).toHaveLength(1)
    expect((await all(admin, 'q=unusual&owner=none')).body.links).toEqual([])
    expect((await all(admin, 'q=unusual&domain=terse.test')).body.links).toHaveLength(2)
    expect((await all(admin, 'domain=elsewhere.example')).status).toBe(422)
    const ban = { action: 'ban', ids: [hers.id], reason: 'Spam.' }
    expect((await alice.ask(postAdminBulk, 'POST', '/api/v1/admin/links/bulk', ban)).status).toBe(403)
    expect((await alice.ask(postBulk, 'POST', '/api/v1/links/bulk', { ...ban })).status).toBe(422)
    const { status, body: job } = await admin.ask(postAdminBulk, 'POST', '/api/v1/admin/links/bulk', ban)
    expect(status).toBe(202)
    await done(admin, job.number)
    expect((await all(admin, 'q=unusual&state=banned')).body.links).toMatchObject([{ id: hers.id, banReason: 'Spam.' }])
  })
})

describe('a spoken code over the API', () => {
  it('needs no account, and is told with its short URL and its end', async () => {
    const body = { url: 'https://example.com/menu', digits: 5, ttl: 600 }
    const told = await new Visitor(ctx).ask(postSpoken, 'POST', '/api/v1/spoken', body)
    expect(told.status).toBe(201)
    expect(told.body).toMatchObject({
      digits: expect.stringMatching(/^\d{5}$/),
      code: told.body.digits,
      kind: 'spoken',
      url: body.url,
      shortUrl: `http://terse.test/${told.body.digits}`,
      manageToken: expect.any(String),
    })
    expect(told.headers.get('location')).toBe(told.body.shortUrl)
    const left = Date.parse(told.body.expiresAt) - Date.now()
    expect(left).toBeGreaterThan(590_000)
    expect(left).toBeLessThanOrEqual(600_000)
    for (const wrong of [{ digits: 3 }, { ttl: 59 }, { ttl: 604_801 }, { digits: '4' }, { code: '1234' }]) {
      expect((await new Visitor(ctx).ask(postSpoken, 'POST', '/api/v1/spoken', { ...body, ...wrong })).status).toBe(422)
    }
  })
})

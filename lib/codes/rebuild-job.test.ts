import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { postRebuild } from '@/lib/api/system'
import { RunningJob } from '@/lib/jobs/running-job'
import { cancelJob, findJob } from '@/lib/jobs/store'
import { insertLinks } from '@/lib/links/insert'
import { RECONCILER_LOCK, rebuildCodes } from '@/lib/redirect/trust'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { linkRow } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { queueRebuild, rebuildKind } from './rebuild-job'
import { Registry } from './registry'

const LINKS = 5_200 // more than are read at once

const { url, connection } = await testDatabase()
const server = await testRedis()
const redis = await openRedis(server.url)
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url })
/** More patient than the process's own, on a busy machine. */
const registry = new Registry(redis, 0)
const admin = new Visitor(ctx)
const links = Array.from({ length: LINKS }, () => linkRow())

beforeAll(async () => {
  await settled(ctx)
  for (let i = 0; i < LINKS; i += 800) await insertLinks(ctx.db.client, links.slice(i, i + 800))
  const { id } = await admin.signUp()
  by.account.id = id
  await connection.query("UPDATE User SET role = 'admin' WHERE id = ?", [id])
})
beforeEach(async () => {
  await connection.query('DELETE FROM Job')
  await connection.query('DELETE FROM AuditEntry')
  await redis.client.del(RECONCILER_LOCK)
})

const by = { account: { id: '' }, address: null }
const ask = () => admin.ask(postRebuild, 'POST', '/api/v1/admin/rebuild')
const find = (number: string) => findJob(ctx, null, number)
const reached = (number: string, state: string) =>
  vi.waitFor(async () => expect((await find(number)).state).toBe(state), { timeout: 15_000, interval: 20 })
const hold = () => redis.client.set(RECONCILER_LOCK, 'another process')
const release = () => redis.client.del(RECONCILER_LOCK)
const known = async () => {
  const answers = await Promise.all(links.slice(0, 500).map(({ fullShortUrl }) => registry.lookup(fullShortUrl)))
  return answers.filter(({ trusted, mayExist }) => trusted && mayExist).length
}

describe('a rebuild of the filter', () => {
  it('is a job that puts every code into it, tells how far it is, and is written down', async () => {
    // Inserted behind the back of the filter.
    expect(await known()).toBeLessThan(50)
    const { status, body } = await ask()
    expect([status, body]).toEqual([
      202,
      expect.objectContaining({ kind: 'rebuild', title: 'Rebuild the filter of known links' }),
    ])
    await reached(body.number, 'done')
    expect(await find(body.number)).toMatchObject({ done: LINKS, total: LINKS, failed: 0, error: '' })
    expect(await known()).toBe(500)
    const entries = await connection.query('SELECT action, target, details FROM AuditEntry')
    expect(entries).toEqual([{ action: 'filter.rebuild', target: `job ${body.number}`, details: '{}' }])
  })

  it('is one, however many ask at the same time; who comes later is told of the same', async () => {
    await hold()
    const answers = await Promise.all(Array.from({ length: 8 }, ask))
    const [first] = answers
    expect(new Set(answers.map(({ body }) => body.number))).toEqual(new Set([first?.body.number]))
    await reached(first?.body.number, 'running')
    expect((await ask()).body.number).toBe(first?.body.number)
    expect(await ctx.db.client.job.count()).toBe(1)
    await release()
    await reached(first?.body.number, 'done')
    const next = await ask()
    expect(next.body.number).not.toBe(first?.body.number)
    await reached(next.body.number, 'done')
  })

  it('waits while another process mends what Redis holds, and can be stopped meanwhile', async () => {
    await hold()
    const { body } = await ask()
    await reached(body.number, 'running')
    await cancelJob(ctx, await find(body.number))
    await eventually(async () => expect((await queueRebuild(ctx, by)).isNew).toBe(true))
    const [other] = await ctx.db.client.job.findMany({ where: { state: { in: ['queued', 'running'] } } })
    await release()
    await reached(other?.number ?? '', 'done')
    expect((await find(body.number)).state).toBe('cancelled')
  })

  it('gives up with a reason when Redis is emptied under it', async () => {
    class Emptying extends RunningJob<object> {
      override async advance(rows: number): Promise<void> {
        await redis.client.flushall()
        return super.advance(rows)
      }
    }
    await hold()
    const { job } = await queueRebuild(ctx, by)
    await connection.query("UPDATE Job SET state = 'done'") // so that the runner leaves it to this test
    await release()
    const running = rebuildKind<typeof ctx>(rebuildCodes).run(ctx, new Emptying(ctx.db, await find(job.number), {}))
    await expect(running).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Start the rebuild again') })
    await settled(ctx)
  })

  it('is for admins', async () => {
    const visitor = new Visitor(ctx)
    await visitor.signUp()
    expect((await visitor.ask(postRebuild, 'POST', '/api/v1/admin/rebuild')).status).toBe(403)
    expect(await ctx.db.client.job.count()).toBe(0)
  })

  it('without Redis is refused, since there is nothing to rebuild', async () => {
    await server.kill('SIGKILL')
    expect((await ask()).status).toBe(503)
    await server.start()
  })
})

import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Blocklist } from '@/lib/blocklist/blocklist'
import { say } from '@/lib/i18n/message'
import { createJob, findJob, listJobItems } from '@/lib/jobs/store'
import { queueImport } from '@/lib/links/import-queue'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { postRule } from './blocklist'
import { patchDomain } from './domains'
import { patchLink, postBulk, postLink, postRestore, postSpoken, removeLink } from './links'
import { postAdminBulk, postLinkAction } from './links-admin'
import { postImport } from './links-import'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
await settled(ctx)

const BLOCKED = '203.0.113.5'
const FREE = '198.51.100.5'
const [alice, admin] = [new Visitor(ctx), new Visitor(ctx)]
let aliceId = ''
beforeAll(async () => {
  aliceId = (await alice.signUp()).id
  await admin.signUpAsAdmin()
  await block('client', '203.0.113.0/24')
})

type Handler = Parameters<Visitor['ask']>[0]
type Given = { by?: Visitor; from?: string; method?: string; body?: unknown; params?: Record<string, string> }

/** Calls a handler as a client at `from`. */
function ask(handler: Handler, { by = alice, from = FREE, method = 'POST', body, params = {} }: Given) {
  by.address = from
  return by.ask(handler, method, '/api/v1/x', body, {}, params)
}

const importCsv = (csv: string, from: string) =>
  ask(
    (request: Request, context: { params: Promise<Record<string, string>> }) => {
      const headers = new Headers([...request.headers, ['content-type', 'text/csv']])
      return postImport(new Request(request.url, { method: 'POST', headers, body: csv }), context)
    },
    { from },
  )

const block = async (kind: string, value: string) => {
  expect((await ask(postRule, { by: admin, body: { kind, value } })).status).toBe(201)
}
const make = async (href: string, given: object = {}) =>
  (await ask(postLink, { body: { url: href, code: freshCode(), ...given } })).body as { id: string; code: string }
const stateOf = async (id: string) => {
  const [row] = await connection.query<{ state: string }[]>('SELECT state FROM Link WHERE id = ?', [id])
  return row?.state ?? 'deleted'
}

/** What came of each row of a job. */
async function ended({ number }: { number: string }) {
  await vi.waitFor(async () => expect(['done', 'failed', 'cancelled']).toContain((await findJob(ctx, null, number)).state), {
    timeout: 20_000,
    interval: 20,
  })
  const job = await findJob(ctx, null, number)
  return (await listJobItems(ctx, job, { limit: 100 })).items.map(({ outcome, message }) => [outcome, message])
}

describe('who may make links is asked of every way to make, change or bring back one:', () => {
  it('a blocked client makes none, by one request or many', async () => {
    const href = `https://example.com/${freshCode()}`
    const before = await ctx.db.client.link.count()
    expect((await ask(postLink, { from: BLOCKED, body: { url: href } })).status).toBe(403)
    expect((await ask(postLink, { from: BLOCKED, body: { url: href, reuse: true } })).status).toBe(403)
    expect((await ask(postLink, { by: new Visitor(ctx), from: BLOCKED, body: { url: href } })).status).toBe(403)
    expect((await ask(postSpoken, { from: BLOCKED, body: { url: href } })).status).toBe(403)
    expect((await importCsv(`url\n${href}`, BLOCKED)).status).toBe(403)
    expect(await ctx.db.client.link.count()).toBe(before)
  })

  it('a blocked client points no link elsewhere, switches none on and brings none back, and may still take its own away', async () => {
    const [changed, off, deleted, closed] = [
      await make('https://a.test/'),
      await make('https://b.test/'),
      await make('https://c.test/'),
      await make('https://d.test/'),
    ]
    const patch = (code: string, body: object, from: string) => ask(patchLink, { method: 'PATCH', from, body, params: { code } })
    expect((await patch(off.code, { enabled: false }, FREE)).status).toBe(200)
    expect((await ask(removeLink, { method: 'DELETE', params: { code: deleted.code } })).status).toBe(204)
    expect((await patch(changed.code, { url: 'https://e.test/' }, BLOCKED)).status).toBe(403)
    expect((await patch(off.code, { enabled: true }, BLOCKED)).status).toBe(403)
    expect((await ask(postRestore, { from: BLOCKED, params: { code: deleted.code } })).status).toBe(403)
    for (const [action, ids] of [
      ['enable', [off.id]],
      ['restore', [deleted.id]],
    ] as const) {
      const { body } = await ask(postBulk, { from: BLOCKED, body: { action, ids } })
      expect(await ended(body)).toEqual([['failed', expect.stringContaining('your network')]])
    }
    expect([await stateOf(off.id), await stateOf(deleted.id)]).toEqual(['disabled', 'deleted'])
    expect((await patch(closed.code, { enabled: false }, BLOCKED)).status).toBe(200)
    expect((await ask(removeLink, { from: BLOCKED, method: 'DELETE', params: { code: changed.code } })).status).toBe(204)
  })

  it('a client that is blocked while its import waits makes nothing, and its address is forgotten with the end of the job', async () => {
    // Its process has not heard of the rule yet.
    const unaware = { ...ctx, blocklist: new Blocklist(ctx.db, ctx.log) }
    const href = `https://example.com/${freshCode()}`
    const job = await queueImport(unaware, { account: { id: aliceId }, address: BLOCKED }, `url\n${href}`)
    expect(await ended(job)).toEqual([['failed', expect.stringContaining('your network')]])
    expect((await findJob(ctx, null, job.number)).client).toBeNull()
  })

  it('an account that is banned while its request for a job is under way has no job afterwards', async () => {
    const mallory = new Visitor(ctx)
    const { id } = await mallory.signUp()
    await connection.query('UPDATE User SET banned = TRUE WHERE id = ?', [id])
    const queued = createJob(
      ctx,
      { account: { id }, address: FREE },
      { kind: 'links', title: say('api.job.export'), input: {}, total: 0 },
    )
    await expect(queued).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('where a link may lead is asked', () => {
  it('of one that is deleted before the rule and brought back after it, alone, by a job, or by an admin', async () => {
    const [one, many, theirs] = [
      await make('https://late.example/1'),
      await make('https://late.example/2'),
      await make('https://late.example/3'),
    ]
    for (const { code } of [one, many, theirs]) await ask(removeLink, { method: 'DELETE', params: { code } })
    await block('suffix', 'late.example')
    expect((await ask(postRestore, { params: { code: one.code } })).status).toBe(422)
    const { body } = await ask(postBulk, { body: { action: 'restore', ids: [many.id] } })
    expect(await ended(body)).toEqual([['failed', expect.stringContaining('blocked here')]])
    const act = (action: string, id: string) => ask(postLinkAction, { by: admin, body: {}, params: { id, action } })
    expect((await act('restore', theirs.id)).status).toBe(422)
    const bulk = await ask(postAdminBulk, { by: admin, body: { action: 'restore', ids: [theirs.id] } })
    expect(await ended(bulk.body)).toEqual([['failed', expect.stringContaining('blocked here')]])
    expect(await Promise.all([one, many, theirs].map(({ id }) => stateOf(id)))).toEqual(['deleted', 'deleted', 'deleted'])
  })

  it('of one whose ban is lifted, that is switched on, or whose life is prolonged', async () => {
    const [banned, off, old] = [
      await make('https://soon.example/1'),
      await make('https://soon.example/2'),
      await make('https://soon.example/3'),
    ]
    const act = (action: string, id: string) => ask(postLinkAction, { by: admin, body: {}, params: { id, action } })
    await act('ban', banned.id)
    await ask(patchLink, { method: 'PATCH', body: { enabled: false }, params: { code: off.code } })
    await block('host', 'soon.example')
    expect((await act('unban', banned.id)).status).toBe(422)
    expect((await act('enable', off.id)).status).toBe(422)
    const patch = (code: string, body: object) => ask(patchLink, { method: 'PATCH', body, params: { code } })
    expect((await patch(off.code, { enabled: true })).status).toBe(422)
    expect((await patch(old.code, { expiresAt: '2999-01-01T00:00:00Z' })).status).toBe(422)
    expect((await patch(old.code, { expiredUrl: 'https://soon.example/' })).status).toBe(422)
    const { body } = await ask(postBulk, { body: { action: 'enable', ids: [off.id] } })
    expect(await ended(body)).toEqual([['failed', expect.stringContaining('blocked here')]])
    expect([await stateOf(banned.id), await stateOf(off.id)]).toEqual(['banned', 'disabled'])
    // Closing it stays possible, and so does mending it.
    expect((await patch(old.code, { enabled: false })).status).toBe(200)
    expect((await patch(old.code, { url: 'https://fine.example/', enabled: true })).status).toBe(200)
  })

  it('of one that became a link to ourselves, and of where a domain sends its visitors', async () => {
    await block('suffix', 'nowhere.example')
    const [domain] = await connection.query<{ id: number }[]>('SELECT id FROM Domain LIMIT 1')
    const patch = (body: object) => ask(patchDomain, { by: admin, method: 'PATCH', body, params: { id: String(domain?.id) } })
    expect((await patch({ rootUrl: 'https://a.nowhere.example/' })).status).toBe(422)
    expect((await patch({ notFoundUrl: 'https://a.nowhere.example/' })).body.errors).toEqual([
      { path: 'notFoundUrl', message: expect.stringContaining('blocked here') },
    ])
    expect((await patch({ rootUrl: 'https://somewhere.example/' })).status).toBe(200)
  })

  it('by `reuse` too, which hands out no link to what is blocked by now', async () => {
    const href = 'https://again.example/'
    const made = await ask(postLink, { body: { url: href } })
    expect(made.status).toBe(201)
    await block('host', 'again.example')
    expect((await ask(postLink, { body: { url: href, reuse: true } })).status).toBe(422)
  })
})

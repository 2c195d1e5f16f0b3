import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { postExport } from '@/lib/api/account'
import { type EventKind, eventBits } from '@/lib/events/kinds'
import { negotiate } from '@/lib/i18n/languages'
import { findJob } from '@/lib/jobs/store'
import { insertLinks } from '@/lib/links/insert'
import { updateLink } from '@/lib/links/update'
import { CreateShare } from '@/lib/shares/schemas'
import { createShare } from '@/lib/shares/shares'
import { createNote } from '@/lib/stats/notes'
import { Visitor } from '@/lib/testing/accounts'
import { keepClicks } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createKey } from './keys'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

async function finished(number: string) {
  await vi.waitFor(
    async () => {
      ctx.jobs.look()
      expect(await findJob(ctx, null, number)).toMatchObject({ state: 'done' })
    },
    { timeout: 15_000 },
  )
  const job = await findJob(ctx, null, number)
  const parts = await ctx.db.client.jobFile.findMany({ where: { jobId: job.id }, orderBy: { part: 'asc' } })
  return { job, file: JSON.parse(gunzipSync(Buffer.concat(parts.map(({ content }) => content))).toString()) }
}

describe('the export of an account', () => {
  it('is kept for the newest three alone, and those that were stopped leave nothing behind them', async () => {
    const visitor = new Visitor(ctx)
    await visitor.signUp()
    const begin = async () => String((await visitor.ask(postExport, 'POST', '/api/v1/account/export')).body.number)
    const stopped = await findJob(ctx, null, await begin())
    await finished(stopped.number)
    await connection.query("UPDATE Job SET state = 'cancelled', result = '' WHERE id = ?", [stopped.id])
    const numbers: string[] = []
    for (let i = 0; i < 4; i++) {
      numbers.push(await begin())
      await finished(numbers[i] ?? '')
    }
    const jobs = await Promise.all(numbers.map((number) => findJob(ctx, null, number)))
    expect(jobs.map(({ result }) => result)).toEqual(['', 'file', 'file', 'file'])
    const ids = [stopped, ...jobs].map(({ id }) => id)
    const left = await ctx.db.client.jobFile.findMany({ where: { jobId: { in: ids } }, distinct: ['jobId'] })
    expect(new Set(left.map(({ jobId }) => jobId))).toEqual(new Set(ids.slice(2)))
  })

  it('holds all that is kept of it and nothing of others, in one JSON file', async () => {
    const visitor = new Visitor(ctx)
    const { id: ownerId, email } = await visitor.signUp()
    const { key } = await createKey(ctx, ownerId, { name: 'script', scope: 'read', expiresInDays: null }, negotiate(''))
    const links = Array.from({ length: 250 }, (_, i) =>
      linkRow({ ownerId, title: `„${i}"`, state: i === 1 ? 'disabled' : 'active' }),
    )
    await insertLinks(ctx.db.client, [...links, linkRow({ ownerId: 'someone else' })])
    const day = Math.floor(Date.now() / 86_400_000)
    const at = day * 86_400_000
    await keepClicks(connection, links[120]?.id ?? 0n, [{ at }, { at: at + 3_600_000, visitor: 1 }, { at, kind: 'bot' }])
    await updateLink(ctx, owner(ownerId), links[2] ?? { code: '' }, { title: 'Changed' })
    const events: EventKind[] = ['link.created', 'link.clicked']
    const notedId = links[3]?.id ?? 0n
    await createNote(ctx, notedId, { text: 'Posters are up', at: new Date(at) })
    const account = await ctx.db.client.user.findUniqueOrThrow({ where: { id: ownerId } })
    const share = { account: { ...account, role: 'user' as const }, address: '192.0.2.1' }
    const shared = await createShare(ctx, share as never, CreateShare.parse({ code: links[3]?.code, password: 'open sesame' }))
    const webhook = { id: 77n, ownerId, url: 'https://hooks.example/x', events: eventBits(events), createdAt: new Date(at) }
    await ctx.db.client.webhook.create({ data: webhook })
    const { status, headers, body } = await visitor.ask(postExport, 'POST', '/api/v1/account/export')
    expect([status, body]).toEqual([202, expect.objectContaining({ kind: 'export', total: 250, state: 'queued' })])
    expect(headers.get('location')).toBe(`http://terse.test/api/v1/jobs/${body.number}`)
    const { job, file } = await finished(body.number)
    expect(job).toMatchObject({ done: 250, failed: 0, userId: ownerId })
    expect(file.account).toMatchObject({ id: ownerId, email })
    expect(file.preferences).toEqual({ look: null, singleKeys: null, views: [] })
    expect(file.keys).toEqual([expect.objectContaining({ name: 'script' })])
    expect(JSON.stringify(file)).not.toContain(key)
    expect(file.links.map((link: { id: string }) => link.id)).toEqual(links.map(({ id }) => id.toString()))
    expect(file.links[120].days).toEqual([
      { day: new Date(day * 86_400_000).toISOString().slice(0, 10), clicks: 3, visitors: 2, bots: 1, previews: 0 },
    ])
    expect(file.links[0]).toMatchObject({ title: links[0]?.title, url: links[0]?.url, enabled: true, days: [], history: [] })
    expect(file.links[2].history).toMatchObject([{ changes: [{ field: 'title', to: 'Changed' }] }])
    expect(file.links[1]).toMatchObject({ state: 'disabled', enabled: false, notes: [] })
    expect(file.links[3].notes).toMatchObject([{ at: new Date(at).toISOString(), text: 'Posters are up' }])
    expect(file.shares).toMatchObject([{ kind: 'link', hasPassword: true, name: expect.stringContaining(links[3]?.code ?? '') }])
    expect(file.webhooks).toEqual([
      { id: '77', url: webhook.url, events, enabled: true, createdAt: webhook.createdAt.toISOString() },
    ])
    expect(file).toMatchObject({ checksDestinations: false, qrLogo: null })
    expect(JSON.stringify(file)).not.toMatch(/whsec|passwordHash|tokenHash|argon2/)
    expect(JSON.stringify(file)).not.toContain(shared.url?.split('share=')[1] ?? 'no token')
  })

  it('is whole after a process died in the middle', async () => {
    const visitor = new Visitor(ctx)
    const { id: ownerId } = await visitor.signUp()
    await insertLinks(
      ctx.db.client,
      Array.from({ length: 220 }, () => linkRow({ ownerId })),
    )
    const { body } = await visitor.ask(postExport, 'POST', '/api/v1/account/export')
    const job = await findJob(ctx, null, body.number)
    // As it is left by a process that had written some, and is gone.
    await connection.query(
      "UPDATE Job SET state = 'running', done = 200, leaseUntil = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE id = ?",
      [job.id],
    )
    const { job: row, file } = await finished(body.number)
    expect([row.done, file.links.length]).toEqual([220, 220])
  })

  it('of an account without links is a file too', async () => {
    const visitor = new Visitor(ctx)
    await visitor.signUp()
    const { body } = await visitor.ask(postExport, 'POST', '/api/v1/account/export')
    expect((await finished(body.number)).file).toMatchObject({ keys: [], links: [] })
  })
})

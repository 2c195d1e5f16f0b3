import { describe, expect, it } from 'vitest'
import { blocklistKind } from '@/lib/blocklist/job'
import { nextId } from '@/lib/db/id'
import { say } from '@/lib/i18n/message'
import { actOnLink } from '@/lib/links/act'
import { banLink, switchLink } from '@/lib/links/ban'
import { bulkKind, type OnAdminAction } from '@/lib/links/bulk-job'
import type { LinkContext } from '@/lib/links/context'
import { createLink } from '@/lib/links/create'
import { deleteFound } from '@/lib/links/delete'
import { importKind } from '@/lib/links/import-job'
import { queueImport } from '@/lib/links/import-queue'
import { OURSELVES } from '@/lib/links/permit'
import { testJobs } from '@/lib/testing/jobs'
import { freshCode } from '@/lib/testing/links'
import { owner } from '@/lib/testing/runtime'
import { JobEnded, RunningJob } from './running-job'
import { createJob } from './store'

const { ctx, connection, by, take, runOut } = await testJobs()
const { db } = ctx

const told: string[] = []
const tell: OnAdminAction = async (_ctx, _admin, action) => void told.push(action)
const KIND = bulkKind(tell)
const BLOCKLIST = blocklistKind<LinkContext>({
  act: (on, _admin, { id }, action, reason) => actOnLink(on, OURSELVES, id, action, reason),
  tell,
})
const admin = { account: { id: 'alice', handle: '', email: '' }, address: '203.0.113.1' }

/** How a holder loses its turn without hearing of it. */
const LOSSES = {
  'another has the next turn': async (id: bigint) => {
    await runOut(id)
    await take()
  },
  'the job was cancelled': (id: bigint) => connection.query("UPDATE Job SET state = 'cancelled' WHERE id = ?", [id]),
}

const make = async () => {
  const code = freshCode()
  return (await createLink(ctx, owner('alice'), { url: `https://example.com/${code}`, code })).link
}
type Made = Awaited<ReturnType<typeof make>>

/** A link in the state in which the action would change it. */
const BEFORE: Record<string, (link: Made) => Promise<unknown>> = {
  enable: (link) => switchLink(ctx, OURSELVES, link.id, false),
  disable: async () => {},
  delete: async () => {},
  restore: (link) => deleteFound(ctx, OURSELVES, link),
  ban: async () => {},
  unban: (link) => banLink(ctx, OURSELVES, link.id, 'Phishing.'),
}
const rowsOf = async ({ id }: Made) => ({
  link: await db.client.link.findUnique({ where: { id }, select: { state: true, version: true } }),
  deleted: await db.client.deletedLink.count({ where: { id } }),
  outbox: await db.client.outbox.count(),
})

describe.each(Object.entries(LOSSES))('a holder that does not know yet that %s', (_, lose) => {
  it.each(Object.keys(BEFORE))('changes no link any more: %s', async (action) => {
    const link = await make()
    await BEFORE[action]?.(link)
    const input = { action, ids: [link.id.toString()], reason: '', admin }
    await createJob(ctx, by, { kind: 'links', title: say('api.job.export'), input, total: 1 })
    const row = await take()
    const old = new RunningJob(db, row, KIND.input.parse(input))
    await lose(row.id)
    const before = await rowsOf(link)
    told.length = 0
    await expect(KIND.run(ctx, old)).rejects.toThrow(JobEnded)
    expect(await rowsOf(link)).toEqual(before)
    expect(told).toEqual([])
  })

  it.each([freshCode(), ''])('makes no link any more, with the code “%s”', async (code) => {
    await queueImport(ctx, by, `url,code\nhttps://example.com/${freshCode()},${code}`)
    const row = await take()
    await lose(row.id)
    const before = await db.client.link.count()
    await expect(importKind.run(ctx, new RunningJob(db, row, {}))).rejects.toThrow(JobEnded)
    expect(await db.client.link.count()).toBe(before)
  })

  it('bans no link any more for a rule that blocks it', async () => {
    const host = `h${freshCode().toLowerCase()}.example`
    const { link } = await createLink(ctx, owner('alice'), { url: `https://${host}/` })
    const rule = { id: nextId(), kind: 'host', value: host, reason: '', createdBy: 'alice', createdAt: new Date() }
    await db.client.blockRule.createMany({ data: [rule] })
    const input = { task: 'act', ruleId: rule.id.toString(), action: 'ban', reason: '', admin }
    await createJob(ctx, by, { kind: 'blocklist', title: say('api.job.export'), input, total: 1 })
    const row = await take()
    await lose(row.id)
    const before = await rowsOf(link)
    told.length = 0
    await expect(BLOCKLIST.run(ctx, new RunningJob(db, row, BLOCKLIST.input.parse(input)))).rejects.toThrow(JobEnded)
    expect(await rowsOf(link)).toEqual(before)
    expect(told).toEqual([])
  })

  it('blocks no host any more', async () => {
    const input = { task: 'import', reason: '', lines: [`h${freshCode().toLowerCase()}.example`] }
    await createJob(ctx, by, { kind: 'blocklist', title: say('api.job.export'), input, total: 1 })
    const row = await take()
    await lose(row.id)
    const before = await db.client.blockRule.count()
    await expect(BLOCKLIST.run(ctx, new RunningJob(db, row, BLOCKLIST.input.parse(input)))).rejects.toThrow(JobEnded)
    expect(await db.client.blockRule.count()).toBe(before)
  })

  it('drops no part of the file that another wrote', async () => {
    await createJob(ctx, by, { kind: 'export', title: say('api.job.export'), input: {}, total: 1 })
    const row = await take()
    const old = new RunningJob(db, row, {})
    await old.writeFile(0, 'all there is')
    await lose(row.id)
    await expect(old.cutFile(0)).rejects.toThrow(JobEnded)
    expect(await db.client.jobFile.count({ where: { jobId: row.id } })).toBe(1)
  })
})

import { describe, expect, it } from 'vitest'
import { foldCode } from '@/lib/codes/fold'
import { storedCase } from '@/lib/domains/code-case'
import { cancelAdminJobs, cancelJobs, takeJob } from '@/lib/jobs/queue'
import { RunningJob } from '@/lib/jobs/running-job'
import { cancelJob, findJob, pause } from '@/lib/jobs/store'
import { outboxRow } from '@/lib/redirect/outbox'
import { createReport } from '@/lib/reports/create'
import { openCases, refusal } from '@/lib/testing/code-case'
import { eventually } from '@/lib/testing/eventually'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { owner } from '@/lib/testing/runtime'
import { queueCodeCase } from './code-case'
import { codeCollisions } from './code-collisions'
import { createLink } from './create'
import { deleteLink } from './delete'
import { findManaged } from './find'
import { insertLinks } from './insert'
import { restoreFound, restoreLink } from './restore'
import { CreateLink } from './schemas'

const { connection, ctx, other, alice, by, domainWith, create, change, runJob, status } = await openCases()

describe('turning it on', () => {
  it('folds the codes there are, while every spelling that led somewhere goes on to, and nothing answers 404', async () => {
    const codes = Array.from({ length: 60 }, (_, i) => `Code${i}X`)
    const { id, host } = await domainWith(...codes, 'plain', 'Freed')
    await deleteLink(ctx, alice, { code: 'Freed', domain: host })
    await createReport(ctx, { shortUrl: `${host}/Code1X`, reason: 'spam', details: '', email: '' }, 'b')
    const seen = new Set<number>()
    let asking = true
    const visitor = async (on: typeof ctx) => {
      for (let i = 0; asking; i++) seen.add(await status(host, `/${codes[i % codes.length]}`, on))
    }
    const visits = [visitor(ctx), visitor(other), visitor(other)]
    await change(id)
    asking = false
    await Promise.all(visits)
    expect([...seen]).toEqual([302])
    const rows = await ctx.db.client.link.findMany({ where: { domainId: id } })
    expect(rows.map(({ code }) => code).sort()).toEqual([...codes.map((code) => code.toLowerCase()), 'plain'].sort())
    expect(rows.every(({ code, fullShortUrl }) => fullShortUrl === `${host}/${code}`)).toBe(true)
    for (const on of [ctx, other]) {
      expect(await status(host, '/CODE7x', on)).toBe(302)
      expect(await status(host, '/FREED', on)).toBe(410)
    }
    expect((await restoreLink(ctx, alice, { code: 'freed', domain: host })).code).toBe('freed')
    const [entry] = await connection.query('SELECT changes FROM LinkChange WHERE linkId = ? ORDER BY version DESC LIMIT 1', [
      rows[0]?.id,
    ])
    expect(JSON.parse((entry as { changes: string }).changes)).toEqual([{ field: 'code', from: 'Code0X', to: 'code0x' }])
    const reports = await ctx.db.client.report.findMany({ where: { fullShortUrl: `${host}/code1x` } })
    expect(reports).toHaveLength(1)
    expect(await ctx.db.client.outbox.count()).toBe(0)
  })

  it('makes a later change of a renamed link known in every process', async () => {
    const { id, host } = await domainWith('Known')
    expect(await status(host, '/Known', other)).toBe(302)
    await change(id)
    expect(await status(host, '/Known', other)).toBe(302)
    await deleteLink(ctx, alice, { code: 'KNOWN', domain: host })
    await eventually(async () => expect(await status(host, '/Known', other)).toBe(410))
  })

  it('is refused with all codes that would be one, and nothing changes', async () => {
    const { id, host } = await domainWith('Same', 'same', 'SAME', 'alone', 'Alone2', 'Äh')
    await create(host, 'äh')
    const refused = await refusal(queueCodeCase(ctx, by, id, { codeCase: 'ignored' }))
    expect(refused.code).toBe('conflict')
    expect(await codeCollisions(ctx, id)).toEqual([
      ['SAME', 'Same', 'same'],
      ['Äh', 'äh'],
    ])
    expect(refused.errors?.map(({ message }) => String(message))).toHaveLength(2)
    expect(refused.message).toContain('SAME = Same = same')
    expect(ctx.domains.isFolded(host)).toBe(false)
    expect(await status(host, '/Same')).toBe(302)
    expect(await status(host, '/ALONE')).toBe(404)
  })

  it('goes on where codes of deleted links would be one: these rest as long as the last of them, and one can be restored', async () => {
    const { id, host } = await domainWith('veTo', 'vetO')
    await deleteLink(ctx, alice, { code: 'veTo', domain: host })
    await deleteLink(ctx, alice, { code: 'vetO', domain: host })
    const last = await ctx.db.client.deletedLink.findFirstOrThrow({ where: { domainId: id, code: 'vetO' } })
    expect(await codeCollisions(ctx, id)).toEqual([])
    await change(id)
    for (const on of [ctx, other]) expect(await status(host, '/VETO', on)).toBe(410)
    expect((await refusal(create(host, 'veto'))).code).toBe('conflict')
    const resting = await ctx.db.client.deletedLink.findFirstOrThrow({ where: { domainId: id, code: 'veto' } })
    expect(resting.deletedAt).toEqual(last.deletedAt)
    expect((await restoreLink(ctx, alice, { code: 'VEto', domain: host })).code).toBe('veto')
    const left = await ctx.db.client.deletedLink.findFirstOrThrow({ where: { domainId: id } })
    expect((await refusal(restoreLink(ctx, alice, { code: left.code, domain: host }))).code).toBe('conflict')
    expect((await refusal(restoreFound(ctx, alice, left))).code).toBe('conflict')
    await eventually(async () => expect(await status(host, '/vetO', other)).toBe(302))
  })

  it('brings no deleted link back below someone else’s that takes paths: they may have stood beside each other', async () => {
    const { id, host } = await domainWith()
    const { link } = await createLink(
      ctx,
      owner('bob'),
      CreateLink.parse({ url: 'https://example.com/b', domain: host, code: 'guide/x' }),
    )
    const routing = { path: 'append' as const }
    await createLink(ctx, alice, CreateLink.parse({ url: 'https://example.com/', domain: host, code: 'Guide', routing }))
    await deleteLink(ctx, owner('bob'), { code: link.code, domain: host })
    await change(id)
    const back = await refusal(restoreLink(ctx, owner('bob'), { code: 'guide/x', domain: host }))
    expect(back.code).toBe('conflict')
  })

  it('gives a link the name under which that of a deleted one rests', async () => {
    const { id, host } = await domainWith('REST', 'Rest')
    await deleteLink(ctx, alice, { code: 'REST', domain: host })
    await change(id)
    for (const on of [ctx, other]) expect(await status(host, '/rEST', on)).toBe(302)
    expect((await refusal(restoreLink(ctx, alice, { code: 'REST', domain: host }))).code).toBe('conflict')
    expect(await ctx.db.client.link.findMany({ where: { domainId: id }, select: { code: true } })).toEqual([{ code: 'rest' }])
  })

  it('is refused where a link would take a path of someone else’s that takes paths, and did not before', async () => {
    const { id, host } = await domainWith()
    const taking = (code: string, ownerId = 'alice') =>
      createLink(
        ctx,
        owner(ownerId),
        CreateLink.parse({ url: 'https://example.com/', domain: host, code, routing: { path: 'append' } }),
      )
    const plain = (code: string, ownerId: string) =>
      createLink(ctx, owner(ownerId), CreateLink.parse({ url: 'https://example.com/', domain: host, code }))
    await plain('known/first', 'eve')
    for (const code of ['Wiki', 'known', 'Own']) await taking(code)
    await taking('own/Eve', 'eve')
    for (const code of ['wiki/login', 'Wiki2/login', 'own/eve/a', 'own/EVE/b', 'gone/a']) await plain(code, 'eve')
    await plain('wIKI/mine', 'alice')
    expect(await codeCollisions(ctx, id)).toEqual([
      ['Own/…', 'own/Eve'],
      ['Wiki/…', 'wiki/login'],
    ])
    const refused = await refusal(queueCodeCase(ctx, by, id, { codeCase: 'ignored' }))
    expect([refused.code, refused.message]).toEqual(['conflict', expect.stringContaining('Wiki/… = wiki/login')])
  })

  it('leaves deleted links of others out of the paths of one that takes them, and none can be restored there', async () => {
    const { id, host } = await domainWith()
    const make = (ownerId: string, code: string, routing?: { path: 'append' }) =>
      createLink(ctx, owner(ownerId), CreateLink.parse({ url: 'https://example.com/base', domain: host, code, routing }))
    await make('alice', 'docs', { path: 'append' })
    await make('alice', 'Tree', { path: 'append' })
    for (const code of ['Docs/login', 'DOCS/Page', 'tree/x']) {
      await make('eve', code, code.endsWith('Page') ? { path: 'append' } : undefined)
      await deleteLink(ctx, owner('eve'), { code, domain: host })
    }
    await make('alice', 'Docs/Mine')
    await deleteLink(ctx, alice, { code: 'Docs/Mine', domain: host })
    expect(await status(host, '/docs/login')).toBe(302)
    await change(id)
    for (const on of [ctx, other]) {
      for (const path of ['/docs/login', '/Docs/Login', '/docs/page', '/docs/page/a'])
        expect(await status(host, path, on), path).toBe(302)
      expect(await status(host, '/docs/mine', on)).toBe(410)
    }
    for (const code of ['docs/login', 'Docs/login', 'DOCS/Page', 'tree/x'])
      await expect(restoreLink(ctx, owner('eve'), { code, domain: host }), code).rejects.toThrow()
    for (const row of await ctx.db.client.deletedLink.findMany({ where: { domainId: id, ownerId: 'eve' } }))
      expect((await refusal(restoreFound(ctx, owner('eve'), row))).code, row.code).toBe('conflict')
    expect((await restoreLink(ctx, alice, { code: 'docs/MINE', domain: host })).code).toBe('docs/mine')
  })

  it('lists exactly the collisions of many codes', async () => {
    const { id, host } = await domainWith()
    const random = Array.from({ length: 6_000 }, () => Math.random().toString(36).slice(2, 9)).filter((code) => code.length > 4)
    const codes = new Set(random.map((code) => [...code].map((c) => (Math.random() < 0.3 ? c.toUpperCase() : c)).join('')))
    for (const code of ['zzDOUBLE', 'zzdouble', 'zzTriple', 'zzTRIPLE', 'zztriple']) codes.add(code)
    const rows = [...codes].map((code) => linkRow({ domainId: id, code, fullShortUrl: `${host}/${code}` }))
    for (let i = 0; i < rows.length; i += 800) await insertLinks(ctx.db.client, rows.slice(i, i + 800))
    const gone = linkRow({ domainId: id, code: 'ZZdouble', fullShortUrl: `${host}/ZZdouble` })
    await ctx.db.client.deletedLink.create({ data: deletedRow(gone) })
    const byForm = new Map<string, string[]>()
    for (const code of codes) byForm.set(foldCode(code), [...(byForm.get(foldCode(code)) ?? []), code])
    const expected = [...byForm.values()].filter((some) => some.length > 1).map((some) => some.sort())
    expect(await codeCollisions(ctx, id)).toEqual(expected.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
  })

  it('goes on after a process died in the middle, and after one that was told too late created a link', async () => {
    const { id, host } = await domainWith('One', 'Two', 'Three')
    await queueCodeCase(ctx, by, id, { codeCase: 'ignored' })
    // As a process leaves it that was killed: one link is renamed, and the domain is changing.
    await connection.query('UPDATE Domain SET codeCase = ? WHERE id = ?', [storedCase('changing'), id])
    await Promise.all([ctx.domains.refresh(), other.domains.refresh()])
    await connection.query('UPDATE Link SET code = ?, fullShortUrl = ?, version = version + 1 WHERE fullShortUrl = ?', [
      'one',
      `${host}/one`,
      `${host}/One`,
    ])
    for (const name of ['one', 'One']) await ctx.db.client.outbox.create({ data: outboxRow(`${host}/${name}`) })
    await eventually(() => expect([ctx.outbox.isEmpty, other.outbox.isEmpty]).toEqual([false, false]), 1)
    for (const path of ['/One', '/ONE', '/one', '/Two', '/Three']) expect(await status(host, path, other), path).toBe(302)
    expect((await findManaged(ctx, alice, { code: 'Two', domain: host }, 'read')).code).toBe('Two')
    expect((await refusal(create(host, 'tWO'))).code).toBe('unavailable')
    await runJob()
    for (const path of ['/One', '/TWO', '/three']) expect(await status(host, path, other), path).toBe(302)
    expect(await ctx.db.client.link.findMany({ where: { domainId: id, code: 'two' } })).toHaveLength(1)
  })

  it('does not wait once more when it goes on after an outage', async () => {
    const { id, host } = await domainWith('Half', 'Way')
    await queueCodeCase(ctx, by, id, { codeCase: 'ignored' })
    await connection.query('UPDATE Domain SET codeCase = ? WHERE id = ?', [storedCase('changing'), id])
    await connection.query("UPDATE Job SET resumeAt = 'renaming' WHERE kind = 'case' AND state = 'queued'")
    await Promise.all([ctx.domains.refresh(), other.domains.refresh()])
    await runJob(600_000)
    for (const path of ['/half', '/WAY']) expect(await status(host, path, other), path).toBe(302)
  })

  it('comes to its end once it has begun: nobody can cancel it, pause it, or end it by losing their role', async () => {
    const { id, host } = await domainWith('Begun')
    const find = async (number: string) => findJob(ctx, null, number)
    const early = await queueCodeCase(ctx, by, id, { codeCase: 'ignored' })
    expect((await cancelJob(ctx, await find(early.job.number))).state).toBe('cancelled')
    const { job } = await queueCodeCase(ctx, by, id, { codeCase: 'ignored' })
    const row = await takeJob(ctx.db, ['case'])
    if (!row) throw new Error('there is no job')
    expect((await refusal(cancelJob(ctx, await find(job.number)))).code).toBe('conflict')
    expect((await refusal(pause(ctx, await find(job.number)))).code).toBe('conflict')
    await ctx.db.atomic((tx) => cancelAdminJobs(tx, 'alice'))
    await ctx.db.atomic((tx) => cancelJobs(tx, { userId: 'alice' }))
    expect((await find(job.number)).state).toBe('running')
    await new RunningJob(ctx.db, row, null).release()
    await runJob()
    expect(await status(host, '/BEGUN', other)).toBe(302)
  })

  it('stays between the two where an earlier job had renamed links and codes collide since', async () => {
    const { id, host } = await domainWith('Was', 'late')
    await connection.query('UPDATE Domain SET codeCase = ? WHERE id = ?', [storedCase('changing'), id])
    await Promise.all([ctx.domains.refresh(), other.domains.refresh()])
    await queueCodeCase(ctx, by, id, { codeCase: 'ignored' })
    await insertLinks(ctx.db.client, [linkRow({ domainId: id, code: 'Late', fullShortUrl: `${host}/Late` })])
    expect((await refusal(runJob())).code).toBe('conflict')
    expect(ctx.domains.find(host)?.codeCase).toBe('changing')
  })

  it('gives up before it renames anything where links came in between that would be one', async () => {
    const { id, host } = await domainWith('Late')
    await queueCodeCase(ctx, by, id, { codeCase: 'ignored' })
    await create(host, 'late')
    expect((await refusal(runJob())).code).toBe('conflict')
    expect(await status(host, '/Late')).toBe(302)
    expect(await status(host, '/late')).toBe(302)
    expect(await status(host, '/LATE')).toBe(404)
  })

  it('is one at a time, and says when it is so already', async () => {
    const { id } = await domainWith()
    await queueCodeCase(ctx, by, id, { codeCase: 'ignored' })
    expect((await refusal(queueCodeCase(ctx, by, id, { codeCase: 'ignored' }))).code).toBe('conflict')
    await runJob()
    expect((await refusal(queueCodeCase(ctx, by, id, { codeCase: 'ignored' }))).code).toBe('conflict')
  })
})

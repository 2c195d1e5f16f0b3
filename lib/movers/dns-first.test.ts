import { hash } from '@node-rs/argon2'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { listAudit } from '@/lib/audit/audit'
import { purgeClicks } from '@/lib/clicks/sweep'
import type { Job } from '@/lib/db/generated/client'
import { updateDomain } from '@/lib/domains/edit'
import { listHistory } from '@/lib/history/read'
import { inEnglish } from '@/lib/i18n/translate'
import { findJob, type JobMaker, listJobItems, toJobView } from '@/lib/jobs/store'
import { filingOf } from '@/lib/labels/filing'
import { createLink } from '@/lib/links/create'
import { type ImportOptions, queueImport, startImport } from '@/lib/links/import-queue'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { queueUndo } from '@/lib/links/undo-job'
import { updateLink } from '@/lib/links/update'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { answer } from '@/lib/redirect/answer'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { OldShortener } from '@/lib/testing/old-shortener'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { queueFile } from './queue'
import { queueVerify } from './verify-job'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const given = { DATABASE_URL: url, REDIS_URL: redis.url, UPSTREAM_ALLOW: '127.0.0.1', FETCH_ALLOW: '127.0.0.1' }
const ctx = await testRuntime({ ...given, UPSTREAM_PER_SECOND: '1000' })
const HOST = 'old.example'
let domainId = 0
let old: OldShortener

beforeAll(async () => {
  await settled(ctx)
  for (const id of ['alice', 'root']) await keepAccount(ctx.db, id, 'admin')
  for (const id of ['bob', 'mia']) await keepAccount(ctx.db, id)
  await ctx.db.change('INSERT INTO Domain (host, createdAt, verifiedAt) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))', HOST)
  await ctx.domains.refresh()
  domainId = ctx.domains.find(HOST)?.id ?? 0
})
// The old shortener is set by alice: what comes over is hers.
beforeEach(async () => {
  old = await OldShortener.open()
  await updateDomain(ctx, domainId, { upstream: { url: old.url } }, 'alice')
})

const maker = (id: string): JobMaker => ({ account: { id }, address: null })
const alice = maker('alice')
const root = maker('root')

async function reached({ number }: { number: string }, state = 'done'): Promise<Job> {
  ctx.jobs.look()
  await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe(state), { timeout: 30_000, interval: 20 })
  return findJob(ctx, null, number)
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

async function imported(rows: readonly object[], how: ImportOptions = {}, by = alice) {
  const bytes = bytesOf(JSON.stringify(rows.map((row) => ({ domain: HOST, ...row }))))
  const job = await reached(await queueImport(ctx, by, { format: 'json', bytes }, how), how.dryRun ? 'checked' : 'done')
  return { job, items: await itemsOf(job) }
}

async function itemsOf(job: Job) {
  const { items } = await listJobItems(ctx, job, { limit: 1_000 }, inEnglish)
  return items.map(({ target, result, message }) => [target, result, message].filter(Boolean))
}

/** A visitor follows the link. */
async function follow(code: string) {
  const visit = { method: 'GET', path: `/${code}`, query: '', rawHeaders: [], host: HOST, accept: 'text/html', language: 'en' }
  const client = () => ({ ...UNKNOWN_CLIENT, address: '203.0.113.9' })
  const { status, headers } = await answer(ctx.answering, { ...visit, client, body: async () => '' })
  return [status, headers[headers.indexOf('Location') + 1]]
}

const linkOf = (code: string) => ctx.db.client.link.findUniqueOrThrow({ where: { fullShortUrl: `${HOST}/${code}` } })
const filed = async (code: string) => {
  const { id, ownerId } = await linkOf(code)
  return (await filingOf(ctx, ownerId ?? '', [id])).get(id)
}
const hasClicks = (code: string, clicks: bigint) =>
  vi.waitFor(async () => expect((await linkOf(code)).clicks).toBe(clicks), { timeout: 10_000 })

/** A link of the old shortener, which visitors have followed so often. */
async function cameOver(to = 'https://example.com/old', visits = 1): Promise<string> {
  const code = freshCode()
  old.links.set(code, to)
  for (let visit = 0; visit < visits; visit++) expect(await follow(code)).toEqual([301, to])
  await hasClicks(code, BigInt(visits))
  return code
}

describe('a domain that was switched first, and imported after', () => {
  it('loses nothing: titles, dates and clicks of all links, also of those that visitors brought; comparing finds no difference', async () => {
    const codes = Array.from({ length: 60 }, () => freshCode())
    const at = (code: string) => `https://example.com/?page=${code}`
    for (const code of codes) old.links.set(code, at(code))
    const over = codes.slice(0, 25)
    for (const code of [...over, ...over]) expect(await follow(code)).toEqual([301, at(code)])
    const ids = await Promise.all(over.map(async (code) => (await linkOf(code)).id))

    const rows = codes.map((code, i) => `('${code}','${at(code)}','Page ${code}','2019-01-02 03:04:05','',${i + 7})`)
    const dump = `-- MySQL dump\nINSERT INTO \`yourls_url\` VALUES ${rows.join(',')};\n`
    const file = () => ({ from: 'yourls', domain: HOST, bytes: bytesOf(dump) }) as const
    const checked = await reached(await queueFile(ctx, alice, { ...file(), dryRun: true }), 'checked')
    expect(toJobView(checked)).toMatchObject({ counts: { created: 35, completed: 25 }, failed: 0 })
    expect((await linkOf(over[0] ?? '')).title).toBe('')
    await startImport(ctx, checked)
    const job = await reached(toJobView(checked))
    expect(toJobView(job)).toMatchObject({ counts: { created: 35, completed: 25 }, failed: 0 })

    for (const [i, code] of codes.entries()) {
      expect(await linkOf(code), code).toMatchObject({
        ...{ url: at(code), title: `Page ${code}`, redirectStatus: 301, ownerId: 'alice' },
        ...{ createdAt: new Date('2019-01-02T03:04:05Z'), clicksBefore: BigInt(i + 7) },
      })
    }
    expect(await Promise.all(over.map(async (code) => (await linkOf(code)).id))).toEqual(ids)
    for (const code of over) await hasClicks(code, 2n)
    const verified = await reached(await queueVerify(ctx, alice, job, old.url))
    expect(toJobView(verified)).toMatchObject({ total: 60, done: 60, failed: 0, counts: { same: 60 } })
    const again = await reached(await queueFile(ctx, alice, file()))
    expect(toJobView(again).counts).toEqual({ exists: 60 })
  })
})

describe('a link that came over', () => {
  it('is completed by all that a row says, keeps its id and clicks, and tells its history', async () => {
    const code = await cameOver('https://example.com/old?ref=short', 3)
    const before = await linkOf(code)
    const row = {
      ...{ code, url: 'https://example.com/old', title: 'Old', expiresAt: '2030-01-01', maxClicks: 100, clicks: 40 },
      ...{ createdAt: '2015-03-04', tags: ['print', 'spring'], folder: 'Moved', comment: 'On the posters' },
      passwordHash: await hash('secret'),
    }
    const dry = await imported([row], { dryRun: true })
    expect(dry.items).toEqual([
      [
        `${HOST}/${code}`,
        'completed',
        'It came over from the old shortener already. The import will complete it, and it will lead where this row says instead of to https://example.com/old?ref=short.',
      ],
    ])
    expect(await linkOf(code)).toEqual(before)
    await startImport(ctx, dry.job)
    await reached(toJobView(dry.job))
    expect(await linkOf(code)).toMatchObject({
      ...{ id: before.id, url: 'https://example.com/old', title: 'Old', expiresAt: new Date('2030-01-01'), maxClicks: 100 },
      ...{ clicks: 3n, clicksBefore: 40n, taken: 43, createdAt: new Date('2015-03-04'), passwordHash: row.passwordHash },
      ...{ redirectStatus: 301, version: before.version + 1n },
    })
    expect(await filed(code)).toMatchObject({ tags: ['print', 'spring'], folder: 'Moved', comment: 'On the posters' })
    // Redirects know at once.
    expect((await follow(code))[0]).toBe(200)
    const [entry] = (await listHistory(ctx, before.id, { limit: 10 }, false)).entries
    expect(entry?.by).toMatchObject({ kind: 'account', job: true })
    expect(entry?.changes.map(({ field }) => field)).toEqual(['url', 'title', 'expiresAt', 'maxClicks', 'password'])
    expect((await imported([{ ...row, title: 'New', url: 'https://example.com/old' }])).items).toEqual([
      [`${HOST}/${code}`, 'exists', 'You have this link already.'],
    ])
    expect((await linkOf(code)).title).toBe('Old')
  })

  it('is left as it is by a row that says no more, and completed by one that does', async () => {
    const code = await cameOver()
    const row = { code, url: 'https://example.com/old' }
    const before = await linkOf(code)
    expect((await imported([row])).items).toEqual([[`${HOST}/${code}`, 'exists', 'You have this link already.']])
    expect(await linkOf(code)).toEqual(before)
    expect((await imported([{ ...row, tags: ['late'] }])).items[0]?.[1]).toBe('completed')
    expect((await filed(code))?.tags).toEqual(['late'])
  })

  it('keeps how its owner has filed it meanwhile', async () => {
    const code = await cameOver()
    const mine = { tags: ['mine'], folder: 'Here', comment: 'Seen' }
    await updateLink(ctx, owner('alice', 'admin'), { code, domain: HOST }, UpdateLink.parse(mine))
    await imported([{ code, url: 'https://example.com/old', title: 'T', tags: ['theirs'], folder: 'There', comment: 'Not' }])
    expect(await filed(code)).toMatchObject({ tags: ['mine', 'theirs'], folder: 'Here', comment: 'Seen' })
    expect((await linkOf(code)).title).toBe('T')
  })

  it('goes to the account that an admin names, with its clicks, and that is written down', async () => {
    const code = await cameOver(undefined, 2)
    const other = await cameOver()
    const clicksOf = async (id: string) =>
      Number((await connection.query('SELECT COALESCE(SUM(clicks), 0) AS n FROM AccountClick WHERE ownerId = ?', [id]))[0].n)
    await vi.waitFor(async () => expect(await clicksOf('alice')).toBeGreaterThanOrEqual(3), { timeout: 10_000 })
    const [hers, his] = [await clicksOf('alice'), await clicksOf('mia')]
    const rows = [
      { code, url: 'https://example.com/old', owner: 'Mia Moss', tags: ['moved'] },
      { code: other, url: 'https://example.com/old', owner: 'someone' },
    ]
    const { items } = await imported(rows, { owners: { 'Mia Moss': 'mia' } }, root)
    expect(items.map(([, result]) => result)).toEqual(['completed', 'completed'])
    expect([(await linkOf(code)).ownerId, (await linkOf(other)).ownerId]).toEqual(['mia', 'root'])
    expect((await filed(code))?.tags).toEqual(['moved'])
    expect([await clicksOf('alice'), await clicksOf('mia')]).toEqual([hers - 3, his + 2])
    const { entries } = await listAudit(ctx, { limit: 10, target: `${HOST}/${code}` })
    expect(entries).toMatchObject([{ action: 'link.complete', actorId: 'root', details: { owner: 'mia' } }])
    const [entry] = (await listHistory(ctx, (await linkOf(code)).id, { limit: 10 }, true)).entries
    expect([entry?.by.kind, entry?.changes]).toEqual(['admin', [{ field: 'owner', from: 'account', to: 'account' }]])
    expect((await imported(rows, { owners: { 'Mia Moss': 'mia' } }, root)).items.map(([, result]) => result)).toEqual([
      'exists',
      'exists',
    ])
  })

  it('cannot be taken by the import of another account', async () => {
    const code = await cameOver()
    const before = await linkOf(code)
    for (const how of [{}, { dryRun: true }]) {
      const { items } = await imported([{ code, url: 'https://evil.example/', title: 'Mine' }], how, maker('bob'))
      expect(items).toEqual([
        [code, 'taken', expect.stringContaining('came over from the old shortener already, for another account')],
      ])
    }
    expect(await linkOf(code)).toEqual(before)
  })

  it('is left alone once a person edited it, and so is one that did not come over', async () => {
    const [edited, created] = [await cameOver(), freshCode()]
    const by = owner('alice', 'admin')
    await updateLink(ctx, by, { code: edited, domain: HOST }, UpdateLink.parse({ title: 'Hers' }))
    await createLink(ctx, by, CreateLink.parse({ url: 'https://example.com/old', domain: HOST, code: created }))
    const rows = [edited, created].map((code) => ({ code, url: 'https://example.com/old', title: 'Old', clicks: 5 }))
    expect((await imported(rows)).items.map(([, result]) => result)).toEqual(['exists', 'exists'])
    expect(await linkOf(edited)).toMatchObject({ title: 'Hers', clicksBefore: 0n })
    expect(await linkOf(created)).toMatchObject({ title: '', clicksBefore: 0n })
  })

  it('is completed, too, when it comes over while it is imported', async () => {
    const code = freshCode()
    old.links.set(code, 'https://example.com/old')
    const { claim } = ctx.registry
    vi.spyOn(ctx.registry, 'claim').mockImplementationOnce(async (fulls) => {
      await follow(code)
      return claim.call(ctx.registry, fulls)
    })
    const { items } = await imported([{ code, url: 'https://example.com/old', title: 'Old', clicks: 5 }])
    expect(items[0]?.[1]).toBe('completed')
    expect(await linkOf(code)).toMatchObject({ title: 'Old', clicksBefore: 5n })
  })

  it('that two rows are for is completed by the first', async () => {
    const code = await cameOver()
    const rows = ['One', 'Two'].map((title) => ({ code, url: 'https://example.com/old', title }))
    expect((await imported(rows)).items.map(([, result]) => result)).toEqual(['completed', 'duplicate'])
    expect((await linkOf(code)).title).toBe('One')
  })

  it('is what it was before once the import is undone, and can be completed by a better one', async () => {
    const [code, touched, fresh] = [await cameOver('https://example.com/x?y=1'), await cameOver(), freshCode()]
    const before = await linkOf(code)
    const row = { url: 'https://example.com/x', title: 'Wrong', clicks: 9, createdAt: '2015-03-04', owner: 'Mia', tags: ['a'] }
    const rows = [code, touched, fresh].map((one) => ({ ...row, code: one }))
    const { job } = await imported(rows, { owners: { Mia: 'mia' } }, root)
    await updateLink(ctx, owner('mia'), { code: touched, domain: HOST }, UpdateLink.parse({ title: 'Hers' }))
    const undone = await reached(await queueUndo(ctx, root, job))
    expect(toJobView(undone).counts).toEqual({ reverted: 1, changed: 1, deleted: 1 })
    const { version: _version, updatedAt: _updatedAt, ...same } = before
    expect(await linkOf(code)).toMatchObject(same)
    expect(await filed(code)).toBeUndefined()
    expect(await follow(code)).toEqual([301, 'https://example.com/x?y=1'])
    expect(await linkOf(touched)).toMatchObject({ title: 'Hers', ownerId: 'mia' })
    expect((await imported([{ ...row, code, title: 'Right' }], {}, alice)).items[0]?.[1]).toBe('completed')
    expect(await linkOf(code)).toMatchObject({ title: 'Right', ownerId: 'alice' })
  })

  it('leaves nothing once it is gone for good', async () => {
    const { id } = await linkOf(await cameOver())
    const rows = () => connection.query('SELECT 1 FROM UpstreamLink WHERE linkId = ?', [id])
    expect(await rows()).toHaveLength(1)
    await ctx.db.change('DELETE FROM Link WHERE id = ?', id)
    await ctx.db.change('INSERT INTO ClickPurge (linkId) VALUES (?)', id)
    await purgeClicks(ctx.db)
    expect(await rows()).toHaveLength(0)
  })
})

describe('comparing an import', () => {
  it('asks for codes that were refused or taken too, and lists those that are not here', async () => {
    const [fine, taken, alike, twice] = [freshCode(), freshCode(), freshCode(), freshCode()]
    const to = (code: string) => `https://example.com/${code}`
    for (const code of [fine, taken, alike, twice, 'a%b', 'bad']) old.links.set(code, to(code))
    const bob = owner('bob')
    await updateDomain(ctx, domainId, { upstream: null }, 'alice')
    await createLink(ctx, bob, CreateLink.parse({ url: 'https://example.com/bobs', domain: HOST, code: taken }))
    await createLink(ctx, bob, CreateLink.parse({ url: to(alike), domain: HOST, code: alike, redirectStatus: 301 }))
    const rows = [fine, taken, alike, twice, twice].map((code) => ({ code, url: to(code), redirectStatus: 301 }))
    const { job } = await imported([...rows, { code: 'bad', url: 'javascript:alert(1)' }, { url: 'nonsense' }])
    expect(toJobView(job).counts).toEqual({ created: 2, taken: 2, duplicate: 1, refused: 2 })
    const verified = await reached(await queueVerify(ctx, alice, job, old.url))
    expect(toJobView(verified)).toMatchObject({ total: 5, done: 5, failed: 2, counts: { same: 3, missing: 2 } })
    expect((await itemsOf(verified)).filter(([, result]) => result === 'missing')).toEqual([
      [`${HOST}/${taken}`, 'missing', `The import didn’t bring it. Old: 301 ${to(taken)}. New: 302 https://example.com/bobs.`],
      [`${HOST}/bad`, 'missing', `The import didn’t bring it. Old: 301 ${to('bad')}. New: 404.`],
    ])
  })
})

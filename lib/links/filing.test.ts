import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Account, Actor } from '@/lib/actor'
import { getLabels, patchLabel, removeLabel } from '@/lib/api/labels'
import { getLink, getLinks, patchLink, postLink } from '@/lib/api/links'
import { purgeClicks } from '@/lib/clicks/sweep'
import { findJob, listJobItems } from '@/lib/jobs/store'
import { bearing, filingOf } from '@/lib/labels/filing'
import { deleteFilingOf, ensureLabels, labelsIn, listLabels, requireLabels } from '@/lib/labels/labels'
import { MOST_NAMES, MOST_TAGS } from '@/lib/labels/values'
import { keepAccount, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { queueBulk } from './bulk-job'
import { BulkLinks } from './bulk-schemas'
import { countLinks } from './count'
import { createLink } from './create'
import { deleteLink } from './delete'
import { managedBy } from './filter'
import { queueImport } from './import-queue'
import { insertLinks } from './insert'
import { listLinks, listWithin } from './list'
import { restoreLink } from './restore'
import { CreateLink, ListLinks, UpdateLink } from './schemas'
import { updateLink } from './update'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

/** An account that has no links yet. */
async function someone(): Promise<Actor> {
  const id = `user-${freshCode()}`
  await keepAccount(ctx.db, id)
  return owner(id)
}

const create = async (by: Actor, fields: Record<string, unknown> = {}) =>
  (await createLink(ctx, by, CreateLink.parse({ url: 'https://example.com/', code: freshCode(), ...fields }))).link
const update = (by: Actor, code: string, fields: Record<string, unknown>) =>
  updateLink(ctx, by, { code }, UpdateLink.parse(fields))
const filing = async (by: Actor, { id }: { id: bigint }) => (await filingOf(ctx, by.ownerId ?? '', [id])).get(id)
const asked = (query: Record<string, unknown> = {}) => ListLinks.parse(query)
const codes = async (by: Actor, query: Record<string, unknown> = {}) =>
  (await listLinks(ctx, managedBy(by), asked(query))).links.map(({ code }) => code)

describe('how an account files a link', () => {
  it('comes with the link that is created, and changes without changing what the link does', async () => {
    const by = await someone()
    const link = await create(by, { tags: ['Spring', 'news'], folder: 'Clients', comment: 'for Mia', favorite: true })
    const filed = { tags: ['news', 'Spring'], folder: 'Clients', comment: 'for Mia', archived: false, favorite: true }
    expect(await filing(by, link)).toEqual(filed)
    const same = await update(by, link.code, { tags: ['Spring'], folder: null, archived: true })
    expect(same.version).toBe(link.version)
    expect(await filing(by, link)).toEqual({ ...filed, tags: ['Spring'], folder: null, archived: true })
    const changed = await update(by, link.code, { url: 'https://example.com/other', tags: [], comment: '' })
    expect(changed).toMatchObject({ url: 'https://example.com/other', version: link.version + 1n })
    expect(await filing(by, link)).toMatchObject({ tags: [], comment: '', archived: true, favorite: true })
    expect((await ctx.lookup.find(link.fullShortUrl)).entry.record).toMatchObject({ url: 'https://example.com/other' })
  })

  it('is named in the order in which people look for names', async () => {
    const by = await someone()
    const link = await create(by, { tags: ['Tag 10', 'tag 9', 'Zug', 'Tag 2', 'Ähre'], folder: 'Folder 10' })
    await create(by, { folder: 'Folder 9' })
    const tags = ['Ähre', 'Tag 2', 'tag 9', 'Tag 10', 'Zug']
    expect((await filing(by, link))?.tags).toEqual(tags)
    const listed = await listLabels(ctx, by.ownerId ?? '')
    expect(listed.tags.map(({ name }) => name)).toEqual(tags)
    expect(listed.folders.map(({ name }) => name)).toEqual(['Folder 9', 'Folder 10'])
  })

  it('is told to its owner, and to nobody else', async () => {
    const visitor = new Visitor(ctx)
    await visitor.signUp()
    const body = { url: 'https://example.com/', tags: ['Spring'], comment: 'secret' }
    const named = { 'idempotency-key': freshCode() }
    const created = await visitor.ask(postLink, 'POST', '/api/v1/links', body, named)
    const own = { tags: ['Spring'], folder: null, comment: 'secret', archived: false, favorite: false }
    expect([created.status, created.body]).toEqual([201, expect.objectContaining(own)])
    const again = await visitor.ask(postLink, 'POST', '/api/v1/links', body, named)
    expect(again.body).toMatchObject(own)
    const { code } = created.body
    const path = `/api/v1/links/${code}`
    const edited = await visitor.ask(patchLink, 'PATCH', path, { favorite: true }, {}, { code })
    expect(edited.body).toMatchObject({ ...own, favorite: true })
    const { body: page } = await visitor.ask(getLinks, 'GET', '/api/v1/links?favorite=true')
    expect(page.links).toEqual([expect.objectContaining({ code, comment: 'secret' })])
    const boss = new Visitor(ctx)
    await boss.signUpAsAdmin()
    const seen = await boss.ask(getLink, 'GET', path, undefined, {}, { code })
    expect(seen.status).toBe(200)
    expect(JSON.stringify(seen.body)).not.toMatch(/secret|Spring|favorite/)
  })

  it('needs an account, and names that can be told apart', async () => {
    const nobody = { ...owner('x'), account: null, ownerId: null }
    await expect(create(nobody, { tags: ['a'] })).rejects.toMatchObject({ code: 'validation_failed', errors: [{ path: 'tags' }] })
    const parsed = CreateLink.parse({ url: 'https://example.com/', tags: [' Cafe\u0301 ', 'CAFÉ', 'a  b'] })
    expect(parsed.tags).toEqual(['Café', 'a b'])
    const refused = (tags: unknown) => CreateLink.safeParse({ url: 'https://example.com/', tags }).success
    expect(refused(['a,b'])).toBe(false)
    expect(refused([''])).toBe(false)
    expect(refused(['x'.repeat(51)])).toBe(false)
    expect(refused(Array.from({ length: MOST_TAGS + 1 }, (_, i) => `t${i}`))).toBe(false)
    expect(CreateLink.safeParse({ url: 'https://example.com/', comment: 'x'.repeat(2001) }).success).toBe(false)
  })

  it('uses one tag for names that differ in case, whoever is first', async () => {
    const by = await someone()
    const links = await Promise.all(['Été', 'été', 'ÉTÉ'].map((name) => create(by, { tags: [name] })))
    const { tags } = await listLabels(ctx, by.ownerId ?? '')
    expect(tags).toHaveLength(1)
    expect((await codes(by, { tag: 'éTÉ' })).sort()).toEqual(links.map(({ code }) => code).sort())
  })

  it('has a bound that many requests at once do not pass', async () => {
    const by = await someone()
    const ownerId = by.ownerId ?? ''
    const names = Array.from({ length: MOST_NAMES - 1 }, (_, i) => `t${i}`)
    await ensureLabels(ctx, ownerId, labelsIn({ tags: names }))
    const made = await Promise.allSettled(Array.from({ length: 6 }, (_, i) => create(by, { tags: [`more${i}`] })))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await ctx.db.client.label.count({ where: { ownerId } })).toBe(MOST_NAMES)
    await expect(create(by, { tags: ['one more'] })).rejects.toMatchObject({ errors: [{ path: 'tags' }] })
    await expect(create(by, { tags: ['t5'] })).resolves.toMatchObject({ ownerId })
  })

  it('is there again when a deleted link is restored, and gone once the link is gone for good', async () => {
    const by = await someone()
    const link = await create(by, { tags: ['Spring'], comment: 'kept' })
    await deleteLink(ctx, by, { code: link.code })
    expect(await codes(by, { tag: 'spring' })).toEqual([])
    expect(await codes(by, { tag: 'spring', state: 'deleted' })).toEqual([link.code])
    await restoreLink(ctx, by, { code: link.code })
    expect(await filing(by, link)).toMatchObject({ tags: ['Spring'], comment: 'kept' })
    expect(await codes(by, { tag: 'spring' })).toEqual([link.code])
    await ctx.db.client.clickPurge.createMany({ data: [{ linkId: link.id }] })
    await purgeClicks(ctx.db)
    expect(await filing(by, link)).toBeUndefined()
  })

  it('goes with the account', async () => {
    const by = await someone()
    const link = await create(by, { tags: ['Spring'], folder: 'x', comment: 'kept' })
    await deleteFilingOf(ctx, by.ownerId ?? '')
    expect(await filing(by, link)).toBeUndefined()
    expect(await ctx.db.client.label.count({ where: { ownerId: by.ownerId ?? '' } })).toBe(0)
  })
})

describe('a list of links by how they are filed', () => {
  it('holds what it asks for, in every order, on pages of any size, without those that are archived', async () => {
    const by = await someone()
    const ownerId = by.ownerId ?? ''
    const rows = Array.from({ length: 60 }, (_, i) =>
      linkRow({ ownerId, clicks: BigInt((i * 7) % 13), title: ['apple', 'brown', 'cider', 'delta', 'eagle'][i % 5] ?? '' }),
    )
    await insertLinks(ctx.db.client, rows)
    const known = await ensureLabels(ctx, ownerId, labelsIn({ tags: ['a'], folder: 'f', archived: true }))
    const [a = 0n, f = 0n, archived = 0n] = requireLabels(known, labelsIn({ tags: ['a'], folder: 'f', archived: true }))
    const has = (i: number) => ({ a: i % 2 === 0, f: i % 3 === 0, archived: i % 10 === 0 })
    const data = rows.flatMap(({ id }, i) => [
      ...(has(i).a ? [{ labelId: a, linkId: id }] : []),
      ...(has(i).f ? [{ labelId: f, linkId: id }] : []),
      ...(has(i).archived ? [{ labelId: archived, linkId: id }] : []),
    ])
    await ctx.db.client.linkLabel.createMany({ data })
    // Of a link that is gone: it fills windows, and is in no list.
    await ctx.db.client.linkLabel.createMany({ data: [{ labelId: a, linkId: (rows.at(-1)?.id ?? 0n) + 1_000n }] })
    const queries: [Record<string, unknown>, (i: number) => boolean][] = [
      [{}, (i) => !has(i).archived],
      [{ archived: 'any' }, () => true],
      [{ archived: 'true' }, (i) => has(i).archived],
      [{ tag: 'A' }, (i) => has(i).a && !has(i).archived],
      [{ tag: 'a', folder: 'F' }, (i) => has(i).a && has(i).f && !has(i).archived],
      [{ tag: 'a', q: 'CIDER' }, (i) => has(i).a && !has(i).archived && i % 5 === 2],
      [{ folder: 'f', minClicks: 5 }, (i) => has(i).f && !has(i).archived && (i * 7) % 13 >= 5],
      [{ tag: 'none' }, () => false],
      [{ favorite: 'true' }, () => false],
    ]
    for (const [query, holds] of queries) {
      const wanted = rows.filter((_, i) => holds(i))
      for (const [sort, most] of [
        ['newest', 0],
        ['oldest', 0],
        ['clicks', 0],
        ['clicks', 100],
      ] as const) {
        const sorted = [...wanted].sort((x, y) =>
          sort === 'clicks' && x.clicks !== y.clicks
            ? Number(y.clicks - x.clicks)
            : (sort === 'oldest' ? 1 : -1) * (x.id < y.id ? -1 : 1),
        )
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const reach = { time: 1, timeWithTerms: 1, window: 7, windowWithTerms: 7, index: 100, sorted: most }
          const page = await listWithin(
            ctx,
            managedBy(by),
            asked({ ...query, sort, limit: 4, ...(cursor && { cursor }) }),
            Date.now(),
            reach,
          )
          seen.push(...page.links.map(({ code }) => code))
          cursor = page.nextCursor ?? undefined
        } while (cursor)
        expect({ query, sort, most, seen }).toEqual({ query, sort, most, seen: sorted.map(({ code }) => code) })
      }
      expect(await countLinks(ctx, managedBy(by), asked(query))).toEqual({ count: wanted.length, more: false })
    }
    expect(
      await bearing(
        ctx,
        [a, f],
        rows.map(({ id }) => id),
      ),
    ).toEqual(new Set(rows.filter((_, i) => has(i).a && has(i).f).map(({ id }) => id)))
  })

  it('is of the own labels alone: others cannot ask by them', async () => {
    const [by, other] = [await someone(), await someone()]
    await create(by, { tags: ['Spring'] })
    expect(await codes(other, { tag: 'Spring' })).toEqual([])
  })
})

describe('a tag or folder', () => {
  it('is renamed on all its links, and deleted without them', async () => {
    const visitor = new Visitor(ctx)
    await visitor.signUp()
    const { body } = await visitor.ask(postLink, 'POST', '/api/v1/links', { url: 'https://example.com/', tags: ['Spring', 'x'] })
    const { body: labels } = await visitor.ask(getLabels, 'GET', '/api/v1/labels')
    const [{ id }] = labels.tags.filter(({ name }: { name: string }) => name === 'Spring')
    const path = `/api/v1/labels/${id}`
    const rename = (name: string) => visitor.ask(patchLabel, 'PATCH', path, { name }, {}, { id })
    expect((await rename('X')).status).toBe(409)
    expect((await rename('SPRING')).body).toEqual({ id, name: 'SPRING' })
    const read = () => visitor.ask(getLink, 'GET', `/api/v1/links/${body.code}`, undefined, {}, { code: body.code })
    expect((await read()).body.tags).toEqual(['SPRING', 'x'])
    const stranger = new Visitor(ctx)
    await stranger.signUp()
    expect((await stranger.ask(removeLabel, 'DELETE', path, undefined, {}, { id })).status).toBe(404)
    expect((await visitor.ask(removeLabel, 'DELETE', path, undefined, {}, { id })).status).toBe(204)
    expect((await read()).body.tags).toEqual(['x'])
    expect((await visitor.ask(removeLabel, 'DELETE', path, undefined, {}, { id })).status).toBe(404)
  })
})

describe('filing many links', () => {
  async function finished(number: string) {
    ctx.jobs.look()
    await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe('done'), { timeout: 30_000, interval: 20 })
    const { items } = await listJobItems(ctx, await findJob(ctx, null, number), { limit: 1_000 })
    return items.map(({ outcome }) => outcome)
  }
  const bulk = async (by: Actor, input: Record<string, unknown>) => {
    const account = by.account as Account
    const { number } = await queueBulk(ctx, { account, address: null }, BulkLinks.parse(input), 'owner')
    return finished(number)
  }

  it('adds, removes and moves, and says which were so already', async () => {
    const by = await someone()
    const links = [await create(by, { tags: ['a'] }), await create(by, { tags: ['b'] }), await create(by)]
    const ids = links.map(({ id }) => id.toString())
    const tags = async () => (await Promise.all(links.map((link) => filing(by, link)))).map((one) => one?.tags ?? [])
    expect((await bulk(by, { action: 'tag', ids, tags: ['A', 'c'] })).sort()).toEqual(['done', 'done', 'done'])
    expect(await tags()).toEqual([
      ['a', 'c'],
      ['a', 'b', 'c'],
      ['a', 'c'],
    ])
    await bulk(by, { action: 'untag', matching: { tag: 'b' }, tags: ['C', 'unknown'] })
    expect(await tags()).toEqual([
      ['a', 'c'],
      ['a', 'b'],
      ['a', 'c'],
    ])
    await bulk(by, { action: 'move', ids, folder: 'Clients' })
    expect((await codes(by, { folder: 'clients' })).sort()).toEqual(links.map(({ code }) => code).sort())
    await bulk(by, { action: 'archive', matching: { folder: 'clients', tag: 'b' } })
    expect(await codes(by, { folder: 'clients' })).toHaveLength(2)
    expect(await bulk(by, { action: 'archive', ids: ids.slice(1, 2) })).toEqual(['skipped'])
    await bulk(by, { action: 'unarchive', matching: { archived: 'true' } })
    await bulk(by, { action: 'move', ids, folder: null })
    expect(await codes(by, { folder: 'clients' })).toEqual([])
    expect(await codes(by)).toHaveLength(3)
  })

  it('fails for a link that would have too many tags, and for one of somebody else', async () => {
    const [by, other] = [await someone(), await someone()]
    const full = await create(by, { tags: Array.from({ length: MOST_TAGS }, (_, i) => `t${i}`) })
    const foreign = await create(other)
    expect(await bulk(by, { action: 'tag', ids: [full.id.toString(), foreign.id.toString()], tags: ['more'] })).toEqual([
      'failed',
      'failed',
    ])
    expect((await filing(by, full))?.tags).toHaveLength(MOST_TAGS)
  })

  it('asks for tags and folders where an action takes them, and nowhere else', () => {
    const isTaken = (input: Record<string, unknown>) => BulkLinks.safeParse({ ids: ['1'], ...input }).success
    expect(isTaken({ action: 'tag', tags: ['a'] })).toBe(true)
    expect(isTaken({ action: 'tag' })).toBe(false)
    expect(isTaken({ action: 'move' })).toBe(false)
    expect(isTaken({ action: 'move', folder: null })).toBe(true)
    expect(isTaken({ action: 'delete', tags: ['a'] })).toBe(false)
    expect(BulkLinks.safeParse({ action: 'delete', matching: { archived: 'any' } }).success).toBe(false)
  })

  it('takes tags, folder and comment from CSV', async () => {
    const by = await someone()
    const csv = [
      'url,code,tags,folder,notes,archived',
      `https://example.com/1,${freshCode()},"Spring, News",Clients,"a ""note""",no`,
      `https://example.com/2,${freshCode()},spring,,,yes`,
      `https://example.com/3,${freshCode()},"${'x'.repeat(51)}",,,`,
    ].join('\n')
    const { number } = await queueImport(ctx, { account: by.account as Account, address: null }, csv)
    expect(await finished(number)).toEqual(['done', 'done', 'failed'])
    const { links } = await listLinks(ctx, managedBy(by), asked({ archived: 'any', sort: 'oldest' }))
    const filed = await filingOf(
      ctx,
      by.ownerId ?? '',
      links.map(({ id }) => id),
    )
    expect(links.map(({ id }) => filed.get(id))).toEqual([
      { tags: ['News', 'Spring'], folder: 'Clients', comment: 'a "note"', archived: false, favorite: false },
      { tags: ['Spring'], folder: null, comment: '', archived: true, favorite: false },
    ])
  })

  it('leaves no label twice', async () => {
    const [row] = await connection.query('SELECT COUNT(*) AS n FROM LinkLabel GROUP BY labelId, linkId HAVING n > 1')
    expect(row).toBeUndefined()
  })
})

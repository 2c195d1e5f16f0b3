import { beforeAll, describe, expect, it } from 'vitest'
import { anonymous } from '@/lib/actor'
import { isTerseError } from '@/lib/errors'
import { negotiate } from '@/lib/i18n/languages'
import { createLink } from '@/lib/links/create'
import { deleteFound } from '@/lib/links/delete'
import { insertLinks } from '@/lib/links/insert'
import { OURSELVES } from '@/lib/links/permit'
import { CreateLink } from '@/lib/links/schemas'
import { testDatabase } from '@/lib/testing/database'
import { freshCode, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createReport } from './create'
import { reportDetail } from './detail'
import { listReports } from './queue'
import { resolveReport } from './resolve'
import { CreateReport, ResolveReport } from './schemas'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

const [admin, colleague] = [owner('admin', 'admin').account, owner('colleague', 'admin').account]
if (!admin || !colleague) throw new Error('no accounts')

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (isTerseError(error) ? (error.errors?.[0]?.path ?? error.code) : String(error)),
  )
const make = async () => (await createLink(ctx, anonymous(), CreateLink.parse({ url: 'https://example.com/' }))).link
const report = (shortUrl: string, fields = {}) =>
  createReport(ctx, CreateReport.parse({ shortUrl, reason: 'phishing', ...fields }), '203.0.113.1')
const idOf = async (reference: string) => (await ctx.db.client.report.findUniqueOrThrow({ where: { reference } })).id
const resolve = (id: bigint, fields: Record<string, unknown>, by = admin) =>
  resolveReport(ctx, by, id, ResolveReport.parse(fields), negotiate(''))
const stateOf = async (id: bigint) => (await ctx.db.client.link.findUnique({ where: { id } }))?.state ?? 'gone'

describe('a report', () => {
  it('of numbers tells no more of spoken codes than following them does', async () => {
    const limited = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, RATE_LIMIT: 'on' })
    const row = linkRow({ code: '4821', expiresAt: new Date(Date.now() + 3_600_000) })
    await insertLinks(ctx.db.client, [row])
    const ask = (shortUrl: string) =>
      refusal(createReport(limited, CreateReport.parse({ shortUrl, reason: 'spam' }), '203.0.113.2'))
    expect(await ask('4821')).toBeNull()
    for (let i = 0; i < 20; i++) expect(await ask(String(5000 + i))).toBe('shortUrl')
    expect(await ask('4821')).toBe('rate_limited')
    expect(await ask('5000')).toBe('rate_limited')
    const followed = limited.guesses.ask(
      () => '203.0.113.2',
      row.fullShortUrl,
      async () => true,
      Boolean,
    )
    await expect(followed).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it.each([
    ['the whole short URL', (full: string) => `http://${full}`],
    ['one with a query and a preview sign', (full: string) => `HTTP://${full}+?utm=1#x`],
    ['one without its scheme', (full: string) => full],
    ['the code alone', (full: string) => full.split('/')[1] ?? ''],
  ])('names a link by %s', async (_, write) => {
    const link = await make()
    const reference = await report(write(link.fullShortUrl))
    expect(reference).toMatch(/^\d{11}$/)
    expect(await ctx.db.client.report.findUnique({ where: { reference } })).toMatchObject({
      fullShortUrl: link.fullShortUrl,
      linkId: link.id,
      url: link.url,
      state: 'open',
    })
  })

  it.each(['nothing-there', 'http://terse.test/', 'https://elsewhere.example/abc', 'javascript:alert(1)', '%', 'a b c'])(
    'of %s is refused at its field',
    async (shortUrl) => {
      expect(await refusal(report(shortUrl))).toBe('shortUrl')
    },
  )

  it.each(['/some/path', '/some/path/', '/some/path+', '/a/file.html?x=1', '/%C3%A9/a%20b'])(
    'names the link that answers for an address below its own: %s',
    async (below) => {
      const taking = (code: string) =>
        createLink(ctx, anonymous(), CreateLink.parse({ url: 'https://example.com/', code, routing: { path: 'append' } }))
      const [code, plain] = [freshCode(), freshCode()]
      const { link } = await taking(code)
      await createLink(ctx, anonymous(), CreateLink.parse({ url: 'https://example.com/', code: plain }))
      const reference = await report(`http://terse.test/${code}${below}`)
      expect(await ctx.db.client.report.findUnique({ where: { reference } })).toMatchObject({
        fullShortUrl: link.fullShortUrl,
        linkId: link.id,
      })
      expect(await refusal(report(`http://terse.test/${plain}${below}`))).toBe('shortUrl')
    },
  )

  it('of an address below several links names the nearest that takes paths, and of one with a link of its own that', async () => {
    const [by, code] = [owner('reported'), freshCode()]
    const path = { routing: { path: 'ignore' as const } }
    await createLink(ctx, by, { url: 'https://example.com/', code, ...path })
    const { link } = await createLink(ctx, by, { url: 'https://example.com/', code: `${code}/a`, ...path })
    const { link: own } = await createLink(ctx, by, { url: 'https://example.com/', code: `${code}/a/b` })
    const named = async (address: string) =>
      (await ctx.db.client.report.findUnique({ where: { reference: await report(address) } }))?.linkId
    expect(await named(`terse.test/${code}/a/c/d`)).toBe(link.id)
    expect(await named(`terse.test/${code}/a/b`)).toBe(own.id)
  })

  it('can be about a link that was deleted', async () => {
    const link = await make()
    await deleteFound(ctx, OURSELVES, link)
    const detail = await reportDetail(ctx, await idOf(await report(link.fullShortUrl)))
    expect(detail.report).toMatchObject({ url: link.url, link: { state: 'deleted' } })
  })

  it('has a reference of its own, however many come at once', async () => {
    const link = await make()
    const references = await Promise.all(Array.from({ length: 64 }, () => report(link.fullShortUrl)))
    expect(new Set(references).size).toBe(64)
  })
})

describe('the queue', () => {
  it('holds open reports, those that wait longest first, and shows what else is known', async () => {
    const link = await make()
    const references = [await report(link.fullShortUrl), await report(link.fullShortUrl, { reason: 'spam', details: '<b>x</b>' })]
    const { reports } = await listReports(ctx, { limit: 100, state: 'open' })
    const positions = references.map((reference) => reports.findIndex((row) => row.reference === reference))
    expect(positions[0]).toBeLessThan(positions[1] ?? 0)
    expect(reports[positions[1] ?? 0]).toMatchObject({
      reason: 'spam',
      details: '<b>x</b>',
      others: 1,
      link: { state: 'active' },
    })
    const detail = await reportDetail(ctx, await idOf(references[0] ?? ''))
    expect(detail.others.map((row) => row.reference)).toEqual([references[1]])
  })

  it('is read in pages, each report once', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await listReports(ctx, { limit: 7, ...(cursor === null ? {} : { cursor }) })
      seen.push(...page.reports.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBe(await ctx.db.client.report.count())
  })
})

describe('handling', () => {
  it('bans the link with the reason, and handles the other open reports of it', async () => {
    const link = await make()
    const ids = [await idOf(await report(link.fullShortUrl)), await idOf(await report(link.fullShortUrl))]
    const handled = await resolve(ids[0] ?? 0n, { action: 'ban', reason: 'Phishing', answer: 'Thank you.' })
    expect(handled.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(await ctx.db.client.link.findUnique({ where: { id: link.id } })).toMatchObject({
      state: 'banned',
      banReason: 'Phishing',
    })
    for (const id of ids) expect((await reportDetail(ctx, id)).report).toMatchObject({ state: 'acted', answer: 'Thank you.' })
  })

  it.each([
    ['disable', 'disabled'],
    ['delete', 'gone'],
    ['dismiss', 'active'],
  ])('by %s leaves the link %s', async (action, state) => {
    const link = await make()
    await resolve(await idOf(await report(link.fullShortUrl)), { action })
    expect(await stateOf(link.id)).toBe(state)
  })

  it('leaves other reports alone when asked to', async () => {
    const link = await make()
    const [first, second] = [await idOf(await report(link.fullShortUrl)), await idOf(await report(link.fullShortUrl))]
    await resolve(first, { action: 'dismiss', others: false })
    expect((await reportDetail(ctx, second)).report.state).toBe('open')
  })

  it('happens once, when two admins do it at once', async () => {
    const link = await make()
    const id = await idOf(await report(link.fullShortUrl))
    const outcomes = await Promise.all([
      refusal(resolve(id, { action: 'ban' })),
      refusal(resolve(id, { action: 'dismiss' }, colleague)),
    ])
    expect(outcomes.sort()).toEqual(['conflict', null])
    expect(await refusal(resolve(id, { action: 'dismiss' }))).toBe('conflict')
  })

  it('that its link refuses leaves the report open', async () => {
    const link = await make()
    const id = await idOf(await report(link.fullShortUrl))
    await deleteFound(ctx, OURSELVES, link)
    expect(await refusal(resolve(id, { action: 'ban' }))).toBe('conflict')
    expect((await reportDetail(ctx, id)).report).toMatchObject({ state: 'open', handledBy: null, answer: '' })
    expect(await refusal(resolve(id, { action: 'delete' }))).toBeNull()
  })
})

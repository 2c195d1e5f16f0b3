import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { createLink } from '@/lib/links/create'
import { CreateLink } from '@/lib/links/schemas'
import { setRuntime } from '@/lib/runtime'
import { Visitor } from '@/lib/testing/accounts'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { pagesOf, readCode, readCodes } from '@/lib/testing/qr'
import { testRedis } from '@/lib/testing/redis'
import { BASE_URL, settled, testRuntime } from '@/lib/testing/runtime'
import type { Endpoint } from './endpoint'
import { postLink } from './links'
import { getLogo, getQr, postSheet, putLogo, removeLogo } from './qr'
import { postNext, postSeries } from './series'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

const LINKS = '/api/v1/links'
const LOGO = '/api/v1/account/qr-logo'
const SHEET = '/api/v1/qr-sheet'

async function member() {
  const visitor = new Visitor(ctx)
  return { visitor, ...(await visitor.signUp()) }
}

/** Asks for bytes. */
async function fetchBytes(
  visitor: Visitor,
  endpoint: Endpoint,
  path: string,
  { params = {}, ...init }: RequestInit & { params?: Record<string, string> } = {},
) {
  setRuntime(ctx)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = new Request(BASE_URL + path, { ...init, headers: { cookie, origin: BASE_URL, ...init.headers } })
  const response = await endpoint(request, { params: Promise.resolve(params) })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

async function linkOf(visitor: Visitor, body: object = {}): Promise<{ id: string; code: string; shortUrl: string }> {
  const { body: link, status } = await visitor.ask(postLink, 'POST', LINKS, { url: 'https://example.com/', ...body })
  expect(status, JSON.stringify(link)).toBe(201)
  return link
}

const qr = (visitor: Visitor, code: string, query = '', init: RequestInit = {}) =>
  fetchBytes(visitor, getQr, `${LINKS}/${encodeURIComponent(code)}/qr${query}`, {
    params: { code: encodeURIComponent(code) },
    ...init,
  })

const picture = (format: 'png' | 'jpeg' | 'webp', width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: '#d0021b' } })
    .toFormat(format)
    .toBuffer()

const upload = (visitor: Visitor, bytes: Buffer, type: string) =>
  fetchBytes(visitor, putLogo, LOGO, { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': type } })

const problemIn = ({ bytes }: { bytes: Buffer }) => JSON.parse(bytes.toString())

describe('the QR code of a link', () => {
  it('is given to its owner in each format, and to nobody else', async () => {
    const [{ visitor: alice }, { visitor: bob }] = [await member(), await member()]
    const link = await linkOf(alice)
    const svg = await qr(alice, link.code)
    expect(svg).toMatchObject({ status: 200 })
    expect(svg.headers.get('content-type')).toBe('image/svg+xml')
    expect(svg.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await readCode(svg.bytes)).toBe(link.shortUrl)
    const png = await qr(alice, link.code, '?format=png&size=300')
    expect(await sharp(png.bytes).metadata()).toMatchObject({ format: 'png', width: 300, height: 300 })
    expect(await readCode(png.bytes)).toBe(link.shortUrl)
    const pdf = await qr(alice, link.code, '?format=pdf&mm=25')
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(await readCode(pagesOf(pdf.bytes)[0]?.svg ?? Buffer.alloc(0))).toBe(link.shortUrl)
    expect((await qr(bob, link.code)).status).toBe(404)
    expect((await qr(new Visitor(ctx), link.code)).status).toBe(401)
  })

  it('holds codes of other scripts as browsers send them', async () => {
    const { visitor } = await member()
    const link = await linkOf(visitor, { code: '春天-весна/é' })
    const { bytes, headers } = await qr(visitor, link.code, '?format=png')
    expect(await readCode(bytes)).toBe(link.shortUrl)
    expect(headers.get('content-disposition')).toBe('inline; filename="qr--.png"')
  })

  it('has an ETag of all that it depends on, and is not sent again to who has it', async () => {
    const { visitor } = await member()
    const link = await linkOf(visitor)
    const queries = [
      '',
      '?format=png',
      '?format=png&size=200',
      '?margin=5',
      '?level=H',
      '?foreground=102030',
      '?background=eeeeee',
    ]
    const tags = await Promise.all(queries.map(async (query) => (await qr(visitor, link.code, query)).headers.get('etag') ?? ''))
    expect(new Set(tags).size).toBe(queries.length)
    const again = await qr(visitor, link.code, '', { headers: { 'if-none-match': `"other", W/${tags[0]}` } })
    expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
    expect(again.headers.get('etag')).toBe(tags[0])
    expect((await qr(visitor, link.code, '', { headers: { 'if-none-match': tags[1] ?? '' } })).status).toBe(200)
  })

  it('warns of what some readers fail on, and refuses what nobody sees', async () => {
    const { visitor } = await member()
    const link = await linkOf(visitor)
    const warned = async (query: string) => (await qr(visitor, link.code, query)).headers.get('qr-warnings')
    expect(await warned('')).toBeNull()
    expect(await warned('?foreground=aaaaaa')).toBe('contrast')
    expect(await warned('?foreground=ffffff&background=000000&margin=1')).toBe('inverted, margin')
    const same = await qr(visitor, link.code, '?foreground=FFFFFF')
    expect(problemIn(same)).toMatchObject({ status: 422, errors: [{ path: 'foreground' }] })
  })

  it.each([
    ['?foreground=red', 'foreground'],
    ['?background=%23fff', 'background'],
    ['?margin=17', 'margin'],
    ['?margin=-1', 'margin'],
    ['?level=X', 'level'],
    ['?format=gif', 'format'],
    ['?format=png&size=4097', 'size'],
    ['?format=png&size=1e9', 'size'],
    ['?mm=9', 'mm'],
    ['?logo=own', 'logo'],
    ['?logo=https://evil.example/x.png', 'logo'],
    ['?style=dots', 'style'],
  ])('says which part of %s is wrong', async (query, path) => {
    const { visitor } = await member()
    const link = await linkOf(visitor)
    expect(problemIn(await qr(visitor, link.code, query))).toMatchObject({ status: 422, errors: [{ path }] })
  })

  it('is gone with its link, and when that is banned', async () => {
    const { visitor } = await member()
    const [deleted, banned] = [await linkOf(visitor), await linkOf(visitor)]
    await qr(visitor, deleted.code)
    await ctx.db.change("UPDATE Link SET state = 'banned' WHERE id = ?", banned.id)
    expect((await qr(visitor, banned.code)).status).toBe(410)
    const { removeLink } = await import('./links')
    await visitor.ask(removeLink, 'DELETE', `${LINKS}/${deleted.code}`, undefined, {}, { code: deleted.code })
    expect((await qr(visitor, deleted.code)).status).toBe(410)
  })

  it('has the logo of the site, or that of its account', async () => {
    const { visitor } = await member()
    const link = await linkOf(visitor)
    expect(await readCode((await qr(visitor, link.code, '?logo=site&format=png')).bytes)).toBe(link.shortUrl)
    expect((await upload(visitor, await picture('jpeg'), 'image/jpeg')).status).toBe(200)
    const own = await qr(visitor, link.code, '?logo=own&format=png')
    expect(await readCode(own.bytes)).toBe(link.shortUrl)
    expect(own.bytes).not.toEqual((await qr(visitor, link.code, '?logo=site&format=png')).bytes)
  })
})

describe('the logo of an account', () => {
  it('is kept as Terse made it, given to its account alone, replaced and deleted', async () => {
    const [{ visitor: alice, id }, { visitor: bob }] = [await member(), await member()]
    expect((await fetchBytes(alice, getLogo, LOGO)).status).toBe(404)
    const sent = await picture('webp', 1_000, 400)
    expect((await upload(alice, sent, 'image/webp')).status).toBe(200)
    const kept = await fetchBytes(alice, getLogo, LOGO)
    expect(kept.headers.get('content-type')).toBe('image/png')
    expect(await sharp(kept.bytes).metadata()).toMatchObject({ format: 'png', width: 256 })
    expect((await fetchBytes(bob, getLogo, LOGO)).status).toBe(404)
    await upload(alice, await picture('png', 20, 20), 'image/png')
    expect(await sharp((await fetchBytes(alice, getLogo, LOGO)).bytes).metadata()).toMatchObject({ width: 20 })
    expect(await ctx.db.rows('SELECT userId FROM QrLogo WHERE userId = ?', id)).toHaveLength(1)
    expect((await fetchBytes(alice, removeLogo, LOGO, { method: 'DELETE' })).status).toBe(204)
    expect((await fetchBytes(alice, getLogo, LOGO)).status).toBe(404)
  })

  it('is refused with a clear reason, and the one before stays', async () => {
    const { visitor } = await member()
    await upload(visitor, await picture('png', 30, 30), 'image/png')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    expect(problemIn(await upload(visitor, svg, 'image/svg+xml'))).toMatchObject({ status: 415 })
    const hidden = problemIn(await upload(visitor, svg, 'image/png'))
    expect(hidden).toMatchObject({ status: 422, detail: expect.stringContaining('scripts') })
    expect(problemIn(await upload(visitor, Buffer.alloc(0), 'image/png'))).toMatchObject({ status: 422 })
    expect(problemIn(await upload(visitor, Buffer.alloc(513 * 1024), 'image/png'))).toMatchObject({ status: 413 })
    const huge = await picture('png', 4_100, 10)
    expect(problemIn(await upload(visitor, huge, 'image/png')).detail).toContain('4,096')
    expect(await sharp((await fetchBytes(visitor, getLogo, LOGO)).bytes).metadata()).toMatchObject({ width: 30 })
  })
})

describe('a sheet', () => {
  const sheet = (visitor: Visitor, body: object) =>
    fetchBytes(visitor, postSheet, SHEET, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const textsOf = async (bytes: Buffer) =>
    (await Promise.all(pagesOf(bytes).map(({ svg }) => readCodes(svg, { pixels: 2_000 })))).flat().sort()

  it('holds the links that were named, in their order', async () => {
    const { visitor } = await member()
    const links = [await linkOf(visitor), await linkOf(visitor, { code: 'tür' }), await linkOf(visitor, { code: 'дверь' })]
    const answer = await sheet(visitor, { ids: links.map(({ id }) => id), rows: 3, columns: 2, cutMarks: true, caption: 'code' })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(await textsOf(answer.bytes)).toEqual(links.map(({ shortUrl }) => shortUrl).sort())
    const captions = pagesOf(answer.bytes).flatMap(({ texts }) => texts)
    // Letters that the font does not have stand as they can be typed too.
    expect(captions).toEqual([links[0]?.code, 'tür', encodeURIComponent('дверь')])
  })

  it('holds the links that match, the newest first, and no more than a sheet takes', async () => {
    const { visitor, id } = await member()
    const links = [
      await linkOf(visitor, { title: 'table one' }),
      await linkOf(visitor),
      await linkOf(visitor, { title: 'table two' }),
    ]
    const answer = await sheet(visitor, { matching: { q: 'table' }, caption: 'code' })
    expect(pagesOf(answer.bytes).flatMap(({ texts }) => texts)).toEqual([links[2]?.code, links[0]?.code])
    expect(problemIn(await sheet(visitor, { matching: { q: 'none-such' } })).errors).toMatchObject([{ path: 'matching' }])
    expect(problemIn(await sheet(visitor, { matching: {} })).errors).toMatchObject([{ path: 'matching' }])
    const actor = { account: null, ownerId: id, scope: 'write', manageToken: null, origin: { address: '', isJob: true } } as const
    await createLinks(
      ctx,
      actor,
      Array.from({ length: 999 }, (_, i) => CreateLink.parse({ url: `https://example.com/${i}`, title: 'chair' })),
    )
    const all = await sheet(visitor, { matching: { to: '2100-01-01T00:00:00Z' }, rows: 14, columns: 9 })
    expect(problemIn(all)).toMatchObject({ status: 422, errors: [{ path: 'matching' }] })
    const chairs = await sheet(visitor, { matching: { q: 'chair' }, rows: 14, columns: 9, caption: 'none' })
    expect(chairs.status).toBe(200)
    expect(pagesOf(chairs.bytes)).toHaveLength(Math.ceil(999 / (14 * 9)))
  })

  it('says which of its links there is not, or is banned', async () => {
    const [{ visitor: alice }, { visitor: bob }] = [await member(), await member()]
    const [own, foreign, banned] = [await linkOf(alice), await linkOf(bob), await linkOf(alice)]
    await ctx.db.change("UPDATE Link SET state = 'banned' WHERE id = ?", banned.id)
    const answer = await sheet(alice, { ids: [own.id, foreign.id, banned.id] })
    expect(problemIn(answer)).toMatchObject({ status: 422, errors: [{ path: 'ids.1' }, { path: 'ids.2' }] })
  })

  it('holds the links of a series, in the order of its numbers', async () => {
    const { visitor, id } = await member()
    const series = { name: 'seats', kind: 'counter', format: { prefix: 'S-', date: 'yyMMdd', digits: 3 } }
    expect((await visitor.ask(postSeries, 'POST', '/api/v1/series', series)).status).toBe(201)
    const { body } = await visitor.ask(postNext, 'POST', '/api/v1/series/seats/next', { count: 5 }, {}, { name: 'seats' })
    expect(problemIn(await sheet(visitor, { series: 'seats' }))).toMatchObject({ status: 422, errors: [{ path: 'series' }] })
    const actor = { account: null, ownerId: id, scope: 'write', manageToken: null, origin: { address: '', isJob: true } } as const
    // The third has no link.
    for (const code of [...body.numbers].filter((_, i) => i !== 2)) {
      await createLink(ctx, actor, CreateLink.parse({ url: 'https://example.com/', code }))
    }
    const all = await sheet(visitor, { series: 'seats', caption: 'code' })
    expect(pagesOf(all.bytes).flatMap(({ texts }) => texts)).toEqual([...body.numbers].filter((_, i) => i !== 2))
    const last = await sheet(visitor, { series: 'seats', caption: 'code', count: 2 })
    expect(pagesOf(last.bytes).flatMap(({ texts }) => texts)).toEqual(body.numbers.slice(3))
    expect((await sheet(visitor, { series: 'none-such' })).status).toBe(404)
  })

  it.each([
    [{}, 'ids'],
    [{ ids: [] }, 'ids'],
    [{ ids: ['1'], series: 'a' }, 'ids'],
    [{ ids: Array.from({ length: 1_001 }, (_, i) => String(i + 1)) }, 'ids'],
    [{ ids: ['1'], rows: 0 }, 'rows'],
    [{ ids: ['1'], rows: 21 }, 'rows'],
    [{ ids: ['1'], rows: 20, columns: 12 }, 'rows'],
    [{ ids: ['1'], paper: 'a0' }, 'paper'],
    [{ ids: ['1'], foreground: 'x' }, 'foreground'],
  ])('refuses %j at %s', async (body, path) => {
    const { visitor } = await member()
    expect(problemIn(await sheet(visitor, body)).errors.map((error: { path: string }) => error.path)).toContain(path)
  })
})

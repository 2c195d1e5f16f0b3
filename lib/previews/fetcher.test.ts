import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WordRules } from '@/lib/blocklist/word-rules'
import { createLink } from '@/lib/links/create'
import { deleteLink } from '@/lib/links/delete'
import { restoreLink } from '@/lib/links/restore'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { updateLink } from '@/lib/links/update'
import { parseRanges } from '@/lib/net/address'
import { Outbound, type OutboundRequest } from '@/lib/net/outbound'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { HOST, SILENT } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { Cards } from './cards'
import { WAITING } from './fetch-slots'
import { PreviewFetcher } from './fetcher'
import { viewPreview } from './view'

const asked: string[] = []
const PAGE = '<title>A &amp; B</title><meta name="description" content="text"><meta property="og:image" content="/i.png">'
const BOMB = gzipSync(Buffer.concat([Buffer.from('<title>small</title>'), Buffer.alloc(64 * 1024 * 1024, ' ')]))
const server = createServer((request, response) => {
  const { url = '', headers } = request
  asked.push(url)
  const html = { 'Content-Type': 'text/html' }
  if (url.startsWith('/hang')) return
  if (url.startsWith('/drip')) {
    response.writeHead(200, html)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
    return
  }
  if (url.startsWith('/to?')) return void response.writeHead(302, { Location: decodeURIComponent(url.slice(4)) }).end()
  if (url.startsWith('/loop')) return void response.writeHead(302, { Location: url }).end()
  if (url.startsWith('/bomb')) return void response.writeHead(200, { ...html, 'Content-Encoding': 'gzip' }).end(BOMB)
  if (url.startsWith('/pdf')) return void response.writeHead(200, { 'Content-Type': 'application/pdf' }).end(PAGE)
  if (url.startsWith('/none')) return void response.writeHead(404, html).end(PAGE)
  if (url.startsWith('/busy')) return void response.writeHead(503, html).end(PAGE)
  if (url.startsWith('/agent')) return void response.writeHead(200, html).end(`<title>${headers['user-agent']}</title>`)
  response.writeHead(200, html).end(PAGE)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
atEnd(() => {
  server.closeAllConnections()
  server.close()
})
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const alice = owner('alice')
const LOCAL = parseRanges(['127.0.0.0/8'])
const fetcherOf = (allows = (_: string) => true, outbound = new Outbound(LOCAL), allowsWords = (_: object) => true) =>
  new PreviewFetcher({ db: ctx.db, outbound, log: SILENT, agent: 'Terse link preview', allows, allowsWords })
const fetcher = fetcherOf()

beforeAll(async () => {
  // It may not ask this machine, and would be faster.
  ctx.previews.close()
  await settled(ctx)
})
beforeEach(async () => {
  asked.length = 0
  await connection.query('DELETE FROM LinkPreview')
})

const make = async (path: string, given: object = { preview: { source: 'destination' } }) =>
  (await createLink(ctx, alice, CreateLink.parse({ url: `${origin}${path}`, ...given }))).link
const edit = (link: { code: string }, body: object) =>
  updateLink(ctx, alice, { code: link.code, domain: HOST }, UpdateLink.parse(body))
const viewOf = (link: Parameters<typeof viewPreview>[1]) => viewPreview(ctx, link)
const rowsOf = () => connection.query<{ attempts: number; dueAt: Date | null; failure: string }[]>('SELECT * FROM LinkPreview')

describe('the card of a destination', () => {
  it('is fetched behind the answer, once for each link and destination, by one of all processes', async () => {
    const link = await make('/page')
    expect(asked).toEqual([])
    expect(await viewOf(link)).toMatchObject({ card: null, state: 'waiting' })
    await Promise.all([fetcher, fetcherOf(), fetcherOf()].map((one) => one.fetchDue()))
    expect(asked).toEqual(['/page'])
    const card = { title: 'A & B', description: 'text', image: `${origin}/i.png` }
    expect(await viewOf(link)).toMatchObject({ card, state: 'ready', failure: null })
    expect(await new Cards(ctx.db, new WordRules(ctx.db)).find({ id: link.id.toString(), version: '1' })).toEqual({
      source: 'destination',
      ...card,
    })
    await edit(link, { title: 'Another' })
    await edit(link, { preview: null })
    await edit(link, { preview: { source: 'destination' } })
    await fetcher.fetchDue()
    expect(asked).toEqual(['/page'])
    const moved = await edit(link, { url: `${origin}/other` })
    // What another page said of itself is told no more.
    expect(await viewOf(moved)).toMatchObject({ card: null, state: 'waiting' })
    await fetcher.fetchDue()
    expect(asked).toEqual(['/page', '/other'])
  })

  it('is fetched for nobody who did not ask, and for no link without an account', async () => {
    await make('/page', {})
    await make('/page', { preview: { source: 'custom', title: 'Mine' } })
    await fetcher.fetchDue()
    expect(asked).toEqual([])
    const nobody = { ...alice, ownerId: null, account: null }
    for (const preview of [{ source: 'destination' }, { source: 'custom', title: 'My bank' }]) {
      const body = CreateLink.parse({ url: `${origin}/page`, preview })
      await expect(createLink(ctx, nobody, body)).rejects.toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'preview' }],
      })
    }
  })

  it('comes although a process died while it fetched it', async () => {
    const link = await make('/page')
    // What a process leaves that took it and was killed.
    await connection.query('UPDATE LinkPreview SET attempts = 1, dueAt = UTC_TIMESTAMP(3) + INTERVAL 60 SECOND')
    await fetcher.fetchDue()
    expect(asked).toEqual([])
    await connection.query('UPDATE LinkPreview SET dueAt = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND')
    await fetcher.fetchDue()
    expect(await viewOf(link)).toMatchObject({ state: 'ready' })
    expect((await rowsOf())[0]?.dueAt).toBeNull()
  })

  it.each([
    ['/none', 'status'],
    ['/pdf', 'type'],
    ['/loop', 'redirects'],
    ['/to?http%3A%2F%2F10.0.0.1%2F', 'private'],
    ['/to?http%3A%2F%2F169.254.169.254%2F', 'private'],
    ['/to?file%3A%2F%2F%2Fetc%2Fpasswd', 'scheme'],
  ])('of %s is none, and it is not asked again: %s', async (path, failure) => {
    const link = await make(path)
    await fetcher.fetchDue()
    expect(await viewOf(link)).toMatchObject({ card: null, state: 'failed', failure })
    expect((await rowsOf())[0]).toMatchObject({ attempts: 1, dueAt: null })
  })

  it.each([
    ['/hang', 'timeout'],
    ['/drip', 'timeout'],
    ['/busy', 'status'],
  ])(
    'of %s may come later: it is asked three times, %s',
    async (path, failure) => {
      const link = await make(path)
      const begun = performance.now()
      await fetcher.fetchDue()
      expect(performance.now() - begun).toBeLessThan(5_000)
      expect(await viewOf(link)).toMatchObject({ state: 'failed', failure })
      for (let n = 2; n <= 4; n++) {
        expect((await rowsOf())[0]?.dueAt === null).toBe(n === 4)
        await connection.query('UPDATE LinkPreview SET dueAt = UTC_TIMESTAMP(3) WHERE dueAt IS NOT NULL')
        await fetcher.fetchDue()
      }
      expect(asked).toHaveLength(3)
    },
    20_000,
  )

  it('is read of the first 512 KB of what is unpacked', async () => {
    const link = await make('/bomb')
    const before = process.memoryUsage().rss
    await fetcher.fetchDue()
    expect(await viewOf(link)).toMatchObject({ card: { title: 'small' } })
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024)
  })

  it('is asked of no private address, nor of ports other than 80 and 443, nor of what the rules of this site refuse', async () => {
    const [link, other, blocked] = [await make('/page'), await make('/page'), await make('/page')]
    await connection.query('UPDATE Link SET url = ? WHERE id = ?', ['http://1.1.1.1:8080/', other.id])
    await fetcherOf((address) => !address.includes('127.0.0.1') || asked.length > 0, new Outbound()).fetchDue()
    expect(asked).toEqual([])
    expect(await viewOf(blocked)).toMatchObject({ failure: 'blocked' })
    expect(await viewOf(other)).toMatchObject({ failure: 'port' })
    await connection.query("UPDATE LinkPreview SET dueAt = UTC_TIMESTAMP(3), attempts = 0, failure = '' WHERE linkId = ?", [
      link.id,
    ])
    await fetcherOf(undefined, new Outbound()).fetchDue()
    expect(await viewOf(link)).toMatchObject({ failure: 'private' })
    expect(asked).toEqual([])
  })

  it('is asked of no address that the rules of this site refuse, not by a redirect either', async () => {
    const link = await make(`/to?${encodeURIComponent('/refused')}`)
    await fetcherOf((address) => !address.endsWith('/refused')).fetchDue()
    expect(asked).toHaveLength(1)
    expect(await viewOf(link)).toMatchObject({ card: null, state: 'failed', failure: 'blocked' })
    expect((await rowsOf())[0]).toMatchObject({ dueAt: null })
  })

  it('is none where a rule refuses its words, as it would refuse them of who writes them by hand', async () => {
    const link = await make('/page')
    const allowsWords = ({ title, description }: { title?: string; description?: string }) =>
      !`${title} ${description}`.includes('text')
    await fetcherOf(undefined, undefined, allowsWords).fetchDue()
    expect(await viewOf(link)).toMatchObject({ card: null, state: 'failed', failure: 'blocked' })
    expect((await rowsOf())[0]).toMatchObject({ title: '', description: '', dueAt: null })
  })

  it('is shown no more once there is a rule against its words, and again when that is gone', async () => {
    const link = await make('/page')
    await fetcher.fetchDue()
    const cards = () => new Cards(ctx.db, new WordRules(ctx.db, 0)).find({ id: link.id.toString(), version: '1' })
    expect(await cards()).toMatchObject({ title: 'A & B' })
    await connection.query(
      "INSERT INTO BlockRule (id, kind, value, createdBy, createdAt) VALUES (1, 'word', 'a & b', '', UTC_TIMESTAMP(3))",
    )
    expect(await cards()).toBeNull()
    await expect.poll(() => viewOf(link)).toMatchObject({ card: null, state: 'failed', failure: 'blocked' })
    await connection.query('DELETE FROM BlockRule')
    expect(await cards()).toMatchObject({ title: 'A & B' })
    await expect.poll(() => viewOf(link)).toMatchObject({ state: 'ready' })
  })

  it('of one account waits for no more than a few pages of another, however slow these are', async () => {
    for (let n = 0; n < 30; n++) await make(`/hang${n}`)
    await connection.query("UPDATE LinkPreview SET dueAt = '2026-01-01'")
    const link = (
      await createLink(ctx, owner('bob'), CreateLink.parse({ url: `${origin}/page`, preview: { source: 'destination' } }))
    ).link
    const own = fetcherOf()
    const fetched = own.fetchDue()
    await expect.poll(() => viewOf(link)).toMatchObject({ state: 'ready' })
    expect(asked.filter((path) => path.startsWith('/hang')).length).toBeLessThan(5)
    // What was more than a few was given times of its own.
    const later = await connection.query("SELECT linkId FROM LinkPreview WHERE dueAt > '2026-01-01' AND attempts = 0")
    expect(later.length).toBeGreaterThanOrEqual(30 - 1 - WAITING)
    own.close()
    await fetched
  })

  it('holds up no other, also where asking never ends', async () => {
    const outbound = new (class extends Outbound {
      override fetch(url: URL, request: OutboundRequest) {
        return url.pathname === '/never' ? new Promise<never>(() => {}) : super.fetch(url, request)
      }
    })(LOCAL)
    await make('/never')
    const own = fetcherOf(undefined, outbound)
    const fetched = own.fetchDue()
    await expect.poll(async () => (await rowsOf())[0]?.attempts).toBe(1)
    const link = await make('/page')
    await expect.poll(() => viewOf(link)).toMatchObject({ state: 'ready' })
    // It is given up in the end: the run ends by itself.
    await fetched
    expect((await rowsOf()).map(({ failure }) => failure).sort()).toEqual(['', 'timeout'])
  })

  it('has no image that the rules of this site refuse', async () => {
    const link = await make('/page')
    await fetcherOf((address) => !address.endsWith('.png')).fetchDue()
    expect(await viewOf(link)).toMatchObject({ card: { title: 'A & B', image: null } })
  })

  it('stays with a link that is deleted and restored, and goes with one that is gone', async () => {
    const link = await make('/page')
    const at = { code: link.code, domain: HOST }
    await deleteLink(ctx, alice, at)
    await fetcher.fetchDue()
    expect(asked).toEqual([])
    const back = await restoreLink(ctx, alice, at)
    await connection.query('UPDATE LinkPreview SET dueAt = UTC_TIMESTAMP(3) WHERE dueAt IS NOT NULL')
    await fetcher.fetchDue()
    expect(await viewOf(back)).toMatchObject({ state: 'ready' })
  })
})

describe('a card that is written by hand', () => {
  const custom = { source: 'custom', title: 'Mine', description: 'Words', image: 'https://images.example/a.png' } as const

  it('is held to the rules of destinations and of words', async () => {
    const link = await make('/page', { preview: custom })
    expect(await viewOf(link)).toMatchObject({ card: { title: 'Mine', image: custom.image }, state: 'ready' })
    const rule = (kind: string, value: string) =>
      connection.query("INSERT INTO BlockRule (id, kind, value, createdBy, createdAt) VALUES (?, ?, ?, '', UTC_TIMESTAMP(3))", [
        BigInt(value.length),
        kind,
        value,
      ])
    await rule('host', 'bad.example')
    await rule('word', 'free money')
    await ctx.blocklist.refresh()
    for (const [field, value] of [
      ['image', 'https://bad.example/a.png'],
      ['image', `${ctx.config.BASE_URL}/a.png`],
      ['title', 'FREE money'],
      ['description', 'Get Free Money'],
    ] as const) {
      const change = edit(link, { preview: { ...custom, [field]: value } })
      await expect(change).rejects.toMatchObject({ errors: [{ path: `preview.${field}` }] })
    }
  })

  it('has a title, and an image at an http(s) address', () => {
    const problem = (preview: object) =>
      CreateLink.safeParse({ url: 'https://a.example', preview }).error?.issues.map(({ path }) => path.join('.'))
    expect(problem({ source: 'custom', title: ' \u202e ' })).toEqual(['preview.title'])
    expect(problem({ source: 'custom', title: 'a', image: 'javascript:alert(1)' })).toEqual(['preview.image'])
    expect(problem({ source: 'custom', title: 'a'.repeat(201) })).toEqual(['preview.title'])
    expect(problem({ source: 'nobody' })).toEqual(['preview.source'])
    expect(problem({ source: 'destination', title: 'a' })).toEqual(['preview'])
  })
})

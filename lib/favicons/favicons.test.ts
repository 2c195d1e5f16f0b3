import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { readPublic } from '@/lib/net/fetch'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { SILENT } from '@/lib/testing/links'
import { ICO, PNG, pngOf } from '@/lib/testing/pictures'
import { DAY } from '@/lib/tools/time'
import { Favicons } from './favicons'
import { fetchIcon, iconsIn, type Read } from './fetch-icon'

/** What sites answer, by address: a body, or where a redirect leads. */
const SITES: Record<string, Buffer | string | { to: string }> = {
  'https://plain.example/favicon.ico': ICO,
  'https://moved.example/favicon.ico': { to: 'https://www.moved.example/icon' },
  'https://www.moved.example/icon': PNG,
  'https://named.example/': '<html><link rel="mask-icon" href="/m.svg"><LINK href=\'/i.png?a=1&amp;b=2\' rel=\'shortcut icon\'>',
  'https://named.example/i.png?a=1&b=2': PNG,
  'https://vector.example/favicon.ico': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'https://vector.example/': '<link rel=icon href=/x.png>',
  'https://vector.example/x.png': '<svg onload="alert(1)"/>',
  'https://wide.example/favicon.ico': pngOf(20_000, 20_000),
  'https://huge.example/favicon.ico': Buffer.concat([PNG, Buffer.alloc(70_000)]),
  'https://round.example/favicon.ico': { to: 'https://round.example/favicon.ico' },
  'https://inside.example/favicon.ico': { to: 'http://127.0.0.1/' },
  'https://port.example/favicon.ico': { to: 'http://port.example:8080/' },
}

const asked: string[] = []
const server = createServer((request, response) => {
  const address = decodeURIComponent(request.url?.slice(1) ?? '')
  asked.push(address)
  const site = SITES[address]
  if (address.includes('//hangs')) return
  if (site === undefined) return void response.writeHead(404).end()
  if (typeof site === 'object' && 'to' in site) return void response.writeHead(302, { Location: site.to }).end()
  response.end(site)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
atEnd(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo

/** The internet, played by a server of this machine. What is none of these sites goes where it would go. */
const read: Read = (url, maxBytes, signal) => {
  if (!url.hostname.endsWith('.example')) return readPublic(url, { signal, maxBytes })
  const at = new URL(`http://127.0.0.1:${port}/${encodeURIComponent(url.href)}`)
  return readPublic(at, { signal, maxBytes, allowPrivate: true })
}
const fetch = (host: string) => fetchIcon(host, read)

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 5)
atEnd(() => db.close())
let now = Date.now()
const newFavicons = ({ FAVICONS = true, from = fetch } = {}) =>
  new Favicons({ APP_SECRET: 'a secret of this test', FAVICONS }, db, SILENT, from, () => now)
const [ALICE, BOB] = [{ id: 'alice' }, { id: 'bob' }]
const idOf = (path: string | null) => path?.split('/').at(-1) ?? ''

beforeEach(async () => {
  asked.length = 0
  now = Date.now()
  await connection.query('DELETE FROM Favicon')
})

it('an icon is what a site has under its usual name, or what its page names, over redirects', async () => {
  expect(await fetch('plain.example')).toEqual({ type: 'image/x-icon', content: ICO })
  expect(await fetch('moved.example')).toEqual({ type: 'image/png', content: PNG })
  expect(await fetch('named.example')).toEqual({ type: 'image/png', content: PNG })
})

it.each(['vector', 'huge', 'wide', 'round', 'inside', 'port', 'none'])(
  'a site has no icon that is no small picture: %s',
  async (name) => {
    expect(await fetch(`${name}.example`)).toBeNull()
    expect(asked.length).toBeLessThan(8)
  },
)

it('a page names its icons in many ways', () => {
  expect(
    iconsIn('<link rel="apple-touch-icon" href="/a.png"><link rel="icon" type="image/svg+xml" href="/v"><link href=b rel=icon>'),
  ).toEqual(['b', '/a.png'])
  expect(iconsIn('<link rel="icon" href="data:image/png;base64,AA"><link rel="stylesheet" href="/c">')).toEqual([])
})

it('a page is looked through only so far, however it is made', () => {
  // Each of these once took the square of its length, 12 s and more.
  expect(iconsIn('<link '.repeat(44_000))).toEqual([])
  expect(iconsIn(`${'<link '.repeat(44_000)} rel=icon href=/a>`)).toEqual([])
  expect(iconsIn(`${'<link>'.repeat(43_000)}<link rel=icon href=/a>`)).toEqual([])
  expect(iconsIn(`<link ${' rel="x'.repeat(200)}><link rel=icon href=/a>`)).toEqual(['/a'])
  expect(iconsIn(`<link ${'x '.repeat(9_000)}rel=icon href=/a>`)).toEqual([])
  expect(iconsIn('<head></head><body><link rel=icon href=/a>')).toEqual([])
})

it('a site that does not answer has one time for all that is asked of it', async () => {
  expect(await fetchIcon('hangs.example', read, 200)).toBeNull()
  expect(asked).toEqual(['https://hangs.example/favicon.ico'])
})

it('icons are fetched behind what is shown, once for each host, by one of all processes', async () => {
  const processes = [newFavicons(), newFavicons(), newFavicons()]
  const paths = processes.map((favicons) => favicons.pathFor('https://plain.example/a/page?b', ALICE))
  expect(new Set(paths).size).toBe(1)
  for (const favicons of processes) favicons.pathFor('https://plain.example/another', ALICE)
  expect(asked).toEqual([])
  await Promise.all(processes.map((favicons) => favicons.settled))
  expect(asked).toEqual(['https://plain.example/favicon.ico'])
  expect(await processes[2]?.read(idOf(paths[0] ?? ''))).toEqual({ type: 'image/x-icon', content: ICO })
})

it('nothing tells an account what others here link to: it has icons of its own, and none before they are fetched for it', async () => {
  const favicons = newFavicons()
  const path = favicons.pathFor('https://plain.example/private', ALICE)
  await favicons.settled
  expect(asked).toHaveLength(1)
  const other = favicons.pathFor('https://plain.example/', BOB)
  expect(other).not.toBe(path)
  expect(await favicons.read(idOf(other))).toBeNull()
  await favicons.settled
  // Asked for again, so it comes no sooner than it would for the first.
  expect(asked).toHaveLength(2)
  expect(await favicons.read(idOf(other))).toEqual({ type: 'image/x-icon', content: ICO })
})

it('without an account a link has no icon, and its site is not asked', async () => {
  const favicons = newFavicons()
  expect(favicons.withIcon({ url: 'https://plain.example/' }, null)).toEqual({ url: 'https://plain.example/' })
  expect(favicons.withIcon({ url: 'https://plain.example/' }, ALICE).icon).toMatch(/^\/assets\/favicon\/[0-9a-f]{32}$/)
  await favicons.settled
  expect(asked).toHaveLength(1)
})

it('for each account one site is asked at a time, so that slow ones hold up nobody else', async () => {
  const waiting = new Map<string, () => void>()
  const favicons = newFavicons({ from: (host) => new Promise((resolve) => waiting.set(host, () => resolve(null))) })
  for (let n = 0; n < 20; n++) favicons.pathFor(`https://slow${n}.example/`, ALICE)
  favicons.pathFor('https://plain.example/', BOB)
  // Which of the two accounts comes first is nowhere promised.
  await eventually(() => expect(new Set(waiting.keys())).toEqual(new Set(['slow0.example', 'plain.example'])))
  waiting.get('slow0.example')?.()
  await eventually(() => expect(waiting.size).toBe(3))
  // What was not begun is left when the process stops.
  favicons.close()
  for (const answer of waiting.values()) answer()
  await favicons.settled
  expect(waiting.size).toBe(3)
})

it('a site without one is left alone for days, and one with one for a month', async () => {
  const begin = now
  const visit = async (host: string, at: number) => {
    asked.length = 0
    now = at
    // A process that has forgotten what it saw to.
    const later = newFavicons()
    later.pathFor(`https://${host}/`, ALICE)
    await later.settled
    return asked.length > 0
  }
  expect(await visit('none.example', begin)).toBe(true)
  expect(await visit('none.example', begin + 2 * DAY)).toBe(false)
  expect(await visit('none.example', begin + 4 * DAY)).toBe(true)
  expect(await visit('plain.example', begin)).toBe(true)
  expect(await visit('plain.example', begin + 29 * DAY)).toBe(false)
  expect(await visit('plain.example', begin + 31 * DAY)).toBe(true)
  const favicons = newFavicons()
  expect(await favicons.read(idOf(favicons.pathFor('https://none.example/', ALICE)))).toBeNull()
  await favicons.settled
})

it('turned off, nothing is asked for and nothing shown', async () => {
  const on = newFavicons()
  const path = on.pathFor('https://plain.example/', ALICE)
  await on.settled
  asked.length = 0
  const off = newFavicons({ FAVICONS: false })
  expect(off.pathFor('https://moved.example/', ALICE)).toBeNull()
  await off.settled
  expect(asked).toEqual([])
  expect(await off.read(idOf(path))).toBeNull()
})

it.each([
  'http://localhost/',
  'https://10.0.0.1/',
  'https://[::1]/',
  'https://a.example:8443/',
  'mailto:a@b.example',
  'nonsense',
])('no icon is looked for at %s', (destination) => {
  expect(newFavicons().pathFor(destination, ALICE)).toBeNull()
})

it('an address that was made up finds nothing', async () => {
  const favicons = newFavicons()
  for (const id of ['', 'x', '0'.repeat(32), "' OR 1=1", 'plain.example']) expect(await favicons.read(id)).toBeNull()
})

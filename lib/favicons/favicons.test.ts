import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { readPublic } from '@/lib/net/fetch'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { SILENT } from '@/lib/testing/links'
import { DAY } from '@/lib/tools/time'
import { Favicons } from './favicons'
import { fetchIcon, iconsIn, type Read } from './fetch-icon'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const ICO = Buffer.from('00000100010010100000010020006804', 'hex')

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
  if (site === undefined) return void response.writeHead(404).end()
  if (typeof site === 'object' && 'to' in site) return void response.writeHead(302, { Location: site.to }).end()
  response.end(site)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
atEnd(() => void server.close())
const { port } = server.address() as AddressInfo

/** The internet, played by a server of this machine. What is none of these sites goes where it would go. */
const read: Read = (url, maxBytes) => {
  if (!url.hostname.endsWith('.example')) return readPublic(url, { timeout: 1_000, maxBytes })
  const at = new URL(`http://127.0.0.1:${port}/${encodeURIComponent(url.href)}`)
  return readPublic(at, { timeout: 1_000, maxBytes, allowPrivate: true })
}
const fetch = (host: string) => fetchIcon(host, read)

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 5)
atEnd(() => db.close())
const newFavicons = (FAVICONS = true) => new Favicons({ APP_SECRET: 'a secret of this test', FAVICONS }, db, SILENT, fetch)
const idOf = (path: string | null) => path?.split('/').at(-1) ?? ''

beforeEach(async () => {
  asked.length = 0
  await connection.query('DELETE FROM Favicon')
})

it('an icon is what a site has under its usual name, or what its page names, over redirects', async () => {
  expect(await fetch('plain.example')).toEqual({ type: 'image/x-icon', content: ICO })
  expect(await fetch('moved.example')).toEqual({ type: 'image/png', content: PNG })
  expect(await fetch('named.example')).toEqual({ type: 'image/png', content: PNG })
})

it.each(['vector', 'huge', 'round', 'inside', 'port', 'none'])(
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

it('icons are fetched behind what is shown, once for each host, by one of all processes', async () => {
  const processes = [newFavicons(), newFavicons(), newFavicons()]
  const paths = processes.map((favicons) => favicons.pathFor('https://plain.example/a/page?b'))
  expect(new Set(paths).size).toBe(1)
  for (const favicons of processes) favicons.pathFor('https://plain.example/another')
  expect(asked).toEqual([])
  await Promise.all(processes.map((favicons) => favicons.work()))
  expect(asked).toEqual(['https://plain.example/favicon.ico'])
  expect(await processes[2]?.read(idOf(paths[0] ?? ''))).toEqual({ type: 'image/x-icon', content: ICO })
})

it('a site without one is left alone for days, and one with one for a month', async () => {
  const [now, favicons] = [Date.now(), newFavicons()]
  const visit = async (host: string, at: number) => {
    asked.length = 0
    // A process that has forgotten what it saw to.
    const later = newFavicons()
    later.pathFor(`https://${host}/`)
    await later.work(at)
    return asked.length > 0
  }
  expect(await visit('none.example', now)).toBe(true)
  expect(await visit('none.example', now + 2 * DAY)).toBe(false)
  expect(await visit('none.example', now + 4 * DAY)).toBe(true)
  expect(await visit('plain.example', now)).toBe(true)
  expect(await visit('plain.example', now + 29 * DAY)).toBe(false)
  expect(await visit('plain.example', now + 31 * DAY)).toBe(true)
  expect(await favicons.read(idOf(favicons.pathFor('https://none.example/')))).toBeNull()
})

it('turned off, nothing is asked for and nothing shown', async () => {
  const on = newFavicons()
  const path = on.pathFor('https://plain.example/')
  await on.work()
  asked.length = 0
  const off = newFavicons(false)
  expect(off.pathFor('https://moved.example/')).toBeNull()
  await off.work()
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
  expect(newFavicons().pathFor(destination)).toBeNull()
})

it('an address that was made up finds nothing', async () => {
  const favicons = newFavicons()
  for (const id of ['', 'x', '0'.repeat(32), "' OR 1=1", 'plain.example']) expect(await favicons.read(id)).toBeNull()
})

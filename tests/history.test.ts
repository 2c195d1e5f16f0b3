import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryPage } from '@/lib/history/schemas'
import { App, eventually, ownServers, query, type Servers } from './harness'

let servers: Servers
let app: App

const settings = () => ({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start(settings())
})

afterAll(async () => {
  expect(app?.log).not.toMatch(/"level":(50|60)|unhandled/i)
  expect(await app?.stop()).toBe(0)
  await servers?.stop()
})

type Made = Awaited<ReturnType<App['create']>>

const A = 'https://example.com/a'
const B = 'https://example.com/b'

async function patch(link: Made, body: object): Promise<void> {
  const answer = await app.manage('PATCH', link, body)
  expect(answer.status, answer.body).toBe(200)
}

/** The preview page as a browser gets it, once it shows `text`. */
const preview = ({ code }: Made, text: string, of = app) =>
  eventually(
    async () => (await of.get(`/${code}+`, { accept: 'text/html' })).body,
    (body) => body.includes(text),
  )

describe('the preview page', () => {
  test('says since when a link leads where it leads, and after a swap where it led before, as text', async () => {
    const link = await app.create({ url: A })
    expect(await preview(link, 'It has led here since')).not.toContain('Before that')
    expect((await app.get(`/${link.code}+`)).body).toMatch(/^https:\/\/example\.com\/a\n\nIt has led here since .*\.\n$/)
    await patch(link, { url: B })
    const body = await preview(link, 'Before that')
    expect(body).toMatch(/<li><bdi>https:\/\/<strong>example\.com<\/strong>\/a<\/bdi><span>until [^<]+<\/span><\/li>/)
    expect(body).not.toContain(`href="${A}"`)
    expect((await app.get(`/${link.code}+`)).body).toMatch(
      /^https:\/\/example\.com\/b\n\nIt has led here since .*\.\nBefore that:\n- https:\/\/example\.com\/a \(until .*\)\n$/s,
    )
  })

  test('says so in a process without the application too', async () => {
    const link = await app.create({ url: A })
    await patch(link, { url: B })
    const edge = await App.start({ ...settings(), ROLE: 'edge', BASE_URL: `http://localhost:${app.port}` })
    const body = await eventually(
      async () => (await edge.get(`/${link.code}+`, { accept: 'text/html', host: `localhost:${app.port}` })).body,
      (text) => text.includes('Before that'),
    )
    expect(body).toContain('/a</bdi>')
    expect(await edge.stop()).toBe(0)
  })

  test('says that the owner keeps it private, and since when, and still when it was swapped', async () => {
    const link = await app.create({ url: A })
    await patch(link, { url: B, publicHistory: false })
    const body = await preview(link, 'private since')
    expect(body).toContain('It has led here since')
    expect(body).not.toContain('/a</bdi>')
    expect((await app.get(`/${link.code}+`)).body).not.toContain(A)
  })

  test('shows no past where it does not show the present', async () => {
    const states: object[] = [{ password: 'open sesame' }, { enabled: false }, { startsAt: '2099-01-01T00:00:00Z' }]
    for (const state of states) {
      const link = await app.create({ url: A })
      await patch(link, { url: B })
      await patch(link, state)
      const body = await eventually(
        async () => (await app.get(`/${link.code}+`, { accept: 'text/html' })).body,
        (text) => !text.includes('/b<'),
      )
      expect(body).not.toMatch(/example\.com|It has led here|Before that/)
    }
  })

  test('says that it cannot tell, where the history cannot be read', async () => {
    const link = await app.create({ url: A })
    expect((await app.get(`/${link.code}`)).status).toBe(302)
    await query(servers.databaseUrl, 'RENAME TABLE LinkChange TO LinkChangeAway')
    try {
      const { status, body } = await app.get(`/${link.code}+`, { accept: 'text/html' })
      expect(status).toBe(200)
      expect(body).toContain('Where it led before can’t be read right now.')
    } finally {
      await query(servers.databaseUrl, 'RENAME TABLE LinkChangeAway TO LinkChange')
    }
  })
})

describe('the API', () => {
  test('lists entries a page at a time, and all of them as CSV, to who manages the link', async () => {
    const link = await app.create({ url: A })
    await patch(link, { url: B })
    await patch(link, { title: '=cmd()' })
    const page = async (cursor = '') =>
      JSON.parse(
        (await app.manage('GET', link, undefined, `/history?limit=1${cursor && `&cursor=${cursor}`}`)).body,
      ) as HistoryPage
    const first = await page()
    expect(first.entries).toMatchObject([
      { by: { kind: 'token', handle: null, name: null, job: false }, changes: [{ field: 'title', from: '', to: '=cmd()' }] },
    ])
    const second = await page(first.nextCursor ?? '')
    expect([second.entries[0]?.changes, second.nextCursor]).toEqual([[{ field: 'url', from: A, to: B }], null])
    const csv = await app.manage('GET', link, undefined, '/history.csv')
    expect(csv.headers['content-disposition']).toContain(`-history.csv`)
    const lines = csv.body.trim().split('\r\n')
    expect(lines[0]).toBe('"id","at","by","handle","job","field","from","to"')
    expect(lines.slice(1).map((line) => line.split(',').slice(5).join())).toEqual([`"title","","'=cmd()"`, `"url","${A}","${B}"`])
    expect((await app.api('GET', `/links/${link.code}/history`)).status).toBe(401)
  })

  test('refuses a choice about its history for a new link', async () => {
    expect((await app.api('POST', '/links', { url: A, publicHistory: false })).status).toBe(422)
  })
})

test('the app is killed under edits: each change has its entry, and each entry its change', async () => {
  const victim = await App.start(settings())
  const links = await Promise.all(Array.from({ length: 4 }, () => victim.create({ url: A, title: '0' })))
  let isOver = false
  const editing = links.map(async (link) => {
    for (let n = 1; !isOver; n++) await victim.manage('PATCH', link, { title: String(n) }).catch(() => null)
  })
  const ids = links.map(({ id }) => id)
  const entries = () =>
    query<{ n: number }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM LinkChange WHERE linkId IN (?)', [ids])
  await eventually(entries, ([row]) => Number(row?.n) > 40)
  await victim.stop('SIGKILL')
  isOver = true
  await Promise.all(editing)
  const rows = await query<{ title: string; behind: number; edits: number; entries: number }>(
    servers.databaseUrl,
    `SELECT title, Link.version - MAX(LinkChange.version) AS behind, Link.version - id AS edits, COUNT(*) + SUM(dropped) AS entries
       FROM Link JOIN LinkChange ON linkId = id WHERE id IN (?) GROUP BY id, title, Link.version`,
    [ids],
  )
  expect(rows).toHaveLength(links.length)
  for (const { title, behind, edits, entries: kept } of rows) {
    // Each edit made the title one more, and the version.
    expect([Number(behind), Number(kept), Number(title)]).toEqual([0, Number(edits), Number(edits)])
  }
})

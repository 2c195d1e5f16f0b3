import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, eventually, ownServers, query, type Servers } from './harness'

/** Cards of links in the built app, whose process is killed while it fetches one. */

const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'
const BROWSER = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const NASTY = `"><script>alert(1)</script> & <b>'`

let servers: Servers
let app: App
let cookie = ''
let hold = false
const asked: string[] = []
const site = createServer((request, response) => {
  asked.push(request.url ?? '')
  if (hold) return
  response
    .writeHead(200, { 'Content-Type': 'text/html' })
    .end('<title>From there</title><meta property="og:image" content="/i.png">')
})
const settings = () => ({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, FETCH_ALLOW: '127.0.0.1' })
const origin = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

beforeAll(async () => {
  servers = await ownServers()
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  app = await App.start(settings())
  const body = { name: 'Someone', email: 'someone@example.com', password: 'a long enough password' }
  const signedUp = await app.call('POST', '/api/auth/sign-up/email', body)
  cookie = (signedUp.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ')
})

afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await app?.stop()
  await servers?.stop()
})

async function make(body: object): Promise<string> {
  const made = await app.call('POST', '/api/v1/links', body, { cookie })
  expect(made.status, made.body).toBe(201)
  return (JSON.parse(made.body) as { code: string }).code
}
const get = (code: string, agent: string, headers: Record<string, string> = {}) =>
  app.get(`/${code}`, { 'user-agent': agent, ...headers })
const custom = { source: 'custom', title: NASTY, description: 'Words', image: 'https://images.example/a.png?b=1&c=2' } as const

describe('a card that is written by hand', () => {
  test('is what an app gets, with nothing in it that a browser runs; people and search engines get the redirect', async () => {
    const code = await make({ url: 'https://example.com/to', preview: custom, redirectStatus: 301 })
    const card = await get(code, SLACK, { accept: '*/*' })
    expect(card.status).toBe(200)
    expect(card.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'User-Agent',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    })
    expect(card.headers['content-security-policy']).toContain("default-src 'none'")
    expect(card.body).not.toContain('<script')
    const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;&#39;'
    expect(card.body).toContain(`<meta property="og:title" content="${escaped}">`)
    expect(card.body).toContain('<meta property="og:image" content="https://images.example/a.png?b=1&amp;c=2">')
    expect(card.body).toContain('<meta name="twitter:card" content="summary_large_image">')
    expect(card.body).toContain(`<link rel="canonical" href="http://localhost:${app.port}/${code}">`)
    expect(card.body).toContain('href="https://example.com/to"')
    for (const agent of [BROWSER, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)']) {
      // From memory too.
      for (const _ of [1, 2]) {
        const redirect = await get(code, agent)
        expect([redirect.status, redirect.headers.location]).toEqual([301, 'https://example.com/to'])
        expect(redirect.headers['cache-control']).toBe('private, no-store')
      }
    }
  })

  test('counts as a preview of the link, as an app’s request did before', async () => {
    const code = await make({ url: 'https://example.com/to', preview: custom })
    await get(code, SLACK)
    await get(code, BROWSER)
    const totals = await eventually(
      async () => JSON.parse((await app.call('GET', `/api/v1/links/${code}/stats`, undefined, { cookie })).body).totals,
      (seen) => seen?.clicks === 2,
    )
    expect(totals).toMatchObject({ clicks: 2, previews: 1 })
  })

  test('is shown on the preview page, which says who wrote it', async () => {
    const code = await make({ url: 'https://example.com/to', preview: custom })
    const page = await app.get(`/${code}+`, { accept: 'text/html', 'user-agent': BROWSER })
    expect(page.body).toContain('written by its owner and not by the destination')
    expect(page.body).toContain('images.example')
    expect(page.body).not.toContain('<script')
  })

  test('needs an account', async () => {
    const answer = await app.api('POST', '/links', { url: 'https://example.com/to', preview: custom })
    expect(answer.status).toBe(422)
    expect(JSON.parse(answer.body).errors).toMatchObject([{ path: 'preview' }])
  })

  test('takes no click of a link that has one, which stays for a person', async () => {
    const code = await make({ url: 'https://example.com/once', maxClicks: 1 })
    for (const _ of [1, 2, 3]) {
      const card = await get(code, SLACK)
      expect(card.status).toBe(200)
      expect(card.body).not.toContain('example.com/once')
    }
    expect((await get(code, BROWSER)).status).toBe(302)
    expect((await get(code, BROWSER)).status).toBe(410)
    expect((await get(code, SLACK)).status).toBe(410)
  })

  test('is imported, exported, kept in the history, and gone with its link', async () => {
    const code = await make({ url: 'https://example.com/to' })
    const change = await app.call('PATCH', `/api/v1/links/${code}`, { preview: custom }, { cookie })
    expect(JSON.parse(change.body).preview).toEqual(custom)
    const history = await app.call('GET', `/api/v1/links/${code}/history`, undefined, { cookie })
    expect(JSON.parse(history.body).entries[0].changes).toEqual([{ field: 'preview', from: null, to: custom }])
    await app.call('DELETE', `/api/v1/links/${code}`, undefined, { cookie })
    await eventually(
      () => get(code, SLACK),
      ({ status }) => status === 410,
    )
    const back = await app.call('POST', `/api/v1/links/${code}/restore`, undefined, { cookie })
    expect(JSON.parse(back.body).preview).toEqual(custom)
  })
})

describe('the card of a destination', () => {
  test('is fetched although the process that began was killed; until then apps are redirected', async () => {
    hold = true
    const code = await make({ url: `${origin()}/page`, preview: { source: 'destination' } })
    await eventually(
      () => asked.length,
      (count) => count === 1,
    )
    app.child.kill('SIGKILL')
    hold = false
    app = await App.start(settings())
    expect((await get(code, SLACK)).status).toBe(302)
    // Rather than a minute later.
    await query(servers.databaseUrl, 'UPDATE LinkPreview SET dueAt = UTC_TIMESTAMP(3)')
    const card = await eventually(
      () => get(code, SLACK),
      ({ status }) => status === 200,
    )
    expect(card.body).toContain('<meta property="og:title" content="From there">')
    expect(card.body).toContain(`<meta property="og:image" content="${origin()}/i.png">`)
    const shown = await app.call('GET', `/api/v1/links/${code}/preview`, undefined, { cookie })
    expect(JSON.parse(shown.body)).toMatchObject({ state: 'ready', failure: null })
    await app.call('POST', `/api/v1/links/${code}/preview`, undefined, { cookie })
    await eventually(
      () => asked.length,
      (count) => count === 3,
    )
  })
})

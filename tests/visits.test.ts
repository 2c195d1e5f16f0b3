import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from './browser'
import { App, destination, eventually, ownServers, query, request, type Servers, unknownCode } from './harness'

const SECOND_DOMAIN = 'second.example'

let servers: Servers
let app: App

beforeAll(async () => {
  servers = await ownServers()
  const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  app = await App.start(env)
  await query(servers.databaseUrl, 'INSERT INTO Domain (host, createdAt, verifiedAt) VALUES (?, NOW(3), NOW(3))', [SECOND_DOMAIN])
})

afterAll(async () => {
  expect(app?.log).not.toMatch(/"level":(50|60)|unhandled/i)
  expect(await app?.stop()).toBe(0)
  await servers?.stop()
})

const unlock = (code: string, password: string, options: { method?: string; query?: string } = {}) =>
  request(app.port, `/${code}${options.query ?? ''}`, {
    method: options.method ?? 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ password }).toString(),
  })

describe('a link with a password', () => {
  test('opens by POST only: wrong 403, right 303; never shown before; a hash is stored', async () => {
    const link = await app.create({ url: 'https://example.com/secret', password: 'sésame & co' })
    const page = await app.get(`/${link.code}`, { accept: 'text/html' })
    expect([page.status, page.body.includes('type="password"'), page.headers['cache-control']]).toEqual([200, true, 'no-store'])
    for (const path of ['', '?password=s%C3%A9same+%26+co', '+', '/']) {
      for (const accept of ['text/html', '*/*']) {
        const answer = await app.get(`/${link.code}${path}`, { accept })
        expect([answer.status, answer.headers.location]).toEqual([200, undefined])
        expect(answer.body).not.toContain('example.com/secret')
      }
    }
    const wrong = await unlock(link.code, 'wrong', { query: '?password=s%C3%A9same+%26+co' })
    expect([wrong.status, wrong.headers.location]).toEqual([403, undefined])
    for (const guess of ['', 'sésame & Co', 'x'.repeat(10_000)]) expect((await unlock(link.code, guess)).status).toBe(403)
    const opened = await unlock(link.code, 'sésame & co')
    expect(opened).toMatchObject({
      status: 303,
      headers: { location: 'https://example.com/secret', 'cache-control': 'private, no-store' },
    })
    const [row] = await query<{ passwordHash: string }>(servers.databaseUrl, 'SELECT passwordHash FROM Link WHERE code = ?', [
      link.code,
    ])
    expect(row?.passwordHash).toMatch(/^\$argon2id\$/)
    expect(app.log).not.toMatch(/sésame|s%C3%A9same/)
    expect((await app.manage('PATCH', link, { password: null })).status).toBe(200)
    expect((await app.get(`/${link.code}`)).status).toBe(302)
    expect((await unlock(link.code, 'sésame & co')).status).toBe(405)
  })

  test('and a click limit: only a right password takes a click', async () => {
    const link = await app.create({ url: destination(), password: 'open', maxClicks: 1 })
    expect((await app.get(`/${link.code}`)).status).toBe(200)
    expect((await unlock(link.code, 'wrong')).status).toBe(403)
    expect((await unlock(link.code, 'open')).status).toBe(303)
    expect((await unlock(link.code, 'open')).status).toBe(410)
  })
})

describe('a link with limits', () => {
  test('a start and an end are kept to, and expiredUrl is where to go afterwards', async () => {
    const soon = new Date(Date.now() + 3_000).toISOString()
    const later = await app.create({ url: destination(), startsAt: soon })
    expect(later.state).toBe('scheduled')
    const early = await app.get(`/${later.code}`)
    expect([early.status, early.headers.location, early.headers['cache-control']]).toEqual([404, undefined, 'no-store'])
    const ending = await app.create({ url: destination(), expiresAt: soon })
    const moving = await app.create({
      url: destination(),
      expiresAt: soon,
      redirectStatus: 301,
      expiredUrl: 'https://example.com/over',
    })
    expect((await app.get(`/${ending.code}`)).status).toBe(302)
    // Not kept by the browser beyond its end.
    expect((await app.get(`/${moving.code}`)).headers['cache-control']).toBe('private, no-store')
    await eventually(
      () => app.get(`/${later.code}`),
      ({ status }) => status === 302,
    )
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon))
    expect(await app.get(`/${ending.code}`)).toMatchObject({ status: 410, headers: { 'cache-control': 'no-store' } })
    expect(await app.get(`/${moving.code}`)).toMatchObject({ status: 302, headers: { location: 'https://example.com/over' } })
    expect(JSON.parse((await app.manage('GET', ending)).body).state).toBe('expired')
  })

  test('a click limit of 20 lets exactly 20 of 200 concurrent requests through, and HEAD takes none', async () => {
    const link = await app.create({ url: destination(), maxClicks: 20 })
    for (let i = 0; i < 30; i++) expect((await request(app.port, `/${link.code}`, { method: 'HEAD' })).status).toBe(302)
    const answers = await Promise.all(Array.from({ length: 200 }, () => app.get(`/${link.code}`)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(20).fill(302), ...Array(180).fill(410)])
    expect((await request(app.port, `/${link.code}`, { method: 'HEAD' })).status).toBe(410)
    const view = async () => JSON.parse((await app.manage('GET', link)).body) as { clicks: number; state: string }
    expect((await view()).state).toBe('expired')
    // The limit is decided before the answer, clicks are counted after.
    await eventually(view, ({ clicks }) => clicks === 20)
    await app.manage('PATCH', link, { maxClicks: 21, expiredUrl: 'https://example.com/over' })
    expect((await app.get(`/${link.code}`)).headers.location).toBe(link.url)
    expect((await app.get(`/${link.code}`)).headers.location).toBe('https://example.com/over')
  })
})

describe('what a redirect looks like', () => {
  test.each([301, 302, 307, 308])('status %i with its headers; HEAD the same without a body', async (redirectStatus) => {
    const link = await app.create({ url: 'https://example.com/status', redirectStatus })
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      const answer = await request(app.port, `/${link.code}`, { method })
      expect(answer).toMatchObject({ status: redirectStatus, body: '' })
      expect(answer.headers).toMatchObject({
        location: 'https://example.com/status',
        'cache-control': redirectStatus === 301 || redirectStatus === 308 ? 'private, max-age=90' : 'private, no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer-when-downgrade',
        'content-length': '0',
      })
      expect(answer.headers['cdn-cache-control']).toBeUndefined()
    }
  })

  test('HEAD is GET without the body for every page too', async () => {
    const locked = await app.create({ url: destination(), password: 'x' })
    for (const path of [`/${locked.code}`, `/${unknownCode()}`, '/%zz']) {
      const got = await app.get(path, { accept: 'text/html' })
      const head = await request(app.port, path, { method: 'HEAD', headers: { accept: 'text/html' } })
      expect([head.status, head.body]).toEqual([got.status, ''])
      const { date: _date, ...headers } = got.headers
      expect(head.headers).toMatchObject(headers)
      expect(Number(got.headers['content-length'])).toBe(Buffer.byteLength(got.body))
    }
  })

  test('codes of any script, with slashes, in either normal form, and case-sensitive', async () => {
    for (const code of ['grüße', '日本語/リンク', 'नमस्ते', 'a/b/c', 'MiXed-Case_9', 'x'.repeat(128), 'ü'.repeat(128)]) {
      const link = await app.create({ url: destination(), code: code.normalize('NFD') })
      expect(link.code).toBe(code)
      for (const path of [encodeURI(`/${code}`), encodeURI(`/${code.normalize('NFD')}`), new URL(link.shortUrl).pathname]) {
        expect((await app.get(path)).headers.location).toBe(link.url)
        expect((await app.get(`${path}?utm_source=x&redir_url=https://evil.example`)).headers.location).toBe(link.url)
        expect((await app.get(`${path}/`)).headers.location).toBe(link.url)
        expect((await app.get(`${path}+`)).status).toBe(200)
      }
      expect((await app.manage('GET', link)).status).toBe(200)
    }
    for (const path of ['/mixed-case_9', '/a/b', '/a/b/c/d', '/a//b/c', '/A/b/c', '/a%2Fb%2Fc%2F%2F']) {
      expect([path, (await app.get(path)).status]).toEqual([path, 404])
    }
  })

  test.each([
    ['https://bücher.example/ü?q=ä#ö', 'https://xn--bcher-kva.example/%C3%BC?q=%C3%A4#%C3%B6'],
    ['HTTPS://EXAMPLE.com:443/%7Ea/../b', 'https://example.com/b'],
    ['https://例え.テスト', 'https://xn--r8jz45g.xn--zckzah/'],
    ['http://[2001:DB8::1]:8080/', 'http://[2001:db8::1]:8080/'],
    ['  https://example.com/spaces  ', 'https://example.com/spaces'],
    ['https://example.com/\'"<>`{}|^\\', 'https://example.com/%27%22%3C%3E%60%7B%7D|%5E/'],
  ])('%j is stored and followed as WHATWG parsing writes it', async (url) => {
    const link = await app.create({ url })
    expect(link.url).toBe(new URL(url).href)
    expect((await app.get(`/${link.code}`)).headers.location).toBe(new URL(url).href)
  })

  test('a preview shows where it leads without going there, and runs nothing', async () => {
    const link = await app.create({ url: 'https://bücher.example/<script>"x', title: '<b>bold</b>', maxClicks: 1 })
    const preview = await app.get(`/${link.code}+`, { accept: 'text/html' })
    expect([preview.status, preview.headers.location]).toEqual([200, undefined])
    expect(preview.body).toContain('bücher.example')
    expect(preview.body).not.toMatch(/<b>bold|<script/)
    expect(preview.headers['content-security-policy']).toContain("default-src 'none'")
    const [first, ...others] = (await app.get(`/${link.code}+`)).body.split('\n')
    expect([first, others]).toEqual([
      link.url,
      ['', '<b>bold</b>', '', expect.stringMatching(/^It has led here since .*\.$/), ''],
    ])
    expect((await app.get(`/${link.code}`)).status).toBe(302) // it took no click
    expect((await app.get(`/${unknownCode()}+`)).status).toBe(404)
  })
})

describe('domains', () => {
  test('the Host header is never used to build an address', async () => {
    const headers = { 'content-type': 'application/json', host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const body = '{"url":"https://example.com/host","code":"host-test"}'
    const answer = await request(app.port, '/api/v1/links', { method: 'POST', headers, body })
    expect(JSON.parse(answer.body)).toMatchObject({ domain: 'localhost', shortUrl: `http://localhost:${app.port}/host-test` })
    expect(answer.headers.location).toBe(`http://localhost:${app.port}/host-test`)
    const pages = [`/${unknownCode()}`, '/', '/docs', '/api/v1/openapi.json', '/docs/']
    for (const path of pages) {
      const page = await app.get(path, { accept: 'text/html', host: 'evil.example', 'x-forwarded-host': 'evil.example' })
      expect(JSON.stringify([page.headers, page.body])).not.toContain('evil.example')
    }
  })

  test('an unknown Host, or none of ours, is answered for the default domain', async () => {
    const link = await app.create({ url: destination() })
    for (const host of ['whatever.example', 'LOCALHOST', 'localhost.', 'localhost:1', '[::1]:80', '']) {
      expect([host, (await app.get(`/${link.code}`, { host })).headers.location]).toEqual([host, link.url])
    }
  })

  test('one code on two domains is two links', async () => {
    const browser = new Browser(app)
    const account = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
    expect((await browser.ask('POST', '/api/auth/sign-up/email', account)).status).toBe(200)
    const known = await eventually(
      () => browser.ask('POST', '/api/v1/links', { url: 'https://example.com/two', code: 'both', domain: SECOND_DOMAIN }),
      ({ status }) => status === 201, // the list of domains is read every few seconds
    )
    const second = JSON.parse(known.body)
    expect(second).toMatchObject({ domain: SECOND_DOMAIN, code: 'both', shortUrl: `http://${SECOND_DOMAIN}/both` })
    const first = await app.create({ url: 'https://example.com/one', code: 'both' })
    const leads = async (host: string) => (await app.get('/both', { host })).headers.location
    expect([await leads('localhost'), await leads(SECOND_DOMAIN.toUpperCase()), await leads(`${SECOND_DOMAIN}.:80`)]).toEqual([
      'https://example.com/one',
      'https://example.com/two',
      'https://example.com/two',
    ])
    expect((await app.manage('GET', first, undefined, `?domain=${SECOND_DOMAIN}`)).status).toBe(404)
    expect((await browser.ask('DELETE', `/api/v1/links/both?domain=${SECOND_DOMAIN}`)).status).toBe(204)
    expect((await app.get('/both', { host: SECOND_DOMAIN })).status).toBe(410)
    expect(await leads('localhost')).toBe(first.url)
    expect((await app.api('POST', '/links', { url: `https://${SECOND_DOMAIN}:8443/x` })).status).toBe(422)
  })
})

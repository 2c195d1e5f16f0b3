import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, eventually, privateServers, query, request, type Servers } from './harness'

let servers: Servers
let app: App

beforeAll(async () => {
  servers = await privateServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

const unlock = (code: string, password: string, port = app.port) =>
  request(port, `/${code}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ password }).toString(),
  })

describe('the life of a link', () => {
  test('made, looked at, changed, deleted, restored', async () => {
    const made = await app.api('POST', '/links', { url: 'https://example.com/a b', title: 'Ä title' })
    expect(made.status).toBe(201)
    const link = JSON.parse(made.body)
    expect(made.headers.location).toBe(link.shortUrl)
    expect(link).toMatchObject({
      domain: 'localhost',
      shortUrl: `http://localhost:${app.port}/${link.code}`,
      url: 'https://example.com/a%20b',
      title: 'Ä title',
      state: 'active',
      expiresAt: null,
      startsAt: null,
      maxClicks: null,
      hasPassword: false,
      redirectStatus: 302,
      clicks: 0,
    })
    expect(link.code).toMatch(/^[0-9A-Za-z]{7}$/)
    const got = await app.manage('GET', link)
    const { manageToken: _token, ...shown } = link
    expect(JSON.parse(got.body)).toEqual(shown)

    const patched = await app.manage('PATCH', link, { url: 'https://example.org/', title: '', redirectStatus: 307, maxClicks: 5 })
    expect(patched.status).toBe(200)
    expect(JSON.parse(patched.body)).toMatchObject({ url: 'https://example.org/', title: '', redirectStatus: 307, maxClicks: 5 })
    expect((await app.manage('PATCH', link, { maxClicks: null, enabled: false })).status).toBe(200)
    expect((await app.get(`/${link.code}`)).status).toBe(410)
    expect(JSON.parse((await app.manage('PATCH', link, { enabled: true })).body)).toMatchObject({
      state: 'active',
      maxClicks: null,
    })
    expect((await app.get(`/${link.code}`)).status).toBe(307)

    expect((await app.manage('DELETE', link)).status).toBe(204)
    expect((await app.get(`/${link.code}`)).status).toBe(410)
    expect((await app.manage('GET', link)).status).toBe(410)
    expect((await app.manage('DELETE', link)).status).toBe(410)
    expect((await app.api('POST', '/links', { url: 'https://example.com/', code: link.code })).status).toBe(409)
    const restored = await app.manage('POST', link, undefined, '/restore')
    expect(restored.status).toBe(200)
    expect(JSON.parse(restored.body)).toMatchObject({
      url: 'https://example.org/',
      redirectStatus: 307,
      createdAt: link.createdAt,
    })
    expect((await app.get(`/${link.code}`)).headers.location).toBe('https://example.org/')
    expect((await app.manage('POST', link, undefined, '/restore')).status).toBe(404)
  })

  test('only its own manage token manages it', async () => {
    const link = await app.create({ url: 'https://example.com/mine' })
    const other = await app.create({ url: 'https://example.com/other' })
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { title: 'x' } : undefined
      const nobody = await app.api(method, `/links/${link.code}`, body)
      expect(nobody.status).toBe(401)
      expect(nobody.headers['www-authenticate']).toBe('Bearer')
      expect((await app.manage(method, { ...link, manageToken: other.manageToken }, body)).status).toBe(403)
    }
    expect((await app.get(`/${link.code}`)).status).toBe(302)
    const listed = await app.api('GET', '/links', undefined, { authorization: `Bearer ${link.manageToken}` })
    expect(JSON.parse(listed.body)).toMatchObject({ links: [{ code: link.code }], nextCursor: null })
    const stored = await query<{ token: string }>(
      servers.databaseUrl,
      'SELECT HEX(manageTokenHash) AS token FROM Link WHERE code = ?',
      [link.code],
    )
    expect(stored[0]?.token).toHaveLength(64)
  })

  test('reuse finds the plain link, whose destination is then fixed; a link with a password is never handed out', async () => {
    const url = 'https://example.com/reused'
    await app.create({ url, password: 'sesame' })
    const first = await app.create({ url })
    const again = await app.api('POST', '/links', { url, reuse: true })
    expect(again.status).toBe(200)
    expect(JSON.parse(again.body)).toMatchObject({ code: first.code })
    expect(JSON.parse(again.body).manageToken).toBeUndefined()
    const turned = await app.manage('PATCH', first, { url: 'https://evil.example/' })
    expect(turned.status).toBe(409)
    expect((await app.get(`/${first.code}`)).headers.location).toBe(url)
    const fresh = await app.api('POST', '/links', { url: 'https://example.com/fresh', reuse: true })
    expect(fresh.status).toBe(201)
  })

  test('64 requests at once with reuse make one link', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => app.api('POST', '/links', { url: 'https://example.com/crowd', reuse: true })),
    )
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true)
    expect(new Set(answers.map(({ body }) => JSON.parse(body).code)).size).toBe(1)
  })

  test('an Idempotency-Key gives the same answer again, also to 20 requests at once, and 422 for another body', async () => {
    const headers = { 'idempotency-key': 'once-only' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.api('POST', '/links', { url: 'https://example.com/once' }, headers)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(JSON.parse(answers[0]?.body ?? '').manageToken).toHaveLength(43)
    const other = await app.api('POST', '/links', { url: 'https://example.com/twice' }, headers)
    expect(other.status).toBe(422)
    expect(await query(servers.databaseUrl, "SELECT id FROM Link WHERE url = 'https://example.com/once'")).toHaveLength(1)
  })
})

describe('what a link can ask for', () => {
  test('a password: by POST only, wrong 403, right 303; a hash is stored', async () => {
    const link = await app.create({ url: 'https://example.com/secret', password: 'sésame' })
    expect(link.hasPassword).toBe(true)
    const page = await app.get(`/${link.code}`, { accept: 'text/html' })
    expect([page.status, page.body.includes('type="password"')]).toEqual([200, true])
    expect(page.headers.location).toBeUndefined()
    expect((await app.get(`/${link.code}?password=s%C3%A9same`)).headers.location).toBeUndefined()
    expect((await app.get(`/${link.code}+`)).body).not.toContain('example.com/secret')
    expect((await unlock(link.code, 'wrong')).status).toBe(403)
    const opened = await unlock(link.code, 'sésame')
    expect([opened.status, opened.headers.location]).toEqual([303, 'https://example.com/secret'])
    const [row] = await query<{ passwordHash: string }>(servers.databaseUrl, 'SELECT passwordHash FROM Link WHERE code = ?', [
      link.code,
    ])
    expect(row?.passwordHash).toMatch(/^\$argon2id\$/)
    expect((await app.manage('PATCH', link, { password: null })).status).toBe(200)
    expect((await app.get(`/${link.code}`)).status).toBe(302)
  })

  test('a start and an end, and where to go after it', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString()
    const later = await app.create({ url: 'https://example.com/later', startsAt: soon })
    expect(later.state).toBe('scheduled')
    expect((await app.get(`/${later.code}`)).status).toBe(404)
    const ending = await app.create({ url: 'https://example.com/now', expiresAt: soon })
    const moving = await app.create({ url: 'https://example.com/now', expiresAt: soon, expiredUrl: 'https://example.com/over' })
    expect((await app.get(`/${ending.code}`)).status).toBe(302)
    await eventually(
      () => app.get(`/${later.code}`),
      ({ status }) => status === 302,
      4_000,
    )
    expect((await app.get(`/${ending.code}`)).status).toBe(410)
    expect((await app.get(`/${moving.code}`)).headers.location).toBe('https://example.com/over')
    const backwards = await app.api('POST', '/links', {
      url: 'https://example.com',
      startsAt: '2090-01-02T00:00:00Z',
      expiresAt: '2090-01-01T00:00:00Z',
    })
    expect(backwards.status).toBe(422)
  })

  test('a click limit of 20 lets exactly 20 of 200 concurrent requests through, and HEAD takes none', async () => {
    const link = await app.create({ url: 'https://example.com/few', maxClicks: 20 })
    expect((await request(app.port, `/${link.code}`, { method: 'HEAD' })).status).toBe(302)
    const answers = await Promise.all(Array.from({ length: 200 }, () => app.get(`/${link.code}`)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 302)).toHaveLength(20)
    expect(statuses.filter((status) => status === 410)).toHaveLength(180)
    expect((await request(app.port, `/${link.code}`, { method: 'HEAD' })).status).toBe(410)
    expect(JSON.parse((await app.manage('GET', link)).body)).toMatchObject({ clicks: 20, state: 'expired' })
  })

  test.each([301, 302, 307, 308])('status %i with its headers; HEAD the same without a body', async (redirectStatus) => {
    const link = await app.create({ url: 'https://example.com/status', redirectStatus })
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await request(app.port, `/${link.code}`, { method })
      expect(answer).toMatchObject({ status: redirectStatus, body: '' })
      expect(answer.headers).toMatchObject({
        location: 'https://example.com/status',
        'cache-control': redirectStatus === 301 || redirectStatus === 308 ? 'private, max-age=90' : 'private, no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer-when-downgrade',
      })
    }
  })

  test('codes of any script, with slashes, in either normal form', async () => {
    for (const code of ['grüße', '日本語/リンク', 'नमस्ते', 'a/b/c', 'MiXed-Case_9']) {
      const link = await app.create({ url: 'https://example.com/script', code })
      expect(link.code).toBe(code)
      expect((await app.get(encodeURI(`/${code}`))).status).toBe(302)
      expect((await app.get(encodeURI(`/${code.normalize('NFD')}`))).status).toBe(302)
      expect((await app.get(new URL(link.shortUrl).pathname)).status).toBe(302)
      expect((await app.manage('GET', link)).status).toBe(200)
    }
    expect((await app.get('/mixed-case_9')).status).toBe(404)
    expect((await app.get('/a/b/c/')).status).toBe(302)
    expect((await app.get('/a/b')).status).toBe(404)
  })

  test('a preview shows where it leads without going there', async () => {
    const link = await app.create({ url: 'https://bücher.example/<script>"x', title: '<b>bold</b>' })
    expect(link.url).toBe('https://xn--bcher-kva.example/%3Cscript%3E%22x')
    const preview = await app.get(`/${link.code}+`, { accept: 'text/html' })
    expect(preview.status).toBe(200)
    expect(preview.headers.location).toBeUndefined()
    expect(preview.body).toContain('bücher.example')
    expect(preview.body).not.toContain('<b>bold')
    expect(preview.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('the Host header chooses a domain and is never used to build an address', async () => {
    const answer = await request(app.port, '/api/v1/links', {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'evil.example' },
      body: '{"url":"https://example.com/host","code":"host-test"}',
    })
    expect(JSON.parse(answer.body).shortUrl).toBe(`http://localhost:${app.port}/host-test`)
    expect((await app.get('/host-test', { host: 'whatever.example' })).status).toBe(302)
    expect((await app.get('/host-test?redir_url=https://evil.example')).headers.location).toBe('https://example.com/host')
  })
})

test('the OpenAPI document names every operation', async () => {
  const document = JSON.parse((await app.api('GET', '/openapi.json')).body)
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(
    Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item as object).sort()])),
  ).toEqual({
    '/api/v1/links': ['get', 'post'],
    '/api/v1/links/{code}': ['delete', 'get', 'patch'],
    '/api/v1/links/{code}/restore': ['post'],
  })
  expect(document.components.schemas.CreateLink.required).toEqual(['url'])
})

describe('limits', () => {
  test('creation is limited per client, whatever it writes into X-Forwarded-For; passwords are limited before the hash', async () => {
    const limited = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, RATE_LIMIT: 'on' })
    const locked = await limited.create({ url: 'https://example.com/guess', password: 'right' })
    const answers = []
    for (let i = 0; i < 80; i++) {
      answers.push(
        await limited.api('POST', '/links', { url: 'https://example.com/flood' }, { 'x-forwarded-for': `203.0.113.${i}` }),
      )
    }
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(20)
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(refused[0]?.body ?? '')).toMatchObject({ code: 'rate_limited' })

    const guesses = []
    for (let i = 0; i < 12; i++) guesses.push((await unlock(locked.code, `guess ${i}`, limited.port)).status)
    expect(guesses).toEqual([...Array(10).fill(403), 429, 429])
    expect((await unlock(locked.code, 'right', limited.port)).status).toBe(429)
    await limited.stop()
  })
})

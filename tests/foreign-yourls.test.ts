import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import Yourls from 'yourls'
import { HOST, type Key, leadTo, newKey, signUp, startForeign } from './foreign'
import { type Answer, App, destination, ownServers, query, request, SECRET, type Servers } from './harness'

let servers: Servers
let app: App
let cookie = ''
let key: Key
let reader: Key
let other: Key
let end = () => {}

type Values = Record<string, unknown>
/** What an unmodified client is told. */
const told = (ask: (tell: (error: unknown, answer: Values) => void) => void) =>
  new Promise<Values>((resolve, reject) => ask((error, answer) => (error ? reject(error) : resolve(answer))))

const get = (parameters: Record<string, string>, path = '/yourls-api.php') =>
  app.get(`${path}?${new URLSearchParams({ signature: key.signature, ...parameters })}`, { host: HOST })
const post = (body: string, headers: Record<string, string>) =>
  request(app.port, '/yourls-api.php', { method: 'POST', body, headers })
const jsonOf = ({ body }: Answer) => JSON.parse(body) as Values

beforeAll(async () => {
  servers = await ownServers()
  app = await startForeign(servers)
  cookie = await signUp(app, 'anna')
  key = await newKey(app, cookie, { signature: true })
  reader = await newKey(app, cookie, { signature: true, scope: 'read' })
  other = await newKey(app, await signUp(app, 'ben'), { signature: true })
  end = leadTo(app)
})

afterAll(async () => {
  end()
  await app?.stop()
  await servers?.stop()
})

describe('the unmodified client of npm', () => {
  it('shortens, names, expands and counts', async () => {
    const yourls = new Yourls(`http://${HOST}`, key.signature)
    const url = destination()
    const made = await told((tell) => yourls.shorten(url, tell))
    expect(made).toMatchObject({ status: 'success', statusCode: '200', title: url, url: { url, title: url } })
    const shorturl = String(made.shorturl)
    expect(shorturl).toMatch(/^http:\/\/short\.test\/\w{7}$/)
    const { keyword } = made.url as Values
    expect((await app.get(`/${keyword}`, { host: HOST })).headers.location).toBe(url)

    const again = await told((tell) => yourls.shorten(url, tell))
    expect(again).toMatchObject({ status: 'fail', code: 'error:url', shorturl, errorCode: '400' })

    const named = await told((tell) => yourls.vanity(destination(), 'spring-sale', tell))
    expect(named).toMatchObject({ status: 'success', shorturl: `http://${HOST}/spring-sale` })
    const taken = await told((tell) => yourls.vanity(destination(), 'spring-sale', tell))
    expect(taken).toMatchObject({ status: 'fail', code: 'error:keyword' })

    const expanded = await told((tell) => yourls.expand(shorturl, tell))
    expect(expanded).toMatchObject({ keyword, longurl: url, message: 'success' })
    expect(await told((tell) => yourls.expand(String(keyword), tell))).toMatchObject({ longurl: url })

    const stats = await told((tell) => yourls.urlstats(shorturl, tell))
    expect(stats).toMatchObject({ message: 'success', link: { shorturl, url, clicks: expect.any(Number) } })
    const top = await told((tell) => yourls.stats(10, 'last', tell))
    expect(top).toMatchObject({ stats: { total_links: 2 }, links: { link_1: { shorturl: `http://${HOST}/spring-sale` } } })
  })

  it('is told when its signature is wrong', async () => {
    const stranger = new Yourls(`http://${HOST}`, 'wrong')
    expect(await told((tell) => stranger.shorten(destination(), tell))).toMatchObject({ errorCode: '403' })
  })
})

describe('what other clients send', () => {
  it('ShareX: a form with signature, in plain text', async () => {
    const body = new URLSearchParams({ signature: key.signature, action: 'shorturl', url: destination(), format: 'simple' })
    const headers = { host: HOST, 'content-type': 'application/x-www-form-urlencoded' }
    const { status, body: text } = await post(String(body), headers)
    expect([status, text]).toEqual([200, expect.stringMatching(/^http:\/\/short\.test\/\w+$/)])
  })

  it('a multipart form', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ signature: key.signature, action: 'version', format: 'json' }))
      form.set(name, value)
    const made = new Response(form)
    const headers = { host: HOST, 'content-type': made.headers.get('content-type') ?? '' }
    expect(jsonOf(await post(await made.text(), headers))).toEqual({ version: '1.10.2' })
  })

  it('its own bookmarklets: the form is opened, filled in, and nothing is created', async () => {
    const open = async (path: string, headers: Record<string, string> = {}) => {
      const { status, headers: told } = await app.get(path, { host: HOST, ...headers })
      return [status, told.location]
    }
    const url = 'https://example.com/a?b=1&c=ä#d'
    const form = (fields: Record<string, string>) => `http://${HOST}/dashboard?${new URLSearchParams({ create: '', ...fields })}`
    const [count] = await query<{ n: bigint }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Link')
    const given = new URLSearchParams({ u: url, t: 'A “title”', s: 'text', k: 'mine' })
    expect(await open(`/admin/index.php?${given}`)).toEqual([302, form({ url, title: 'A “title”', code: 'mine' })])
    expect(await open(`/admin/index.php?${new URLSearchParams({ up: 'https:', us: '//', ur: 'example.com/a', t: '' })}`)).toEqual(
      [302, form({ url: 'https://example.com/a' })],
    )
    expect(await open('/admin/index.php')).toEqual([302, `http://${HOST}/dashboard`])
    for (const behind of ['https://example.com/a/%C3%A4?b=1', 'https:/example.com/a/%C3%A4?b=1'])
      expect(await open(`/${behind}`)).toEqual([302, form({ url: 'https://example.com/a/%C3%A4?b=1' })])
    const instant = await app.get(`/admin/index.php?${given}&jsonp=yourls`, { host: HOST, cookie })
    expect(instant.headers['content-type']).toBe('application/javascript; charset=utf-8')
    expect(instant.body).toMatch(/^yourls_callback\(\{"short_url":"","message":"No link was created: [^<]*"\}\);$/)
    expect((await request(app.port, '/admin/index.php', { method: 'POST', headers: { host: HOST } })).status).toBe(405)
    expect(await query(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Link')).toEqual([count])
    const asked = await app.get(`/dashboard?${new URLSearchParams({ create: '', url })}`, { host: HOST })
    expect(asked.headers.location).toContain(
      `/sign-in?next=${encodeURIComponent(`/dashboard?${new URLSearchParams({ create: '', url })}`)}`,
    )
  })

  it('scripts: JSONP with the title of the page', async () => {
    const asked = { action: 'shorturl', url: destination(), title: 'A “title” </script>', format: 'jsonp', callback: 'a.b$1' }
    const { status, headers, body } = await get(asked)
    expect([status, headers['content-type']]).toEqual([200, 'application/javascript; charset=utf-8'])
    expect(body).toMatch(/^\/\*\*\/a\.b\$1\(\{.*\}\)$/s)
    expect(body).not.toContain('</script>')
  })

  it('a signature with a time, by each hash and in each order, and an API key in place of a signature', async () => {
    const now = String(Math.floor(Date.now() / 1000))
    for (const hash of ['md5', 'sha256', 'sha384', 'sha512']) {
      for (const text of [now + key.signature, key.signature + now]) {
        const signature = createHash(hash).update(text).digest('hex')
        const asked = { action: 'db-stats', format: 'json', timestamp: now, signature, hash }
        expect(jsonOf(await get(asked))).toMatchObject({ message: 'success', 'db-stats': { total_links: expect.any(Number) } })
      }
    }
    const md5 = createHash('md5')
      .update(now + key.signature)
      .digest('hex')
    expect((await get({ action: 'version', timestamp: now, signature: md5 })).status).toBe(200)
    const [account] = await query<{ handle: string }>(
      servers.databaseUrl,
      "SELECT handle FROM User WHERE email = 'anna@example.com'",
    )
    const [own, another] = [`/@${account?.handle}/yourls-api.php`, '/@99999999/yourls-api.php']
    expect((await get({ action: 'version', timestamp: now, signature: md5 }, own)).status).toBe(200)
    expect((await get({ action: 'version', timestamp: now, signature: md5 }, another)).status).toBe(403)
    expect((await get({ action: 'version', signature: key.key })).status).toBe(200)
  })

  it('XML is the default, and whatever a link holds is text in it', async () => {
    const url = 'https://example.com/?a=1&b=%3Cx%3E'
    const { body, headers } = await get({ action: 'shorturl', url, title: '<b>&"\'\u0001 ]]>' })
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(body).toContain('<title>&lt;b&gt;&amp;&quot;&apos;')
    expect(body).toContain('<url>https://example.com/?a=1&amp;b=%3Cx%3E</url>')
  })
})

describe('what is refused', () => {
  it.each([
    ['no signature', { signature: '' }, 403],
    ['a wrong one', { signature: 'f'.repeat(32) }, 403],
    ['one that is too old', { timestamp: '1700000000', signature: 'f'.repeat(32) }, 403],
    ['an unknown action', { action: 'delete' }, 400],
    ['no URL', { action: 'shorturl' }, 400],
    ['a script as URL', { action: 'shorturl', url: 'javascript:alert(1)' }, 400],
    ['a URL of our own', { action: 'shorturl', url: `http://${HOST}/abc` }, 400],
    ['a function that is more than a name', { action: 'version', format: 'jsonp', callback: 'alert(1)//' }, 400],
    ['an escaped function', { action: 'version', format: 'jsonp', callback: 'au0028' }, 400],
  ])('%s', async (_, asked, status) => {
    expect((await get({ action: 'version', format: 'json', ...asked } as Record<string, string>)).status).toBe(status)
  })

  it('to create with a key that only reads; what it reads is the same', async () => {
    const asked = { action: 'shorturl', url: destination(), format: 'json', signature: reader.signature }
    expect((await get(asked)).status).toBe(403)
    expect(
      jsonOf(await get({ action: 'expand', shorturl: 'spring-sale', format: 'json', signature: reader.signature })),
    ).toMatchObject({
      message: 'success',
    })
  })

  it('to tell of the link of another account', async () => {
    for (const [action, status] of [
      ['expand', 404],
      ['url-stats', 404],
    ] as const) {
      const asked = { action, shorturl: 'spring-sale', format: 'json', signature: other.signature }
      expect((await get(asked)).status).toBe(status)
    }
  })

  it('a session in place of a key', async () => {
    expect((await app.get('/yourls-api.php?action=version', { host: HOST, cookie })).status).toBe(403)
  })

  it('a key that was revoked, at once', async () => {
    const gone = await newKey(app, cookie, { signature: true })
    expect((await get({ action: 'version', signature: gone.signature })).status).toBe(200)
    await app.call('DELETE', `/api/v1/account/keys/${gone.id}`, undefined, { cookie })
    expect((await get({ action: 'version', signature: gone.signature })).status).toBe(403)
  })
})

it('other sites may ask, without cookies', async () => {
  const { status, headers } = await request(app.port, '/yourls-api.php', {
    method: 'OPTIONS',
    headers: { host: HOST, origin: 'https://example.org' },
  })
  expect([status, headers['access-control-allow-origin']]).toEqual([204, '*'])
  expect(headers['access-control-allow-credentials']).toBeUndefined()
})

it('turned off, none of it is there, and its paths are codes like any other', async () => {
  const plain = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, APP_SECRET: SECRET })
  try {
    for (const path of ['/yourls-api.php?action=version', '/rest/v3/tags', '/rest/health', '/api/v2/links']) {
      const { status, body } = await plain.get(path, { 'x-api-key': key.key })
      expect([path, status]).toEqual([path, 404])
      expect(body).not.toContain('shlink')
    }
  } finally {
    await plain.stop()
  }
})

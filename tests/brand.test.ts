import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, launch, ownServers, type Servers, unknownCode } from './harness'

/** The built app under a name, a mark, a colour and links of its own. */

const NAME = `Acme <script>alert('1')</script> "&"`
const SHOWN = 'Acme &lt;script&gt;alert(&#'
const MARK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 24"><script>alert(1)</script><path d="M0 0h48v24z"/></svg>'
const HTML = { accept: 'text/html' }

let servers: Servers
let app: App
let env: Record<string, string>

beforeAll(async () => {
  servers = await ownServers()
  const file = join(servers.dir, 'mark.svg')
  writeFileSync(file, MARK)
  env = {
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    BRAND_NAME: NAME,
    BRAND_MARK: file,
    BRAND_COLOR: '#FFD400',
    BRAND_LINKS: 'Imprint=/imprint,Privacy=https://example.com/privacy?a=1&b=2',
  }
  app = await App.start(env)
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

/** Every tag of a page that could run or load something. */
const dangerous = (html: string) => html.match(/<script>alert|<img src=x/g)

describe('the name, mark, colour and links of a deployment', () => {
  test('are on every page: the app’s and those of links', async () => {
    for (const path of ['/', '/sign-in', '/docs', '/setup', '/dashboard/zzz', `/${unknownCode()}`]) {
      const { status, body } = await app.get(path, HTML)
      expect(status, path).toBeLessThan(500)
      expect(dangerous(body)).toBeNull()
      expect(body).toContain(SHOWN)
      expect(body).toContain('/assets/mark?v=')
      expect(body).toContain('--brand:#ffd400;')
      expect(body).toContain('--brand-fg:#000000;')
      expect(body).toMatch(/<a href="http:\/\/localhost:\d+\/imprint"/)
      expect(body).toContain('href="https://example.com/privacy?a=1&amp;b=2"')
      expect(body).not.toMatch(/>Terse<|· Terse/)
    }
  })

  test('the mark is an image that can do nothing, and may be kept', async () => {
    const [, path = ''] =
      /src="https?:\/\/[^/]+(\/assets\/mark\?v=[0-9a-f]+)"/.exec((await app.get(`/${unknownCode()}`, HTML)).body) ?? []
    const mark = await app.get(path)
    expect(mark).toMatchObject({
      status: 200,
      body: MARK,
      headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' },
    })
    expect(mark.headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/)
    expect((await app.get('/assets/icon')).body).toContain('--brand:#ffd400')
    expect(await app.get('/assets/geist.woff2')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'font/woff2', 'cache-control': 'public, max-age=604800', 'access-control-allow-origin': '*' },
    })
    expect((await app.get('/assets/nothing')).status).toBe(404)
    const icon = await app.get(`/assets/favicon/${'0'.repeat(32)}`)
    expect(icon).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' } })
    expect(icon.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
  })

  test('are what a browser keeps on a home screen, and what is shown where the front page is shared', async () => {
    const manifest = await app.get('/manifest.webmanifest')
    expect(JSON.parse(manifest.body)).toMatchObject({ name: NAME, start_url: '/' })
    const { body } = await app.get('/', HTML)
    expect(body).toMatch(/<meta property="og:site_name" content="Acme &lt;script/)
    expect(body).toContain('<link rel="manifest" href="/manifest.webmanifest"')
    // The picture says “Terse”.
    expect(body).not.toContain('og:image')
  })

  test('that cannot be shown stop the start with one clear line', async () => {
    const { child, errors } = launch({ ...env, BRAND_MARK: join(servers.dir, 'none.svg'), PORT: '0' })
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    expect([code, errors.join('').trim()]).toEqual([1, `terse: BRAND_MARK: cannot read ${join(servers.dir, 'none.svg')}`])
  })
})

describe('an address below a page that is no page', () => {
  const AREAS = [
    '/dashboard/zzz',
    '/dashboard/settings/zzz',
    '/docs/zzz',
    '/sign-in/zzz',
    '/report/a/b',
    '/invite',
    '/invite/a/b',
    '/help',
    '/login',
    '/@12345678/zzz',
  ]

  test.each(AREAS)('%s is the app’s own not-found, with 404', async (path) => {
    const { status, body, headers } = await app.get(path, HTML)
    expect(status).toBe(404)
    expect(headingOf(body)).toBe('Page not found')
    expect(body).toContain('aria-label="Main"')
    expect(headers['content-security-policy']).toContain("default-src 'self'")
  })

  test('an unknown code stays the lane’s', async () => {
    for (const path of ['/zzz', '/zzz/zzz', '/dashboards']) {
      const { status, body } = await app.get(path, HTML)
      expect([status, body.includes('There’s no such link')]).toEqual([404, true])
    }
  })
})

/** The text of a page's heading. */
const headingOf = (html: string) => /<h1[^>]*>([^<]*)</.exec(html)?.[1]

describe('pages of links', () => {
  test('say when a link was deleted, expired or starts, in the visitor’s language; what varies is in Vary', async () => {
    // Far enough off to be still ahead when a busy machine reads it. It passes while the rest is looked at.
    const soon = new Date(Date.now() + 2_000).toISOString()
    const ending = await app.create({ url: 'https://example.com/', expiresAt: soon })
    const starting = await app.create({ url: 'https://example.com/', startsAt: '2099-05-03T14:05:00Z' })
    const german = { ...HTML, 'accept-language': 'de-DE,de;q=0.9' }
    const page = await app.get(`/${starting.code}`, german)
    expect(page).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store', vary: 'Accept, Accept-Language' } })
    expect(page.body).toContain('>3. Mai 2099 um 14:05 UTC.</time>')
    expect((await app.get(`/${starting.code}`, { accept: '*/*' })).body).toContain('on 3 May 2099 at 14:05 UTC.')

    const deleted = await app.create({ url: 'https://example.com/' })
    await app.manage('DELETE', deleted)
    await expect.poll(async () => (await app.get(`/${deleted.code}`)).status).toBe(410)
    expect((await app.get(`/${deleted.code}`, HTML)).body).toMatch(/It was deleted on <time /)

    await expect.poll(async () => (await app.get(`/${ending.code}`)).status).toBe(410)
    expect((await app.get(`/${ending.code}`, HTML)).body).toMatch(/It expired on <time datetime="[^"]+">\d+ \w+ \d{4}\.<\/time>/)
  })

  test('tell those who unfurl links nothing of where a link with a password leads', async () => {
    const link = await app.create({ url: 'https://secret.example/', title: 'Secret title', password: 'open sesame' })
    const { body } = await app.get(`/${link.code}`, { ...HTML, 'user-agent': 'facebookexternalhit/1.1' })
    expect(body).not.toMatch(/secret\.example|Secret title|og:/)
  })
})

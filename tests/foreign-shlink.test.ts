import { createHash } from 'node:crypto'
import { ShlinkApiClient } from '@shlinkio/shlink-js-sdk'
import type { ProblemDetailsError } from '@shlinkio/shlink-js-sdk/api-contract'
import { NodeHttpClient } from '@shlinkio/shlink-js-sdk/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOST, type Key, leadTo, newKey, signUp, startForeign } from './foreign'
import { type App, destination, eventually, ownServers, query, request, type Servers } from './harness'

let servers: Servers
let app: App
let cookie = ''
let key: Key
let shlink: ShlinkApiClient
let end = () => {}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const clientOf = (apiKey: string) => new ShlinkApiClient(new NodeHttpClient(), { baseUrl: `http://${HOST}`, apiKey })
const call = (method: string, path: string, body?: unknown, secret = key.key) =>
  app.call(method, `/rest/v3${path}`, body, { host: HOST, 'x-api-key': secret })
const visit = (code: string, headers: Record<string, string> = {}) =>
  app.get(`/${code}`, { host: HOST, 'user-agent': BROWSER, ...headers })
/** The problem that a call ends with. */
const problem = (asked: Promise<unknown>) =>
  asked.then(
    () => expect.unreachable('it was not refused'),
    (error: ProblemDetailsError) => error,
  )

beforeAll(async () => {
  servers = await ownServers()
  app = await startForeign(servers)
  cookie = await signUp(app, 'anna')
  key = await newKey(app, cookie)
  shlink = clientOf(key.key)
  end = leadTo(app)
})

afterAll(async () => {
  end()
  await app?.stop()
  await servers?.stop()
})

describe('every method of the unmodified SDK', () => {
  it('short URLs: create, get, list, update, delete', async () => {
    const longUrl = destination()
    const made = await shlink.createShortUrl({
      ...{ longUrl, customSlug: 'promo/spring', title: 'Spring', tags: ['b', 'a'], maxVisits: 50 },
      ...{ validSince: '2026-01-01T00:00:00+01:00', validUntil: '2099-12-31T00:00:00+01:00' },
    })
    expect(made).toEqual({
      ...{ shortCode: 'promo/spring', shortUrl: `http://${HOST}/promo/spring`, longUrl, domain: null, title: 'Spring' },
      ...{ dateCreated: expect.stringMatching(/^20\d\d-.*\+00:00$/), tags: ['a', 'b'], crawlable: false, forwardQuery: true },
      meta: { validSince: '2025-12-31T23:00:00+00:00', validUntil: '2099-12-30T23:00:00+00:00', maxVisits: 50 },
      ...{ visitsSummary: { total: 0, nonBots: 0, bots: 0 }, hasRedirectRules: false },
    })
    expect(await shlink.getShortUrl({ shortCode: 'promo/spring' })).toEqual(made)
    // What is passed on, as with Shlink.
    expect((await visit('promo/spring?from=print')).headers.location).toBe(`${longUrl}?from=print`)

    const changed = await shlink.updateShortUrl(
      { shortCode: 'promo/spring' },
      { title: null, tags: ['a'], maxVisits: null, validUntil: null, forwardQuery: false },
    )
    expect(changed).toMatchObject({ title: null, tags: ['a'], meta: { maxVisits: null, validUntil: null }, forwardQuery: false })
    expect((await visit('promo/spring?from=print')).headers.location).toBe(longUrl)

    const plain = await shlink.createShortUrl({ longUrl: destination(), tags: ['c'] })
    expect(await shlink.createShortUrl({ longUrl: plain.longUrl, tags: ['c'], findIfExists: true })).toMatchObject({
      shortCode: plain.shortCode,
    })
    const codes = async (asked: Parameters<ShlinkApiClient['listShortUrls']>[0]) =>
      (await shlink.listShortUrls(asked)).data.map(({ shortCode }: { shortCode: string }) => shortCode)
    expect(await codes({})).toEqual([plain.shortCode, 'promo/spring'])
    expect(await codes({ orderBy: { field: 'dateCreated', dir: 'ASC' } })).toEqual(['promo/spring', plain.shortCode])
    expect(await codes({ orderBy: { field: 'longUrl', dir: 'ASC' } })).toHaveLength(2)
    expect(await codes({ orderBy: { field: 'visits', dir: 'ASC' } })).toHaveLength(2)
    expect(await codes({ tags: ['a'] })).toEqual(['promo/spring'])
    expect(await codes({ tags: ['a', 'c'], tagsMode: 'any' })).toHaveLength(2)
    expect(await codes({ tags: ['a', 'c'], tagsMode: 'all' })).toEqual([])
    expect(await codes({ excludeTags: ['a'] })).toEqual([plain.shortCode])
    expect(await codes({ tags: ['nothing'] })).toEqual([])
    expect(await codes({ searchTerm: 'promo' })).toEqual(['promo/spring'])
    expect(await codes({ domain: 'DEFAULT', excludeMaxVisitsReached: true, excludePastValidUntil: true })).toHaveLength(2)
    expect(await codes({ startDate: '2099-01-01T00:00:00+00:00' })).toEqual([])
    const second = await shlink.listShortUrls({ page: '2', itemsPerPage: 1 })
    expect(second.data.map(({ shortCode }: { shortCode: string }) => shortCode)).toEqual(['promo/spring'])
    expect(second.pagination).toEqual({ currentPage: 2, pagesCount: 2, itemsPerPage: 1, itemsInCurrentPage: 1, totalItems: 2 })

    await shlink.deleteShortUrl({ shortCode: plain.shortCode })
    expect((await visit(plain.shortCode)).status).toBe(410)
    expect(await problem(shlink.getShortUrl({ shortCode: plain.shortCode }))).toMatchObject({ status: 404 })
  })

  it('redirect rules lead where they say', async () => {
    const { shortCode, longUrl } = await shlink.createShortUrl({ longUrl: destination() })
    const [german, printed, mobile] = [destination(), destination(), destination()]
    const redirectRules = [
      { longUrl: german, conditions: [{ type: 'language' as const, matchKey: null, matchValue: 'de' }] },
      { longUrl: printed, conditions: [{ type: 'query-param' as const, matchKey: 'from', matchValue: 'print' }] },
      {
        longUrl: mobile,
        conditions: [
          { type: 'device' as const, matchKey: null, matchValue: 'mobile' },
          { type: 'after-date' as const, matchKey: null, matchValue: '2026-01-01T00:00:00.000Z' },
          { type: 'ip-address' as const, matchKey: null, matchValue: '127.0.*.*' },
        ],
      },
    ]
    const set = await shlink.setShortUrlRedirectRules({ shortCode }, { redirectRules })
    expect(set.defaultLongUrl).toBe(longUrl)
    expect(set.redirectRules.map(({ priority }: { priority: number }) => priority)).toEqual([1, 2, 3])
    expect(set.redirectRules[2]?.conditions[2]).toEqual({ type: 'ip-address', matchKey: null, matchValue: '127.0.0.0/16' })
    expect(await shlink.getShortUrlRedirectRules({ shortCode })).toEqual(set)
    const leads = async (...asked: Parameters<typeof visit>) => (await visit(...asked)).headers.location
    expect(await leads(shortCode, { 'accept-language': 'de' })).toBe(german)
    expect(await leads(`${shortCode}?from=print`)).toMatch(printed)
    expect(
      await leads(shortCode, {
        'user-agent':
          'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      }),
    ).toBe(mobile)
    expect(await leads(shortCode)).toBe(longUrl)
    expect(await shlink.getShortUrl({ shortCode })).toMatchObject({ hasRedirectRules: true })
    const refused = await problem(
      shlink.setShortUrlRedirectRules(
        { shortCode },
        { redirectRules: [{ longUrl: german, conditions: [{ type: 'language', matchKey: null, matchValue: 'de-CH' }] }] },
      ),
    )
    expect(refused).toMatchObject({
      status: 400,
      type: 'https://shlink.io/api/error/invalid-data',
      invalidElements: ['redirectRules'],
    })
    expect(await shlink.setShortUrlRedirectRules({ shortCode }, { redirectRules: [] })).toMatchObject({ redirectRules: [] })
    expect(await leads(shortCode, { 'accept-language': 'de' })).toBe(longUrl)
  })

  it('visits: of a short URL, a tag, a domain, all, none that is orphaned', async () => {
    const { shortCode } = await shlink.createShortUrl({ longUrl: destination(), tags: ['counted'] })
    await visit(shortCode, { referer: 'https://example.org/page', 'accept-language': 'en' })
    await visit(shortCode)
    await visit(shortCode, { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })
    const all = await eventually(
      () => shlink.getShortUrlVisits({ shortCode }),
      ({ data }) => data.length === 3,
    )
    expect(all.pagination).toMatchObject({ totalItems: 3, pagesCount: 1, currentPage: 1 })
    expect(all.data[0]).toMatchObject({ potentialBot: true, visitedUrl: `http://${HOST}/${shortCode}`, visitLocation: null })
    expect(all.data[2]).toMatchObject({
      referer: expect.stringContaining('example.org'),
      userAgent: BROWSER,
      potentialBot: false,
    })
    expect((await shlink.getShortUrlVisits({ shortCode }, { excludeBots: true })).data).toHaveLength(2)
    const second = await shlink.getShortUrlVisits({ shortCode }, { page: 2, itemsPerPage: 2 })
    expect([second.data, second.pagination.pagesCount]).toEqual([[all.data[2]], 2])
    expect((await shlink.getShortUrlVisits({ shortCode }, { startDate: '2099-01-01T00:00:00Z' })).data).toEqual([])
    expect((await shlink.getTagVisits('counted')).data).toEqual(all.data)
    expect((await shlink.getDomainVisits('DEFAULT')).data.length).toBeGreaterThanOrEqual(3)
    expect(
      (await shlink.getDomainVisits(HOST, { excludeBots: true })).data.every(
        ({ potentialBot }: { potentialBot: boolean }) => !potentialBot,
      ),
    ).toBe(true)
    expect((await shlink.getNonOrphanVisits({ itemsPerPage: 1 })).data).toEqual([all.data[0]])
    expect(await shlink.getOrphanVisits()).toMatchObject({ data: [], pagination: { totalItems: 0 } })
    expect(await shlink.deleteOrphanVisits()).toEqual({ deletedVisits: 0 })
    expect(await problem(shlink.deleteShortUrlVisits({ shortCode }))).toMatchObject({ status: 403 })
    const overview = await eventually(
      () => shlink.getVisitsOverview(),
      ({ nonOrphanVisits }) => nonOrphanVisits.bots >= 1,
    )
    expect(overview.orphanVisits).toEqual({ total: 0, nonBots: 0, bots: 0 })
    expect(await shlink.getShortUrl({ shortCode })).toMatchObject({ visitsSummary: { total: 3, nonBots: 2, bots: 1 } })
    expect((await shlink.tagsStats()).data).toContainEqual({
      tag: 'counted',
      shortUrlsCount: 1,
      visitsSummary: expect.objectContaining({ total: 3 }),
    })
  })

  it('tags: list, rename, delete', async () => {
    await shlink.createShortUrl({ longUrl: destination(), tags: ['old name', 'other'] })
    expect((await shlink.listTags()).data).toEqual(expect.arrayContaining(['old name', 'other']))
    expect(await shlink.editTag({ oldName: 'old name', newName: 'new' })).toEqual({ oldName: 'old name', newName: 'new' })
    expect((await shlink.getTagVisits('new')).data).toEqual([])
    expect(await problem(shlink.editTag({ oldName: 'new', newName: 'other' }))).toMatchObject({
      ...{ status: 409, type: 'https://shlink.io/api/error/tag-conflict', newName: 'other' },
    })
    expect(await problem(shlink.editTag({ oldName: 'none', newName: 'x' }))).toMatchObject({ status: 404 })
    await shlink.deleteTags(['new', 'none'])
    expect((await shlink.listTags()).data).not.toContain('new')
    expect(await problem(shlink.getTagVisits('new'))).toMatchObject({
      type: 'https://shlink.io/api/error/tag-not-found',
      tag: 'new',
    })
  })

  it('domains: list, and set where they lead as an admin', async () => {
    const { data } = await shlink.listDomains()
    expect(data).toEqual([
      {
        domain: HOST,
        isDefault: true,
        redirects: { baseUrlRedirect: null, regular404Redirect: null, invalidShortUrlRedirect: null },
      },
    ])
    const redirects = { domain: HOST, invalidShortUrlRedirect: 'https://example.com/lost' }
    expect(await problem(shlink.editDomainRedirects(redirects))).toMatchObject({ status: 403 })
    await query(servers.databaseUrl, "UPDATE User SET role = 'admin' WHERE email = 'anna@example.com'")
    expect(await shlink.editDomainRedirects(redirects)).toMatchObject({ invalidShortUrlRedirect: 'https://example.com/lost' })
    expect(await shlink.editDomainRedirects({ domain: HOST, invalidShortUrlRedirect: null })).toMatchObject({
      invalidShortUrlRedirect: null,
    })
    expect(await problem(shlink.editDomainRedirects({ domain: HOST, regular404Redirect: 'https://example.com/' }))).toMatchObject(
      {
        ...{ status: 400, invalidElements: ['regular404Redirect'] },
      },
    )
    await query(servers.databaseUrl, "UPDATE User SET role = 'user' WHERE email = 'anna@example.com'")
  })

  it('health and mercure', async () => {
    expect(await shlink.health()).toMatchObject({ status: 'pass', version: '5.1.5' })
    expect(await problem(shlink.mercureInfo())).toMatchObject({
      status: 501,
      type: 'https://shlink.io/api/error/mercure-not-configured',
    })
    expect((await app.get('/rest/health', { host: HOST })).status).toBe(200)
  })
})

describe('what is refused', () => {
  it('no key, a wrong one, one that only reads, a session', async () => {
    const reader = await newKey(app, cookie, { scope: 'read' })
    const missing = await app.call('GET', '/rest/v3/short-urls', undefined, { host: HOST, cookie })
    expect([missing.status, JSON.parse(missing.body).type]).toEqual([401, 'https://shlink.io/api/error/missing-authentication'])
    expect(await problem(clientOf('wrong').listTags())).toMatchObject({
      status: 401,
      type: 'https://shlink.io/api/error/invalid-api-key',
    })
    const asked = clientOf(reader.key)
    expect(await problem(asked.createShortUrl({ longUrl: destination() }))).toMatchObject({ status: 403 })
    for (const refused of [asked.deleteTags(['x']), asked.editTag({ oldName: 'x', newName: 'y' })]) {
      expect(await problem(refused)).toMatchObject({ status: 403 })
    }
    expect((await asked.listTags()).data).toBeInstanceOf(Array)
    const byQuery = await app.get(`/rest/v1/short-urls/shorten?apiKey=${reader.key}&longUrl=https://example.com`, { host: HOST })
    expect(byQuery.status).toBe(403)
  })

  it('the short URL of another account is as one that there is not', async () => {
    const stranger = clientOf((await newKey(app, await signUp(app, 'ben'))).key)
    const { shortCode } = await shlink.createShortUrl({ longUrl: destination(), customSlug: 'annas' })
    const none = { shortCode: 'nobodys' }
    const ways: ((one: { shortCode: string }) => Promise<unknown>)[] = [
      (one) => stranger.getShortUrl(one),
      (one) => stranger.updateShortUrl(one, { title: 'mine' }),
      (one) => stranger.deleteShortUrl(one),
      (one) => stranger.getShortUrlRedirectRules(one),
      (one) => stranger.setShortUrlRedirectRules(one, { redirectRules: [] }),
      (one) => stranger.getShortUrlVisits(one),
      (one) => stranger.deleteShortUrlVisits(one),
    ]
    for (const way of ways) {
      const [theirs, missing] = await Promise.all([problem(way({ shortCode })), problem(way(none))])
      expect(theirs).toEqual({ ...missing, shortCode })
      expect(theirs).toMatchObject({ status: 404, type: 'https://shlink.io/api/error/short-url-not-found' })
    }
    expect((await stranger.listShortUrls()).data).toEqual([])
  })

  it.each([
    ['a script', { longUrl: 'javascript:alert(1)' }, ['longUrl']],
    ['a URL of our own', { longUrl: `http://${HOST}/abc` }, ['longUrl']],
    ['a wrong time', { longUrl: 'https://example.com', validSince: 'soon' }, ['validSince']],
    ['visits that are none', { longUrl: 'https://example.com', maxVisits: -1 }, ['maxVisits']],
    ['a slug that the application needs', { longUrl: 'https://example.com', customSlug: 'dashboard' }, ['customSlug']],
    ['a prefix alone', { longUrl: 'https://example.com', pathPrefix: 'a/' }, ['pathPrefix']],
    ['a domain that is not ours', { longUrl: 'https://example.com', domain: 'example.net' }, ['domain']],
    ['no URL', {}, ['longUrl']],
  ])('%s', async (_, body, invalidElements) => {
    const { status, body: text } = await call('POST', '/short-urls', body)
    expect([status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({ type: 'https://shlink.io/api/error/invalid-data', invalidElements }),
    ])
  })

  it('a slug that is taken', async () => {
    await shlink.createShortUrl({ longUrl: destination(), customSlug: 'taken' })
    expect(await problem(shlink.createShortUrl({ longUrl: destination(), customSlug: 'taken' }))).toMatchObject({
      ...{ status: 400, type: 'https://shlink.io/api/error/non-unique-slug', customSlug: 'taken' },
    })
  })

  it('former versions name errors as they did', async () => {
    const { body } = await app.get('/rest/v1/short-urls/none', { host: HOST, 'x-api-key': key.key })
    expect(JSON.parse(body)).toMatchObject({ type: 'INVALID_SHORTCODE', status: 404, shortCode: 'none' })
  })
})

it('a key of the former Shlink goes on working, once its hash was brought along', async () => {
  const old = 'b9c0f0d4-6d3b-4b8e-9a57-0d6f5a1f2c11'
  await newKey(app, cookie, { hash: createHash('sha256').update(old).digest('hex') })
  expect((await clientOf(old).listTags()).data).toBeInstanceOf(Array)
  const text = await app.get(`/rest/v3/short-urls/shorten?apiKey=${old}&longUrl=${destination()}&format=txt`, { host: HOST })
  expect(text.body).toMatch(/^http:\/\/short\.test\/\w+$/)
  // It is no key of our own API, where such a text is the token of a link.
  expect((await app.get('/api/v1/account/keys', { authorization: `Bearer ${old}` })).status).toBe(401)
})

it('web apps of other sites may ask with their key, and never with cookies', async () => {
  const headers = { host: HOST, origin: 'https://app.example.org', 'access-control-request-headers': 'x-api-key' }
  const asked = await request(app.port, '/rest/v3/short-urls', { method: 'OPTIONS', headers })
  expect(asked.status).toBe(204)
  expect(asked.headers['access-control-allow-headers']).toContain('X-Api-Key')
  expect(asked.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS, POST')
  expect(asked.headers['access-control-allow-credentials']).toBeUndefined()
  const answered = await app.get('/rest/v3/tags', { host: HOST, origin: 'https://app.example.org' })
  expect([answered.status, answered.headers['access-control-allow-origin']]).toEqual([401, '*'])
})

import { Dub } from 'dub'
import type { LinkSchema } from 'dub/models/components'
import type { DubError } from 'dub/models/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Key, newKey, signUp, startOnPort } from './foreign'
import { type App, destination, eventually, ownServers, query, type Servers } from './harness'

let servers: Servers
let app: App
let cookie = ''
let key: Key
let dub: Dub

const BROWSER =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
/** All that is told to the SDK is where the API is. */
const clientOf = (token: string) => new Dub({ token, serverURL: `http://localhost:${app.port}/dub` })
const call = async (method: string, path: string, body?: unknown, secret = key.key) => {
  const answer = await app.call(method, `/dub${path}`, body, { authorization: `Bearer ${secret}` })
  return { ...answer, json: JSON.parse(answer.body) }
}
const visit = (code: string, headers: Record<string, string> = {}) =>
  app.get(`/${code}`, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', ...headers })
/** The error that a call ends with. */
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => expect.unreachable('it was not refused'),
    (error: DubError) => ({ name: error.name, status: error.statusCode, ...JSON.parse(error.body).error }),
  )

beforeAll(async () => {
  servers = await ownServers()
  app = await startOnPort(servers)
  cookie = await signUp(app, 'anna')
  key = await newKey(app, cookie)
  dub = clientOf(key.key)
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

describe('links, by the unmodified SDK', () => {
  it('create, get, update, delete', async () => {
    const url = destination()
    const made = await dub.links.create({
      ...{ url, key: 'spring/sale', title: 'Spring', comments: 'for the newsletter', expiresAt: '2099-12-31T00:00:00.000Z' },
      ...{ tagNames: ['b', 'a'], expiredUrl: 'https://example.com/over', utmSource: 'mail', password: 'a secret' },
    })
    expect(made).toMatchObject({
      ...{ id: expect.stringMatching(/^link_\d+$/), domain: 'localhost', key: 'spring/sale' },
      ...{ url: `${url}?utm_source=mail`, utmSource: 'mail', utmMedium: null, title: 'Spring', comments: 'for the newsletter' },
      ...{ shortLink: `http://localhost:${app.port}/spring/sale`, expiresAt: '2099-12-31T00:00:00.000Z', archived: false },
      ...{
        expiredUrl: 'https://example.com/over',
        password: '********',
        externalId: null,
        clicks: 0,
        tags: [{ name: 'a' }, { name: 'b' }],
      },
    })
    expect(await dub.links.get({ linkId: made.id })).toEqual(made)
    expect(await dub.links.get({ domain: made.domain, key: made.key })).toEqual(made)

    const moved = destination()
    const edited = await dub.links.update(made.id, { url: moved, password: null, expiresAt: null, tagNames: [], archived: true })
    expect(edited).toMatchObject({ id: made.id, url: moved, password: null, expiresAt: null, tags: [], archived: true })
    expect((await visit('spring/sale')).headers.location).toBe(moved)
    // What is not sent stays.
    expect(await dub.links.update(made.id, { utmCampaign: 'x' })).toMatchObject({
      url: `${moved}?utm_campaign=x`,
      title: 'Spring',
    })
    expect(await dub.links.update(made.id, { utmCampaign: null })).toMatchObject({ url: moved })

    expect(await dub.links.delete(made.id)).toEqual({ id: made.id })
    expect((await visit('spring/sale')).status).toBe(410)
    expect(await refusal(dub.links.get({ linkId: made.id }))).toMatchObject({ name: 'NotFound', status: 404, code: 'not_found' })
  })

  it('upsert: the link to a destination, or a new one', async () => {
    const url = destination()
    const first = await dub.links.upsert({ url, title: 'one' })
    const second = await dub.links.upsert({ url, title: 'two' })
    expect(second).toMatchObject({ id: first.id, title: 'two' })
  })

  it('lead some visitors elsewhere, or split them', async () => {
    const [url, ios, de] = [destination(), destination(), destination()]
    const made = await dub.links.create({ url, ios, geo: { DE: de } })
    expect(made).toMatchObject({ ios, android: null, geo: { DE: de } })
    expect((await visit(made.key, { 'user-agent': BROWSER })).headers.location).toBe(ios)
    expect((await visit(made.key)).headers.location).toBe(url)
    expect(await dub.links.update(made.id, { ios: null })).toMatchObject({ ios: null, geo: { DE: de } })
    expect((await visit(made.key, { 'user-agent': BROWSER })).headers.location).toBe(url)

    const testVariants = [destination(), destination()].map((one) => ({ url: one, percentage: 50 }))
    expect(await dub.links.update(made.id, { testVariants })).toMatchObject({ testVariants, geo: { DE: de } })
    const led = (await visit(made.key)).headers.location
    expect(testVariants.map((variant) => variant.url)).toContain(led)

    // Rules that Dub has no equal of are not lost.
    const path = `/links/${encodeURIComponent(made.key)}`
    const rules = [{ when: [{ of: 'language', in: ['de'] }], url: de }]
    const ruled = await app.api('PATCH', path, { routing: { rules } }, { authorization: `Bearer ${key.key}` })
    expect(ruled.status).toBe(200)
    expect(await refusal(dub.links.update(made.id, { android: ios }))).toMatchObject({ status: 409, code: 'conflict' })
    expect(await dub.links.update(made.id, { title: 'still there' })).toMatchObject({ title: 'still there' })
  })

  it('show a card of their own', async () => {
    const image = 'https://example.com/card.png'
    const made = await dub.links.create({ url: destination(), proxy: true, title: 'Look', description: 'A sentence.', image })
    expect(made).toMatchObject({ proxy: true, title: 'Look', description: 'A sentence.', image })
    expect(await dub.links.update(made.id, { description: 'Another.' })).toMatchObject({
      title: 'Look',
      description: 'Another.',
      image,
    })
    expect(await dub.links.update(made.id, { proxy: false })).toMatchObject({ proxy: false, description: null })
  })

  it('are listed, counted and made in bulk', async () => {
    const { key: other } = await newKey(app, await signUp(app, 'carl'))
    const theirs = clientOf(other)
    const urls = Array.from({ length: 5 }, () => destination())
    const made = await theirs.links.createMany([
      ...urls.map((url, i) => ({ url, tagNames: [i % 2 === 0 ? 'even' : 'odd'] })),
      { url: 'javascript:alert(1)' },
    ])
    expect(made).toHaveLength(6)
    expect(made[5]).toMatchObject({
      code: 'unprocessable_entity',
      error: expect.stringContaining('url'),
      link: { url: 'javascript:alert(1)' },
    })
    const links = made.slice(0, 5) as LinkSchema[]
    expect(links.map(({ url }) => url)).toEqual(urls)

    const listed = async (asked: Parameters<Dub['links']['list']>[0]) => {
      const { result } = await theirs.links.list(asked)
      return result.map(({ url }) => url)
    }
    const newest = urls.toReversed()
    expect(await listed({})).toEqual(newest)
    // The SDK asks for page after page by itself.
    const found: string[] = []
    for await (const page of await theirs.links.list({ pageSize: 2, page: 1 })) found.push(...page.result.map(({ url }) => url))
    expect(found).toEqual(newest)
    expect(await listed({ pageSize: 2, startingAfter: links[2]?.id })).toEqual(newest.slice(3))
    expect(await listed({ pageSize: 2, endingBefore: links[2]?.id })).toEqual(newest.slice(0, 2))
    expect(await listed({ tagNames: ['odd'] })).toEqual([urls[3], urls[1]])
    expect(await listed({ tagNames: ['odd', 'even'] })).toEqual(newest)
    expect(await listed({ tagIds: links[1]?.tags?.[0]?.id })).toEqual([urls[3], urls[1]])
    expect(await listed({ tagNames: 'none' })).toEqual([])
    expect(await listed({ search: urls[2]?.split('/').at(-1) })).toEqual([urls[2]])
    expect(await listed({ domain: 'other.example' })).toEqual([])
    expect(await listed({ domain: 'localhost' })).toEqual(newest)
    expect(await theirs.links.count({})).toBe(5)
    expect(await theirs.links.count({ tagNames: ['even'] })).toBe(3)

    const some = links.slice(0, 2).map(({ id }) => id)
    const changed = await theirs.links.updateMany({ linkIds: some, data: { archived: true, title: 'both' } })
    expect(changed.map(({ title, archived }) => [title, archived])).toEqual([
      ['both', true],
      ['both', true],
    ])
    expect(await theirs.links.count({})).toBe(3)
    expect(await listed({ showArchived: true })).toHaveLength(5)
    expect(await refusal(theirs.links.updateMany({ linkIds: [...some, 'link_1'], data: { title: 'none' } }))).toMatchObject({
      status: 404,
    })
    expect(await theirs.links.get({ linkId: some[0] })).toMatchObject({ title: 'both' })
    expect(await theirs.links.deleteMany({ linkIds: [...some, 'link_1'] })).toEqual({ deletedCount: 2 })
    expect(await listed({ showArchived: true })).toHaveLength(3)
  })
})

describe('the rest of it, by the unmodified SDK', () => {
  it('tags', async () => {
    const tag = await dub.tags.create({ name: 'Plants', color: 'green' })
    expect(tag).toEqual({ id: expect.stringMatching(/^tag_\d+$/), name: 'Plants', color: 'gray' })
    expect(await refusal(dub.tags.create({ name: 'plants' }))).toMatchObject({ name: 'Conflict', status: 409 })
    expect(await dub.tags.list({ search: 'plan' })).toEqual([tag])
    const link = await dub.links.create({ url: destination(), tagIds: [tag.id] })
    expect(await dub.tags.update(tag.id, { name: 'Flowers' })).toMatchObject({ id: tag.id, name: 'Flowers' })
    expect(await dub.links.get({ linkId: link.id })).toMatchObject({ tagId: tag.id, tags: [{ name: 'Flowers' }] })
    expect(await dub.tags.delete(tag.id)).toEqual({ id: tag.id })
    expect(await refusal(dub.tags.delete(tag.id))).toMatchObject({ status: 404 })
    expect(await refusal(dub.links.create({ url: destination(), tagIds: [tag.id] }))).toMatchObject({ status: 422 })
  })

  it('folders', async () => {
    const folder = await dub.folders.create({ name: 'Garden' })
    expect(folder).toMatchObject({ id: expect.stringMatching(/^fold_\d+$/), name: 'Garden', accessLevel: 'write' })
    const link = await dub.links.create({ url: destination(), folderId: folder.id })
    expect(link.folderId).toBe(folder.id)
    expect((await dub.links.list({ folderId: folder.id })).result.map(({ id }) => id)).toEqual([link.id])
    expect(await dub.folders.list({})).toEqual([folder])
    expect(await dub.folders.update(folder.id, { name: 'Greenhouse' })).toMatchObject({ name: 'Greenhouse' })
    expect(await dub.links.update(link.id, { folderId: null })).toMatchObject({ folderId: null })
    expect(await dub.folders.delete(folder.id)).toEqual({ id: folder.id })
  })

  it('domains, which admins alone add, edit and remove', async () => {
    const { result } = await dub.domains.list({})
    expect(result).toEqual([
      expect.objectContaining({ slug: 'localhost', primary: true, verified: true, registeredDomain: null }),
    ])
    expect(await refusal(dub.domains.create({ slug: 'go.example.com' }))).toMatchObject({ name: 'Forbidden', status: 403 })
    await query(servers.databaseUrl, "UPDATE User SET role = 'admin' WHERE email = 'anna@example.com'")
    const made = await dub.domains.create({ slug: 'go.example.com', notFoundUrl: 'https://example.com/none' })
    expect(made).toMatchObject({ slug: 'go.example.com', verified: false, notFoundUrl: 'https://example.com/none' })
    expect(await dub.domains.update('go.example.com', { notFoundUrl: null })).toMatchObject({ notFoundUrl: null })
    expect(await refusal(dub.domains.update('go.example.com', { logo: 'https://example.com/x.png' }))).toMatchObject({
      status: 422,
    })
    expect(await dub.domains.delete('go.example.com')).toEqual({ slug: 'go.example.com' })
    const noted = await query<{ action: string }>(servers.databaseUrl, 'SELECT action FROM AuditEntry ORDER BY id')
    expect(noted.map(({ action }) => action)).toEqual(['domain.add', 'domain.change', 'domain.remove'])
    await query(servers.databaseUrl, "UPDATE User SET role = 'user' WHERE email = 'anna@example.com'")
  })

  it('analytics, of a link and of many', async () => {
    const { key: other } = await newKey(app, await signUp(app, 'dora'))
    const theirs = clientOf(other)
    const link = await theirs.links.create({ url: destination(), tagNames: ['counted'] })
    await visit(link.key, { referer: 'https://example.org/page' })
    await visit(`${link.key}?utm_source=mail`)
    await visit(link.key, { 'user-agent': 'curl/8.0' })
    const of = (asked: Parameters<Dub['analytics']['retrieve']>[0]) => theirs.analytics.retrieve({ linkId: link.id, ...asked })
    // People are counted, and no bots. The SDK shows 0 for what is not told.
    await eventually(
      () => of({}),
      (counted) => !Array.isArray(counted) && counted.clicks === 2,
    )
    expect(await of({ interval: 'all' })).toEqual({ clicks: 2, leads: 0, sales: 0, saleAmount: 0 })
    const hours = (await of({ groupBy: 'timeseries' })) as { start: string; clicks: number }[]
    expect([hours.length, hours.at(-1)?.clicks]).toEqual([24, 2])
    expect(await of({ groupBy: 'timeseries', interval: '7d' })).toHaveLength(8)
    expect(await of({ groupBy: 'referers' })).toEqual(
      expect.arrayContaining([expect.objectContaining({ referer: 'example.org', clicks: 1 })]),
    )
    expect(await of({ groupBy: 'browsers' })).toEqual([expect.objectContaining({ browser: 'Firefox', clicks: 2 })])
    expect(await of({ groupBy: 'devices', device: 'Desktop' })).toEqual([
      expect.objectContaining({ device: 'desktop', clicks: 2 }),
    ])
    expect(await of({ groupBy: 'top_links' })).toEqual([
      expect.objectContaining({ id: link.id, shortLink: link.shortLink, clicks: 2 }),
    ])
    expect(await of({ groupBy: 'top_urls' })).toEqual([expect.objectContaining({ url: link.url, clicks: 2 })])
    const { domain, key: code } = link
    expect(await theirs.analytics.retrieve({ domain, key: code })).toMatchObject({ clicks: 2 })
    expect(await theirs.analytics.retrieve({})).toMatchObject({ clicks: 2 })
    expect(await theirs.analytics.retrieve({ tagId: link.tags?.[0]?.id })).toMatchObject({ clicks: 2 })
    expect(await theirs.analytics.retrieve({ domain, groupBy: 'top_links' })).toEqual([
      expect.objectContaining({ id: link.id, clicks: 2 }),
    ])
    expect(await refusal(of({ event: 'sales' }))).toMatchObject({ status: 422, message: expect.stringContaining('clicks') })
    expect(await refusal(of({ groupBy: 'continents' }))).toMatchObject({ status: 422 })
    expect(await refusal(of({ country: 'DE,FR' }))).toMatchObject({ status: 422 })
  })

  it('QR codes', async () => {
    const { shortLink, qrCode } = await dub.links.create({ url: destination() })
    expect(typeof (await dub.qrCodes.get({ url: shortLink, size: 300, level: 'H', fgColor: '#112233' }))).toBe('string')
    const picture = await app.get(qrCode.replace(`http://localhost:${app.port}`, ''), { authorization: `Bearer ${key.key}` })
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
    expect(await refusal(dub.qrCodes.get({ url: 'https://example.com/' }))).toMatchObject({ status: 404 })
    expect(await refusal(dub.qrCodes.get({ url: shortLink, logo: 'https://example.com/x.png' }))).toMatchObject({ status: 422 })
  })
})

describe('what is refused', () => {
  it('no key, a wrong one, one that only reads, a session', async () => {
    const reader = await newKey(app, cookie, { scope: 'read' })
    const link = { url: destination() }
    expect((await app.call('POST', '/dub/links', link, { cookie })).status).toBe(401)
    expect(await refusal(clientOf('wrong').links.create(link))).toMatchObject({ name: 'Unauthorized', code: 'unauthorized' })
    expect(await refusal(clientOf(reader.key).links.create(link))).toMatchObject({ name: 'Forbidden', code: 'forbidden' })
    expect(await clientOf(reader.key).links.count({})).toEqual(expect.any(Number))
  })

  it('the link, tag and folder of another account are as those that there are not', async () => {
    const stranger = await newKey(app, await signUp(app, 'ben'))
    const link = await dub.links.create({ url: destination() })
    const [tag, folder] = [await dub.tags.create({ name: 'Mine' }), await dub.folders.create({ name: 'Mine' })]
    for (const [method, path, of, none, body] of [
      ['GET', '/links/info?linkId=', link.id, 'link_1', undefined],
      ['PATCH', '/links/', link.id, 'link_1', { title: 'theirs' }],
      ['DELETE', '/links/', link.id, 'link_1', undefined],
      ['GET', '/analytics?linkId=', link.id, 'link_1', undefined],
      ['GET', '/qr?url=', encodeURIComponent(link.shortLink), encodeURIComponent(`${link.shortLink}x`), undefined],
      ['PATCH', '/tags/', tag.id, 'tag_1', { name: 'theirs' }],
      ['DELETE', '/tags/', tag.id, 'tag_1', undefined],
      ['PATCH', '/folders/', folder.id, 'fold_1', { name: 'theirs' }],
      ['DELETE', '/folders/', folder.id, 'fold_1', undefined],
    ] as const) {
      const [theirs, missing] = await Promise.all([of, none].map((id) => call(method, path + id, body, stranger.key)))
      expect([path, theirs?.status, theirs?.body]).toEqual([path, 404, missing?.body])
    }
    expect((await call('PATCH', '/links/bulk', { linkIds: [link.id], data: { title: 'theirs' } }, stranger.key)).status).toBe(404)
    expect((await call('DELETE', `/links/bulk?linkIds=${link.id}`, undefined, stranger.key)).json).toEqual({ deletedCount: 0 })
    expect((await call('POST', '/links', { url: destination(), tagIds: tag.id }, stranger.key)).status).toBe(422)
    expect((await call('GET', `/links?tagIds=${tag.id}`, undefined, stranger.key)).json).toEqual([])
    expect(await dub.links.get({ linkId: link.id })).toMatchObject({ id: link.id, title: null })
  })

  it.each([
    ['a blocked destination', { url: 'https://blocked.example' }, 422],
    ['no destination', {}, 422],
    ['a domain that is not here', { url: 'https://example.com', domain: 'brand.example' }, 422],
    ['a code where an API lies', { url: 'https://example.com', key: 'dub/links/x' }, 422],
    ['an ID of their own', { url: 'https://example.com', externalId: '4711' }, 422],
    ['cloaking', { url: 'https://example.com', rewrite: true }, 422],
    ['a prefix alone', { url: 'https://example.com', prefix: 'c/' }, 422],
    ['a country that is none', { url: 'https://example.com', geo: { Germany: 'https://example.com/de' } }, 422],
    ['a list', [{ url: 'https://example.com' }], 400],
  ])('%s', async (_, body, expected) => {
    await query(
      servers.databaseUrl,
      "INSERT IGNORE INTO BlockRule (id, kind, value, createdBy, createdAt) VALUES (1, 'host', 'blocked.example', '', NOW())",
    )
    const { status, json } = await eventually(
      () => call('POST', '/links', body),
      (answer) => answer.status !== 200,
    )
    expect([status, json]).toEqual([expected, { error: { code: expect.any(String), message: expect.any(String) } }])
  })

  it('too many at once, another code for a link, and what there is not', async () => {
    const many = Array.from({ length: 101 }, () => ({ url: 'https://example.com' }))
    expect((await call('POST', '/links/bulk', many)).status).toBe(422)
    expect((await call('POST', '/links/bulk', [])).status).toBe(422)
    const link = await dub.links.create({ url: destination(), key: 'kept' })
    expect(await refusal(dub.links.update(link.id, { key: 'another' }))).toMatchObject({ name: 'Conflict', status: 409 })
    expect(await refusal(dub.links.create({ url: destination(), key: 'kept' }))).toMatchObject({ name: 'Conflict' })
    expect((await call('GET', '/links/count?groupBy=domain')).status).toBe(422)
    expect((await call('PUT', '/tags')).status).toBe(405)
    expect((await call('GET', '/links/none/at/all')).json.error.code).toBe('not_found')
  })
})

it('each link of a bulk counts towards the limit of creating links', async () => {
  // 301 requests a minute from one address can create links.
  const limited = await startOnPort(servers, { RATE_LIMIT: 'on', LINKS_PER_MINUTE: '1' })
  try {
    const codes: string[] = []
    for (let i = 0; i < 4; i++) {
      const wrong = Array.from({ length: 100 }, () => ({ url: 'no URL' }))
      const { status, body } = await limited.call('POST', '/dub/links/bulk', wrong, { authorization: `Bearer ${key.key}` })
      expect(status).toBe(200)
      codes.push(...(JSON.parse(body) as { code: string }[]).map(({ code }) => code))
    }
    expect(codes.filter((code) => code === 'unprocessable_entity')).toHaveLength(301)
    expect(codes.slice(301)).toEqual(Array.from({ length: 99 }, () => 'rate_limit_exceeded'))
  } finally {
    await limited.stop()
  }
})

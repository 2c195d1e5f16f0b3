import { BitlyClient } from 'bitly'
import type { BitlyErrorResponse, BitlyExpandResponse, BitlyLink } from 'bitly/dist/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOST, type Key, leadSecurely, newKey, signUp, startForeign } from './foreign'
import { type App, destination, eventually, ownServers, query, type Servers } from './harness'

let servers: Servers
let app: App
let cookie = ''
let key: Key
let bitly: BitlyClient
let end = () => {}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
/** All that is told to the client is where the API is: it adds https and /v4 by itself. */
const clientOf = (secret: string) => new BitlyClient(secret, { apiUrl: HOST })
/** What scripts send: the key as a bearer token, and the name of a link in one segment. */
const call = async (method: string, path: string, body?: unknown, secret = key.key) => {
  const answer = await app.call(method, `/v4${path}`, body, { host: HOST, authorization: `Bearer ${secret}` })
  return { ...answer, json: JSON.parse(answer.body) }
}
const visit = (code: string, headers: Record<string, string> = {}) =>
  app.get(`/${code}`, { host: HOST, 'user-agent': BROWSER, ...headers })
/** The body that a refused call ends with: the client throws it. */
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => expect.unreachable('it was not refused'),
    (error: BitlyErrorResponse) => error,
  )
const pathOf = ({ id }: Pick<BitlyLink, 'id'>) => `/bitlinks/${encodeURIComponent(id)}`

beforeAll(async () => {
  servers = await ownServers()
  app = await startForeign(servers, { BASE_URL: `https://${HOST}` })
  cookie = await signUp(app, 'anna')
  key = await newKey(app, cookie)
  bitly = clientOf(key.key)
  end = await leadSecurely(app)
})

afterAll(async () => {
  end()
  await app?.stop()
  await servers?.stop()
})

describe('the unmodified client of npm, over https', () => {
  it('shortens, expands, retrieves and counts', async () => {
    const url = destination()
    const made = (await bitly.shorten(url)) as BitlyLink
    const code = made.link.split('/').at(-1) ?? ''
    expect(made).toEqual({
      ...{ created_at: expect.stringMatching(/^20\d\d-.*\+0000$/), id: `${HOST}/${code}`, link: `https://${HOST}/${code}` },
      ...{ custom_bitlinks: [], long_url: url, title: '', archived: false, created_by: expect.stringMatching(/^\d{8}$/) },
      ...{
        client_id: '',
        tags: [],
        deeplinks: [],
        is_deleted: false,
        references: { group: expect.stringContaining('/v4/groups/B') },
      },
    })
    expect(await bitly.shorten(url)).toEqual(made)
    expect((await visit(code, { referer: 'https://www.facebook.com/' })).headers.location).toBe(url)

    // The client writes bit.ly in place of whatever domain.
    const { created_at, id, link, long_url } = made
    expect((await bitly.expand(link)) as BitlyExpandResponse).toEqual({ created_at, id, link, long_url })
    expect(await bitly.expand(code)).toMatchObject({ long_url })
    expect(await bitly.getBitlink(id)).toEqual(made)
    expect(await bitly.info(link)).toEqual(made)

    const counted = await eventually(
      () => bitly.clicks(id) as Promise<{ link_clicks: { date: string; clicks: number }[] }>,
      ({ link_clicks }) => link_clicks[0]?.clicks === 1,
    )
    expect(counted).toEqual({
      ...{ unit: 'day', units: -1, unit_reference: expect.stringMatching(/\+0000$/) },
      link_clicks: [{ date: `${new Date().toISOString().slice(0, 10)}T00:00:00+0000`, clicks: 1 }],
    })
    expect(await bitly.clicksByDay(id)).toMatchObject({ unit: 'day', link_clicks: [{ clicks: 1 }] })
    const minutes = (await bitly.clicksByMinute(id)) as typeof counted
    expect(minutes.link_clicks.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(1)
    expect(await bitly.clicks(id, 'week', 2, 1)).toMatchObject({ unit: 'week', units: 2, link_clicks: [{ clicks: 1 }] })
    expect(await bitly.referrers(id)).toMatchObject({
      ...{ facet: 'referrers', metrics: [{ value: 'facebook.com', clicks: 1 }] },
    })
    expect(await bitly.countries(id)).toMatchObject({ facet: 'countries', metrics: [{ clicks: 1 }] })
  })

  it('asks for whatever else there is', async () => {
    const groups = await bitly.bitlyRequest<never>('groups', {}, 'GET')
    expect(groups).toMatchObject({ groups: [{ guid: expect.stringMatching(/^B\d{8}$/), is_active: true }] })
    const made = (await bitly.bitlyRequest('bitlinks', {
      long_url: destination(),
      title: 'Spring',
      tags: ['b', 'a'],
    })) as BitlyLink
    expect(made).toMatchObject({ title: 'Spring', tags: ['a', 'b'] })
    expect(await bitly.bitlyRequest(`bitlinks/${made.id}`, { title: 'Summer' }, 'PATCH')).toMatchObject({ title: 'Summer' })
  })

  it('is told what is wrong', async () => {
    expect(await refusal(clientOf('wrong').shorten(destination()))).toMatchObject({ message: 'FORBIDDEN', resource: 'shorten' })
    expect(await refusal(bitly.expand('nothing-here'))).toMatchObject({ message: 'NOT_FOUND', resource: 'expand' })
    expect(await refusal(bitly.shorten('javascript:alert(1)'))).toMatchObject({
      ...{ message: 'INVALID_ARG_LONG_URL', resource: 'shorten', errors: [{ field: 'long_url', error_code: 'invalid' }] },
    })
  })
})

describe('what scripts send', () => {
  it('creates with a code, edits, archives and deletes', async () => {
    const made = await call('POST', '/bitlinks', {
      ...{ long_url: destination(), domain: HOST, keyword: 'spring/sale', title: 'Spring', tags: ['a'], deeplinks: [] },
      ...{ group_guid: 'Ba1bc23dE4F', expiration_at: '2099-12-31T00:00:00+0000' },
    })
    expect([made.status, made.json.id, made.json.expiration_at]).toEqual([201, `${HOST}/spring/sale`, '2099-12-31T00:00:00+0000'])
    const again = await call('POST', '/bitlinks', { long_url: destination(), keyword: 'spring/sale' })
    expect([again.status, again.json.message]).toEqual([409, 'CONFLICT'])

    const moved = destination()
    const edited = await call('PATCH', pathOf(made.json), { long_url: moved, title: '', tags: [], archived: true })
    expect(edited.json).toMatchObject({ long_url: moved, title: '', tags: [], archived: true })
    expect((await visit('spring/sale')).headers.location).toBe(moved)
    const listed = async (archived: string) =>
      (await call('GET', `/groups/Ba1bc23dE4F/bitlinks?archived=${archived}`)).json.links.map(({ id }: BitlyLink) => id)
    expect(await listed('on')).toEqual([`${HOST}/spring/sale`])
    expect(await listed('off')).not.toContain(`${HOST}/spring/sale`)
    expect(await listed('both')).toContain(`${HOST}/spring/sale`)

    expect((await call('DELETE', pathOf(made.json))).json).toEqual({ links_deleted: [{ id: `${HOST}/spring/sale` }] })
    expect((await visit('spring/sale')).status).toBe(410)
    expect((await call('GET', pathOf(made.json))).status).toBe(410)
  })

  it('gets the same link again by an Idempotency-Key, and another one when it asks for that', async () => {
    const body = { long_url: destination(), force_new_link: true }
    const ask = async (name?: string) => {
      const headers = { host: HOST, authorization: `Bearer ${key.key}`, ...(name !== undefined && { 'idempotency-key': name }) }
      return JSON.parse((await app.call('POST', '/v4/bitlinks', body, headers)).body).id
    }
    const first = await ask('order 4711')
    expect(await ask('order 4711')).toBe(first)
    expect(await ask()).not.toBe(first)
    expect(await ask()).not.toBe(await ask())
  })

  it('gives a link another code', async () => {
    const { json: made } = await call('POST', '/shorten', { long_url: destination() })
    const custom = await call('POST', '/custom_bitlinks', { bitlink_id: made.id, custom_bitlink: `${HOST}/by-name` })
    expect(custom.json).toMatchObject({ custom_bitlink: `https://${HOST}/by-name`, bitlink: { id: made.id } })
    expect((await visit('by-name')).headers.location).toBe(made.long_url)
    expect((await call('GET', `/custom_bitlinks/${HOST}/by-name`)).json).toMatchObject({ bitlink: { long_url: made.long_url } })
  })

  it('reads page after page, by what each of them tells', async () => {
    const { key: other } = await newKey(app, await signUp(app, 'carl'))
    const urls = Array.from({ length: 5 }, () => destination())
    for (const long_url of urls) await call('POST', '/shorten', { long_url }, other)
    const { json } = await call('GET', '/groups', undefined, other)
    const [{ guid }] = json.groups
    const found: string[] = []
    for (let next = `/groups/${guid}/bitlinks?size=2`; next !== ''; ) {
      const page = (await call('GET', next, undefined, other)).json
      expect(page.pagination).toMatchObject({ size: 2, total: 5 })
      found.push(...page.links.map(({ long_url }: BitlyLink) => long_url))
      next = page.pagination.next.replace(`https://${HOST}/v4`, '')
    }
    expect(found).toEqual(urls.toReversed())
    const second = (await call('GET', `/groups/${guid}/bitlinks?size=2&page=2`, undefined, other)).json
    expect(second.links.map(({ long_url }: BitlyLink) => long_url)).toEqual(urls.toReversed().slice(2, 4))
  })

  it('finds links by words, tags and time, and the most clicked ones', async () => {
    const { json: tagged } = await call('POST', '/bitlinks', { long_url: destination(), title: 'Greenhouse', tags: ['plants'] })
    const { json: other } = await call('POST', '/bitlinks', { long_url: destination(), tags: ['animals'] })
    const found = async (asked: string) =>
      (await call('GET', `/groups/any/bitlinks?${asked}`)).json.links.map(({ id }: BitlyLink) => id)
    expect(await found('tags=plants')).toEqual([tagged.id])
    expect(await found('tags=plants&tags=animals')).toEqual([other.id, tagged.id])
    expect(await found('query=greenhouse')).toEqual([tagged.id])
    expect(await found(`created_before=${Math.floor(Date.now() / 1000) - 3600}`)).toEqual([])
    expect((await call('GET', '/groups/any/tags')).json.tags).toEqual(expect.arrayContaining(['animals', 'plants']))

    await visit(new URL(other.link).pathname.slice(1))
    const top = await eventually(
      () => call('GET', '/groups/any/bitlinks/clicks'),
      ({ json }) => json.sorted_links.some(({ id, clicks }: { id: string; clicks: number }) => id === other.id && clicks === 1),
    )
    expect(top.json.links).toHaveLength(top.json.sorted_links.length)
  })

  it('counts the clicks of a link and of all links by what they came from', async () => {
    const { json: made } = await call('POST', '/bitlinks', { long_url: destination(), keyword: 'counted-here' })
    for (const referer of ['https://l.facebook.com/', 'https://www.facebook.com/', 'https://example.org/', ''])
      await visit('counted-here', referer ? { referer } : {})
    await visit('counted-here', { 'user-agent': 'curl/8.0' })
    const total = await eventually(
      () => call('GET', `${pathOf(made)}/clicks/summary?unit=day&units=1`),
      ({ json }) => json.total_clicks === 4,
    )
    // People are counted, and no bots.
    expect(total.json).toEqual({ unit: 'day', units: 1, unit_reference: expect.any(String), total_clicks: 4 })
    expect((await call('GET', `${pathOf(made)}/clicks/summary`)).json.total_clicks).toBe(4)
    const past = await call('GET', `${pathOf(made)}/clicks/summary?unit=month&units=3&unit_reference=2020-01-01T00:00:00%2B0000`)
    expect(past.json).toMatchObject({ total_clicks: 0, unit_reference: '2020-01-01T00:00:00+0000' })
    const months = await call('GET', `${pathOf(made)}/clicks?unit=month&units=3`)
    expect(months.json.link_clicks.map(({ clicks }: { clicks: number }) => clicks)).toEqual([4, 0, 0])

    const networks = (await call('GET', `${pathOf(made)}/referring_networks`)).json.metrics
    expect(networks).toEqual(
      expect.arrayContaining([
        { value: 'Facebook', clicks: 2 },
        { value: 'direct', clicks: 1 },
      ]),
    )
    const grouped = (await call('GET', `${pathOf(made)}/referrers_by_domains`)).json.referrers_by_domain
    expect(grouped).toContainEqual({
      network: 'Facebook',
      referrers: expect.arrayContaining([{ value: 'l.facebook.com', clicks: 1 }]),
    })
    expect((await call('GET', `${pathOf(made)}/devices`)).json.metrics).toEqual([
      { value: 'desktop', device_type: 'desktop', clicks: 4 },
    ])
    expect((await call('GET', '/groups/any/clicks?unit=day&units=2')).json.clicks).toHaveLength(2)
    expect((await call('GET', '/groups/any/countries')).json).toMatchObject({ facet: 'countries', units: -1 })
  })

  it('is told of the account', async () => {
    const { json } = await call('GET', '/user')
    expect(json).toMatchObject({ name: 'anna', is_active: true, emails: [{ email: 'anna@example.com', is_primary: true }] })
    expect((await call('GET', `/groups/${json.default_group_guid}`)).json.guid).toBe(json.default_group_guid)
    const { organizations } = (await call('GET', '/organizations')).json
    expect((await call('GET', `/organizations/${organizations[0].guid}`)).json).toEqual(organizations[0])
    expect((await call('GET', '/bsds')).json).toEqual({ bsds: [] })
  })
})

describe('what is refused', () => {
  it('no key, a wrong one, one that only reads, a session', async () => {
    const reader = await newKey(app, cookie, { scope: 'read' })
    const link = { long_url: destination() }
    expect((await app.call('POST', '/v4/shorten', link, { host: HOST, cookie })).status).toBe(403)
    expect((await call('POST', '/shorten', link, 'wrong')).status).toBe(403)
    expect((await call('POST', '/shorten', link, reader.key)).status).toBe(403)
    expect((await call('GET', '/user', undefined, reader.key)).status).toBe(200)
  })

  it('the link of another account is as one that there is not', async () => {
    const stranger = await newKey(app, await signUp(app, 'ben'))
    const { json: made } = await call('POST', '/bitlinks', { long_url: destination(), force_new_link: true })
    const none = `${HOST}/none-at-all`
    const paths = ['', '/clicks', '/clicks/summary', '/countries', '/referrers_by_domains']
    for (const path of paths) {
      const [theirs, missing] = await Promise.all(
        [made.id, none].map((id) => call('GET', pathOf({ id }) + path, undefined, stranger.key)),
      )
      expect([theirs?.status, theirs?.body]).toEqual([404, missing?.body])
    }
    for (const [method, path, body] of [
      ['PATCH', pathOf(made), { title: 'mine' }],
      ['DELETE', pathOf(made), undefined],
      ['POST', '/expand', { bitlink_id: made.id }],
      ['POST', '/custom_bitlinks', { bitlink_id: made.id, custom_bitlink: 'mine-now' }],
      ['GET', `/custom_bitlinks/${made.id}`, undefined],
    ] as const) {
      expect((await call(method, path, body, stranger.key)).status).toBe(404)
    }
  })

  it.each([
    ['a blocked destination', { long_url: 'https://blocked.example' }, 'INVALID_ARG_LONG_URL'],
    ['a URL of our own', { long_url: `https://${HOST}/abc` }, 'INVALID_ARG_LONG_URL'],
    ['no destination', {}, 'INVALID_ARG_LONG_URL'],
    ['a domain that is not here', { long_url: 'https://example.com', domain: 'brand.example' }, 'INVALID_ARG_DOMAIN'],
    ['a code where an API lies', { long_url: 'https://example.com', keyword: 'v4/user' }, 'INVALID_ARG_KEYWORD'],
    ['a time that is none', { long_url: 'https://example.com', expiration_at: 'soon' }, 'INVALID_ARG_EXPIRATION_AT'],
    ['a deep link', { long_url: 'https://example.com', deeplinks: [{ app_id: 'com.example' }] }, 'INVALID_ARG_DEEPLINKS'],
  ])('%s', async (_, body, message) => {
    await query(
      servers.databaseUrl,
      "INSERT IGNORE INTO BlockRule (id, kind, value, createdBy, createdAt) VALUES (1, 'host', 'blocked.example', '', NOW())",
    )
    const { status, json } = await eventually(
      () => call('POST', '/bitlinks', body),
      (answer) => answer.status > 201,
    )
    expect([status, json.message]).toEqual([400, message])
    expect(json).toMatchObject({ description: expect.any(String), resource: 'bitlinks' })
  })

  it.each([
    ['/groups/any/bitlinks?campaign_guid=C1', 'INVALID_ARG_CAMPAIGN_GUID'],
    ['/groups/any/bitlinks?archived=perhaps', 'INVALID_ARG_ARCHIVED'],
    ['/groups/any/bitlinks?created_after=soon', 'INVALID_ARG_CREATED_AFTER'],
    ['/groups/any/clicks?unit=minute', 'INVALID_ARG_UNIT'],
    ['/groups/any/countries?unit=second', 'INVALID_ARG_UNIT'],
    ['/groups/any/countries?unit_reference=soon', 'INVALID_ARG_UNIT_REFERENCE'],
  ])('%s', async (path, message) => {
    const { status, json } = await call('GET', path)
    expect([status, json.message]).toEqual([400, message])
  })

  it('what there is not', async () => {
    expect((await call('PUT', '/shorten')).json).toMatchObject({ message: 'METHOD_NOT_ALLOWED' })
    expect((await call('GET', '/groups/any/shorten_counts')).json).toMatchObject({ message: 'NOT_FOUND', resource: 'groups' })
  })
})

it('a token of the former Bitly goes on working, once its hash was brought along', async () => {
  const { createHash } = await import('node:crypto')
  const old = 'ad7ecf6cd10e8f072651f00cf90e2bc983a4a974'
  await newKey(app, cookie, { hash: createHash('sha256').update(old).digest('hex') })
  expect(await clientOf(old).shorten(destination())).toMatchObject({ link: expect.stringContaining(`https://${HOST}/`) })
})

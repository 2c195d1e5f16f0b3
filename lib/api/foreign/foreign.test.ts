import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createKey } from '@/lib/accounts/keys'
import { foreignApiOf } from '@/lib/codes/foreign-paths'
import { FOREIGN_APIS, type ForeignApi } from '@/lib/config'
import { negotiate } from '@/lib/i18n/languages'
import { ourRules, theirRules } from '@/lib/routing/shlink-rules'
import { setRuntime } from '@/lib/runtime'
import { Visitor } from '@/lib/testing/accounts'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { FOREIGN_FIELDS } from '@/lib/testing/foreign-fields'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { timeIn } from '@/lib/tools/php-times'
import { answerForeign, dialectOf } from './answer'
import { expiryIn, idOfUuid, uuidOf } from './kutt/view'
import { outputIn } from './yourls/output'

const { url: databaseUrl } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: databaseUrl, REDIS_URL: redis.url, FOREIGN_APIS: FOREIGN_APIS.join() })
setRuntime(ctx)
const BASE = ctx.config.BASE_URL
let ownerId = ''
const keys = { read: '', write: '' }

beforeAll(async () => {
  await settled(ctx)
  const visitor = new Visitor(ctx)
  ownerId = (await visitor.signUp()).id
  for (const scope of ['read', 'write'] as const) {
    const { key } = await createKey(ctx, ownerId, { name: scope, scope, expiresInDays: null }, negotiate('en'))
    keys[scope] = key ?? ''
  }
})

/** A path that fits a pattern, of things that there are not. */
const pathOf = (pattern: string) =>
  pattern
    .replace('{version}', '3')
    .replace('{handle}', '12345678')
    .replace(/\{\w+\+?\}/g, 'none')

const ask = (api: ForeignApi, method: string, path: string, key: string | null, body?: unknown) =>
  answerForeign(
    api,
    new Request(BASE + path, {
      method,
      headers: { ...(key !== null && { 'x-api-key': key, authorization: `Bearer ${key}` }), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )

const all = await Promise.all(
  FOREIGN_APIS.map(async (api) =>
    (await dialectOf(api)).endpoints.map((endpoint) => ({ api, ...endpoint, at: `${endpoint.method} ${endpoint.path}` })),
  ),
)

it('clicks of a link are those of its whole life in each API, as its limit counts them', async () => {
  const { id } = await new Visitor(ctx).signUp()
  const { key = '' } = await createKey(ctx, id, { name: 'reader', scope: 'read', expiresInDays: null }, negotiate('en'))
  const imported = { url: 'https://example.com/', code: 'lifetime', title: 'L', clicksBefore: 7, maxClicks: 20 }
  await createLinks(ctx, owner(id), [imported])
  await ctx.db.change("UPDATE Link SET clicks = 3 WHERE code = 'lifetime'")
  const read = async (api: ForeignApi, path: string) => (await ask(api, 'GET', path, key ?? '')).json()
  expect(await read('shlink', '/rest/v3/short-urls/lifetime')).toMatchObject({
    visitsSummary: { total: 10 },
    meta: { maxVisits: 20 },
  })
  expect(await read('kutt', '/api/v2/links')).toMatchObject({ data: [{ visit_count: 10 }] })
  const query = new URLSearchParams({ action: 'url-stats', shorturl: 'lifetime', format: 'json', signature: key ?? '' })
  expect(await read('yourls', `/yourls-api.php?${query}`)).toMatchObject({ link: { clicks: 10 } })
})

it('an ID of somebody else’s link takes as much work as one of none, in each API that has them', async () => {
  const { id } = await new Visitor(ctx).signUp()
  const { key = '' } = await createKey(ctx, id, { name: 'reader', scope: 'read', expiresInDays: null }, negotiate('en'))
  await createLinks(ctx, owner(ownerId), [{ url: 'https://example.com/', code: 'others' }])
  const link = await ctx.db.client.link.findUniqueOrThrow({ where: { fullShortUrl: 'terse.test/others' } })
  const workFor = async (api: ForeignApi, path: string) => {
    const asked = [vi.spyOn(ctx.db, 'read'), vi.spyOn(ctx.db, 'rows')]
    try {
      expect((await ask(api, 'GET', path, key)).status).toBe(404)
      return asked.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
    } finally {
      for (const spy of asked) spy.mockRestore()
    }
  }
  const dub = (number: bigint) => workFor('dub', `/dub/links/info?linkId=link_${number}`)
  const kutt = (number: bigint) => workFor('kutt', `/api/v2/links/${uuidOf(number)}/stats`)
  // Other work of the process may come in between.
  const least = async (work: typeof dub, number: bigint) => {
    const tries: number[] = []
    for (let n = 0; n < 5; n++) tries.push(await work(number))
    return Math.min(...tries)
  }
  for (const work of [dub, kutt]) expect(await least(work, link.id)).toBe(await least(work, link.id + 1n))
})

it('a signature is that of its key, whatever key was registered by the hash of it', async () => {
  const english = negotiate('en')
  const [alice, bob] = [await new Visitor(ctx).signUp(), await new Visitor(ctx).signUp()]
  const made = { name: 'script', scope: 'write', expiresInDays: null } as const
  const { signature = '', id: keyId } = await createKey(ctx, alice.id, { ...made, signature: true }, english)
  const hash = createHash('sha256').update(signature).digest('hex')
  await expect(createKey(ctx, bob.id, { ...made, hash }, english)).rejects.toMatchObject({ errors: [{ path: 'hash' }] })
  // However it came there.
  const stored = await createKey(
    ctx,
    bob.id,
    { ...made, hash: hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    english,
  )
  const key = Buffer.from(hash, 'hex').toString('base64url')
  await ctx.db.client.apiKey.update({ where: { id: stored.id }, data: { key } })
  await createLinks(ctx, owner(alice.id), [{ url: 'https://example.com/' }])
  const query = new URLSearchParams({ action: 'db-stats', format: 'json', signature })
  const counted = async () => (await ask('yourls', 'GET', `/yourls-api.php?${query}`, null)).json()
  expect(await counted()).toMatchObject({ 'db-stats': { total_links: 1 } })
  await ctx.db.client.apiKey.delete({ where: { id: keyId } })
  expect(await counted()).toMatchObject({ 'db-stats': { total_links: 0 } })
})

describe('every endpoint', () => {
  it.each(all.flat())('$at is open to those alone that it is for', async ({ api, method, path: pattern, needs, changes }) => {
    const path = pathOf(pattern)
    expect(foreignApiOf(path)).toBe(api)
    const of = async (key: string | null) => {
      // YOURLS shows its key among the parameters, and one way of Shlink does.
      const shown = key === null ? '' : `?${new URLSearchParams({ signature: key, apiKey: key })}`
      return (await ask(api, method, path + shown, key)).status
    }
    const refused = api === 'yourls' || api === 'bitly' ? 403 : 401
    const open = api === 'yourls' ? 302 : 200
    expect(await of(null)).toBe(needs === 'nothing' ? open : refused)
    expect(await of('wrong')).toBe(needs === 'nothing' ? open : refused)
    if (needs === 'admin') for (const key of Object.values(keys)) expect(await of(key)).toBe(403)
    else if (changes) expect(await of(keys.read)).toBe(403)
    else expect([401, 403]).not.toContain(await of(keys.read))
  })

  it.each(FOREIGN_APIS)('%s answers whatever it is sent, and never by a fault of its own', async (api) => {
    const { endpoints } = await dialectOf(api)
    const words = endpoints.flatMap(({ path }) => path.split('/')).filter((word) => word !== '' && !word.startsWith('{'))
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('-1', '1e9', 'null', 'shorturl', 'stats', 'jsonp', 'xml', 'title-ASC'),
      fc.json(),
      fc.integer().map(String),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...endpoints),
        fc.dictionary(fc.constantFrom(...FOREIGN_FIELDS), value, { maxKeys: 6 }),
        fc.oneof(fc.dictionary(fc.constantFrom(...FOREIGN_FIELDS), fc.jsonValue(), { maxKeys: 6 }), fc.jsonValue()),
        fc.oneof(fc.constantFrom(...words), fc.string()),
        async (endpoint, query, body, word) => {
          const path = pathOf(endpoint.path).replace('none', encodeURIComponent(word.replace(/\p{Cs}/gu, '')))
          const asked = new URLSearchParams({ ...query, signature: keys.write, apiKey: keys.write })
          const sends = endpoint.method !== 'GET'
          const { status } = await ask(api, endpoint.method, `${path}?${asked}`, keys.write, sends ? body : undefined)
          expect(status).not.toBe(500)
        },
      ),
      { numRuns: 120 },
    )
  })
})

describe('pages by number', () => {
  // More than are counted, by one: an estimate is told only where counting has not reached the end.
  const LINKS = 15_001

  it('follow each other without a gap, their totals are told, and far ones are found', async () => {
    const { id } = await new Visitor(ctx).signUp()
    const { key = '' } = await createKey(ctx, id, { name: 'reader', scope: 'read', expiresInDays: null }, negotiate('en'))
    const marked = (i: number) => ({ url: `https://example.com/${i}`, title: i % 10 === 0 ? 'every tenth' : '' })
    for (let i = 0; i < LINKS; i += 1_000) {
      const some = Array.from({ length: Math.min(1_000, LINKS - i) }, (_, j) => marked(i + j))
      await createLinks(ctx, owner(id), some)
    }
    let estimated: string | null = null
    const page = async (query: Record<string, string>) => {
      const answer = await ask('shlink', 'GET', `/rest/v3/short-urls?${new URLSearchParams(query)}`, key)
      expect(answer.status).toBe(200)
      estimated = answer.headers.get('terse-total')
      return (
        (await answer.json()) as {
          shortUrls: { data: { longUrl: string }[]; pagination: { totalItems: number; pagesCount: number } }
        }
      ).shortUrls
    }
    const first = await page({ itemsPerPage: '500' })
    expect(first.pagination).toMatchObject({ totalItems: LINKS, pagesCount: 31 })
    expect(estimated).toBeNull()
    const seen = new Set<string>()
    for (let n = 1; n <= 31; n++)
      for (const { longUrl } of (await page({ itemsPerPage: '500', page: String(n) })).data) seen.add(longUrl)
    expect(seen.size).toBe(LINKS)
    // Without those before it.
    const far = await page({ itemsPerPage: '10', page: '1500' })
    expect(far.data.map(({ longUrl }) => longUrl)).toEqual(Array.from({ length: 10 }, (_, i) => `https://example.com/${10 - i}`))
    expect((await page({ itemsPerPage: '10', page: '99999999' })).data).toEqual([])
    // Counted: there are fewer than 10,000.
    const since = { startDate: '2020-01-01T00:00:00Z', excludeMaxVisitsReached: 'true' }
    const { pagination } = await page({ ...since, searchTerm: 'every tenth' })
    expect(pagination.totalItems).toBeGreaterThan(0)
    // Estimated, and near.
    const all = (await page({ excludePastValidUntil: 'true' })).pagination.totalItems
    expect(Math.abs(all - LINKS) / LINKS).toBeLessThan(0.2)
    expect(estimated).toBe('estimated')
  })
})

describe('what is translated', () => {
  it('IDs go to UUIDs and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (id) => {
        expect(uuidOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-0{12}$/)
        expect(idOfUuid(uuidOf(id))).toBe(id)
      }),
    )
    expect(idOfUuid('f81d4fae-7dec-11d0-a765-00a0c91e6bf6')).toBeNull()
    expect(idOfUuid('ffffffff-ffff-8fff-8f00-000000000000')).toBeNull()
  })

  it.each([
    ['90 minutes', 90 * 60_000],
    ['42 days', 42 * 86_400_000],
    ['1.5h', 5_400_000],
    ['60000', 60_000],
    ['2 weeks', 14 * 86_400_000],
  ])('%s', (text, ms) => expect(expiryIn(text, 0)).toBe(new Date(ms).toISOString()))

  it.each(['soon', '30s', '-1 day', '1000 years', '', '1 month'])('“%s” is no time', (text) =>
    expect(() => expiryIn(text)).toThrow(/how long/),
  )

  it('rules of Shlink come back as they were', () => {
    const conditions = [
      ...['android', 'ios', 'mobile', 'windows', 'macos', 'linux', 'chromeos', 'desktop'].map(
        (value) => ['device', null, value] as const,
      ),
      ...['chrome', 'firefox', 'edge', 'safari', 'opera', 'android_browser'].map((value) => ['browser', null, value] as const),
      ['language', null, 'de'] as const,
      ['query-param', 'a', 'b'] as const,
      ['any-value-query-param', 'a', null] as const,
      ['ip-address', null, '10.0.0.0/8'] as const,
      ['geolocation-country-code', null, 'DE'] as const,
      ['geolocation-city-name', null, 'Berlin'] as const,
      ['before-date', null, '2030-01-01T00:00:00.000Z'] as const,
      ['after-date', null, '2020-01-01T00:00:00.000Z'] as const,
    ].map(([type, matchKey, matchValue]) => ({ type, matchKey, matchValue }))
    const redirectRules = conditions.map((condition) => ({ longUrl: 'https://example.com/', conditions: [condition] }))
    expect(theirRules({ rules: ourRules({ redirectRules }) })).toEqual(
      redirectRules.map((rule, i) => ({ ...rule, priority: i + 1 })),
    )
  })

  it.each(['America/New_York', 'Asia/Kolkata'])(
    'a time of Shlink that names no zone is in UTC, on a machine in %s too',
    (zone) => {
      vi.stubEnv('TZ', zone)
      expect(new Date('2026-01-01T10:00:00').toISOString()).not.toBe('2026-01-01T10:00:00.000Z')
      const dates = [
        ['2026-01-01T10:00:00', '2026-01-01T10:00:00.000Z'],
        ['2026-01-01 10:00', '2026-01-01T10:00:00.000Z'],
        ['2026-01-01T10:00:00+02:00', '2026-01-01T08:00:00.000Z'],
        ['2026-01-01', '2026-01-01T00:00:00.000Z'],
        ['soon', 'soon'],
      ] as const
      const conditions = dates.map(([matchValue]) => ({ type: 'after-date', matchKey: null, matchValue }))
      const [rule] = ourRules({ redirectRules: [{ longUrl: 'https://example.com/', conditions }] })
      expect(rule?.when).toEqual(dates.map(([, from]) => ({ of: 'date', from })))
      expect(dates.map(([text]) => timeIn(text))).toEqual(dates.map(([, time]) => time))
    },
  )

  it('no text of a link ends a script or an element of XML', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (title) => {
        const output = { title, message: title, simple: '' }
        const script = await outputIn('jsonp', 'f', output).text()
        expect(script).not.toMatch(/[<\u2028\u2029]/)
        expect(JSON.parse(script.slice('/**/f('.length, -1))).toMatchObject({ title })
        const xml = await outputIn('xml', undefined, output).text()
        expect(xml.replace(/<\/?(result|title|message)>|<\?xml [^>]*\?>/g, '')).not.toMatch(/[<>]/)
      }),
    )
  })
})

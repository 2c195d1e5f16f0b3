import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, eventually, ownServers, query, request, type Servers } from './harness'

let servers: Servers
let app: App

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    COUNTRY_HEADER: 'cf-ipcountry',
  })
})

afterAll(async () => {
  expect(app?.log).not.toMatch(/"level":(50|60)|unhandled/i)
  expect(await app?.stop()).toBe(0)
  await servers?.stop()
})

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const DEFAULT = 'https://example.com/default'

/** Where a request is led. */
async function led(path: string, headers: Record<string, string> = {}): Promise<string | undefined> {
  const answer = await app.get(path, { 'user-agent': WINDOWS, ...headers })
  expect(answer.status).toBe(302)
  return answer.headers.location as string | undefined
}
/** Rules with so many conditions of so many values each. */
const manyRules = (count: number, conditions: number, values = 1) =>
  Array.from({ length: count }, (_, i) => ({
    when: Array.from({ length: conditions }, (_, j) => ({
      of: 'city',
      not: true,
      in: Array.from({ length: values }, (_, k) => `${i} ${j} ${k}`),
    })),
    url: DEFAULT,
  }))
const RANGES = { of: 'address', in: Array(150).fill('10.0.0.0/8') }
const routed = (routing: object, given: object = {}) => app.create({ url: DEFAULT, routing, ...given })
const rule = (when: object, url: string) => ({ when: [when], url })
const [A, B] = ['https://example.com/a', 'https://example.com/b'] as const
const HALVES = [
  { url: A, weight: 50 },
  { url: B, weight: 50 },
]

describe('a link with rules', () => {
  test('leads by device, language, country, query and address, first match first, at the first visit and from memory', async () => {
    const { code } = await routed({
      rules: [
        rule({ of: 'os', in: ['ios'] }, 'https://example.com/ios'),
        rule({ of: 'language', in: ['de'] }, 'https://example.com/de'),
        rule({ of: 'country', in: ['FR'] }, 'https://example.com/fr'),
        rule({ of: 'query', name: 'ref', in: ['a b'] }, 'https://example.com/ref'),
        rule({ of: 'address', in: ['203.0.113.0/24'] }, 'https://example.com/net'),
        rule({ of: 'referrer', in: ['example.org'] }, 'https://example.com/from'),
      ],
    })
    for (const _ of [1, 2]) {
      expect(await led(`/${code}`, { 'user-agent': IPHONE, 'accept-language': 'de' })).toBe('https://example.com/ios')
      expect(await led(`/${code}`, { 'accept-language': 'de-AT,en;q=0.5' })).toBe('https://example.com/de')
      expect(await led(`/${code}`, { 'cf-ipcountry': 'FR' })).toBe('https://example.com/fr')
      expect(await led(`/${code}?ref=a+b`)).toBe('https://example.com/ref')
      expect(await led(`/${code}`, { 'x-forwarded-for': '203.0.113.77' })).toBe('https://example.com/net')
      expect(await led(`/${code}`, { referer: 'https://shop.example.org/x' })).toBe('https://example.com/from')
      expect(await led(`/${code}`)).toBe(DEFAULT)
    }
    expect(await app.answered('redirect', 'memory')).toBeGreaterThan(6)
    const head = await app.call('HEAD', `/${code}`, undefined, { 'user-agent': IPHONE })
    expect([head.status, head.headers.location, head.headers['cache-control']]).toEqual([
      302,
      'https://example.com/ios',
      'private, no-store',
    ])
    await eventually(
      async () =>
        (await query<{ clicks: bigint }>(servers.databaseUrl, 'SELECT clicks FROM Link WHERE code = ?', [code]))[0]?.clicks,
      (clicks) => Number(clicks) === 14,
    )
  })

  test('is changed, shown, and seen by every request at once', async () => {
    const link = await routed({ rules: [rule({ of: 'os', in: ['Windows'] }, 'https://example.com/one')] })
    expect(await led(`/${link.code}`)).toBe('https://example.com/one')
    const routing = { rules: [rule({ of: 'os', in: ['Windows'] }, 'https://example.com/two')], query: 'forward' }
    const changed = await app.manage('PATCH', link, { routing })
    expect([changed.status, JSON.parse(changed.body).routing]).toEqual([200, routing])
    await eventually(
      () => led(`/${link.code}`),
      (location) => location === 'https://example.com/two',
      2_000,
    )
    const preview = await app.get(`/${link.code}+`, { accept: 'text/html' })
    expect(preview.body).toContain('<strong>example.com</strong>/two')
    const text = (await app.get(`/${link.code}+`, { accept: 'text/plain' })).body
    expect(text.split('\n\n')[0]).toBe(`${DEFAULT}\nhttps://example.com/two`)
    expect(text).toContain(`- ${DEFAULT}, https://example.com/one (until `)
    expect((await app.manage('PATCH', link, { routing: null })).status).toBe(200)
    await eventually(
      () => led(`/${link.code}`),
      (location) => location === DEFAULT,
      2_000,
    )
  })

  test('asks for its password, keeps to its click limit and to its time, before a rule is asked', async () => {
    const routing = { rules: [rule({ of: 'device', in: ['desktop'] }, 'https://example.com/desk')] }
    const locked = await routed(routing, { password: 'sesame' })
    expect((await app.get(`/${locked.code}`, { 'user-agent': WINDOWS })).status).toBe(200)
    const once = await routed(routing, { maxClicks: 1 })
    expect(await led(`/${once.code}`)).toBe('https://example.com/desk')
    expect((await app.get(`/${once.code}`, { 'user-agent': WINDOWS })).status).toBe(410)
    const over = await app.create({ url: DEFAULT, routing, expiredUrl: 'https://example.com/over' })
    await app.manage('PATCH', over, { expiresAt: '2001-01-01T00:00:00Z' })
    await eventually(
      () => led(`/${over.code}`),
      (location) => location === 'https://example.com/over',
      2_000,
    )
  })

  test('that is split gives a visitor the same all day, and each of its destinations its share', async () => {
    const variants = [
      { url: 'https://example.com/a', weight: 70 },
      { url: 'https://example.com/b', weight: 30 },
    ]
    const { code } = await routed({ split: { variants } })
    const seen = new Map<string, number>()
    for (let i = 0; i < 200; i++) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` }
      const first = (await led(`/${code}`, headers)) ?? ''
      expect(await led(`/${code}`, headers)).toBe(first)
      seen.set(first, (seen.get(first) ?? 0) + 1)
    }
    expect([...seen.keys()].sort()).toEqual(variants.map(({ url }) => url))
    // Five standard deviations around 140 of 200.
    expect(Math.abs((seen.get('https://example.com/a') ?? 0) - 140)).toBeLessThan(33)
  })
})

describe('a query that is passed on', () => {
  test.each([
    ['forward', '?a=1', '?x=2', '?a=1&x=2'],
    ['forward', '?a=1', '?a=2&b=', '?a=1&b='],
    ['override', '?a=1&c=3', '?a=2', '?c=3&a=2'],
    ['forward', '#part', '?q=%2B+%C3%A4&q=&q', '?q=%2B+%C3%A4&q=&q#part'],
    ['forward', '', '', ''],
  ])('%s: %s and %s make %s', async (mode, own, sent, expected) => {
    const { code } = await app.create({ url: `https://example.com/p${own}`, routing: { query: mode } })
    for (const _ of [1, 2]) expect(await led(`/${code}${sent}`)).toBe(`https://example.com/p${expected}`)
  })
})

describe('a path behind the code', () => {
  const ROUTING = { path: 'append' }

  test.each([
    ['/p', '/x', '/p/x'],
    ['/p/', '/x/y/', '/p/x/y/'],
    ['/p?a=1#part', '/x.html?b=2', '/p/x.html?a=1#part'],
    ['/p', '/%2e%78%2Fx/caf%C3%A9/a+b/c%2B', '/p/%2e%78%2Fx/caf%C3%A9/a+b/c%2B'],
    ['/p', '/%ff%', '/p/%ff%'],
    ['/p', '//evil.example', '/p//evil.example'],
    ['/p', '/\\evil.example', '/p/%5Cevil.example'],
  ])('is added to %s: %s makes %s', async (own, extra, expected) => {
    const { code } = await app.create({ url: `https://example.com${own}`, routing: ROUTING })
    for (const _ of [1, 2]) expect(await led(`/${code}${extra}`)).toBe(`https://example.com${expected}`)
  })

  test('is added behind a rule, before the query that is passed on, or left out', async () => {
    const rules = [rule({ of: 'os', in: ['Windows'] }, 'https://example.com/two?a=1')]
    const both = await app.create({ url: DEFAULT, routing: { rules, query: 'forward', ...ROUTING } })
    expect(await led(`/${both.code}/x?b=2`, { 'User-Agent': WINDOWS })).toBe('https://example.com/two/x?a=1&b=2')
    const ignored = await app.create({ url: DEFAULT, routing: { path: 'ignore' } })
    expect(await led(`/${ignored.code}/x/y`)).toBe(DEFAULT)
  })

  test('leads nowhere upwards, from links that don’t take one, or behind more than 4 segments', async () => {
    const taking = await app.create({ url: 'https://example.com/p/', routing: ROUTING })
    for (const extra of ['/..', '/../x', '/x/%2E%2e/y', '/./x', '/%2e%2e%2Fx', `/${'x'.repeat(2_048)}`]) {
      expect((await app.get(`/${taking.code}${extra}`)).status, extra).toBe(404)
    }
    const plain = await app.create({ url: DEFAULT })
    expect((await app.get(`/${plain.code}/x`)).status).toBe(404)
    const deep = await app.create({ url: DEFAULT, code: 'a-1/b/c/d/e', routing: ROUTING })
    expect((await app.get(`/${deep.code}/x`)).status).toBe(404)
    expect(await led(`/${deep.code}`)).toBe(DEFAULT)
  })

  test('is one of its own where a link has it as its code, and of the nearest link above else', async () => {
    // From below: of links that already take these paths, only who manages them may take one.
    const own = await app.create({ url: 'https://example.com/own', code: 'above/low/own' })
    await app.create({ url: 'https://example.com/low', code: 'above/low', routing: ROUTING })
    await app.create({ url: 'https://example.com/top', code: 'above', routing: ROUTING })
    expect((await app.api('POST', '/links', { url: DEFAULT, code: 'above/other' })).status).toBe(409)
    expect(await led('/above/x')).toBe('https://example.com/top/x')
    expect(await led('/above/low/x')).toBe('https://example.com/low/x')
    expect(await led('/above/low/own')).toBe('https://example.com/own')
    // One that doesn't take paths hides none that does.
    expect(await led('/above/low/own/x')).toBe('https://example.com/low/own/x')
    await app.manage('DELETE', own)
    expect((await app.get('/above/low/own')).status).toBe(410)
  })

  test('counts as a click on its link, and asks for its password', async () => {
    const made = await app.create({ url: 'https://example.com/p', password: 'open', routing: ROUTING })
    expect((await app.get(`/${made.code}/x`)).status).toBe(200)
    const opened = await request(app.port, `/${made.code}/x`, {
      method: 'POST',
      headers: { 'user-agent': WINDOWS },
      body: 'password=open',
    })
    expect([opened.status, opened.headers.location]).toEqual([303, 'https://example.com/p/x'])
    await app.manage('PATCH', made, { password: null, maxClicks: 2 })
    const read = async () => JSON.parse((await app.manage('GET', made)).body).clicks
    expect(await led(`/${made.code}/y`)).toBe('https://example.com/p/y')
    await eventually(read, (clicks) => clicks === 2)
  })

  test('is said on the preview', async () => {
    const { code } = await app.create({ url: DEFAULT, routing: ROUTING })
    // Below it too: who checks a link must not be led by it.
    for (const path of ['+', '/x+', '/x/y++', '/+']) {
      const { status, body } = await app.get(`/${code}${path}`, { accept: 'text/html' })
      expect(status, path).toBe(200)
      expect(body, path).toContain('What stands behind the link is added to the destination.')
    }
  })
})

describe('what is wrong with rules is said at its place, and nothing is stored:', () => {
  const os = { of: 'os', in: ['iOS'] }
  test.each<[object, string]>([
    [{ rules: [rule({ of: 'os', in: [] }, DEFAULT)] }, 'routing.rules.0.when.0.in'],
    [{ rules: [rule(os, 'javascript:alert(1)')] }, 'routing.rules.0.url'],
    [{ rules: [rule(os, DEFAULT), rule(os, 'https://example.com/never')] }, 'routing.rules.1'],
    [{ rules: [{ when: [os, { of: 'os', in: ['Android'] }], url: DEFAULT }] }, 'routing.rules.0.when.1'],
    [{ rules: [rule({ of: 'date', to: '2001-01-01T00:00:00Z' }, DEFAULT)] }, 'routing.rules.0.when.0'],
    [{ rules: [rule({ of: 'time', zone: 'Mars/Base' }, DEFAULT)] }, 'routing.rules.0.when.0.zone'],
    [{ rules: [rule({ of: 'address', in: ['300.1.1.1'] }, DEFAULT)] }, 'routing.rules.0.when.0.in.0'],
    [
      {
        split: {
          variants: [
            { url: DEFAULT, weight: 50 },
            { url: DEFAULT, weight: 40 },
          ],
        },
      },
      'routing.split',
    ],
    [{ split: { variants: [{ url: DEFAULT, weight: 50 }] } }, 'routing.split.variants'],
    [{ split: { variants: HALVES, winner: 'https://example.com/other' } }, 'routing.split.winner'],
    [{ split: { variants: HALVES, endsAt: '2001-01-01T00:00:00Z' } }, 'routing.split.endsAt'],
    [{ split: { variants: HALVES, endsAt: '9999-12-31T23:59:59-12:00' } }, 'routing.split.endsAt'],
    [{ split: { variants: HALVES, endsAt: 'soon' } }, 'routing.split.endsAt'],
    [{ rules: manyRules(11, 10) }, 'routing.rules'],
    [{ rules: [...manyRules(10, 10, 20), rule({ of: 'city', in: ['x'] }, DEFAULT)] }, 'routing.rules'],
    [{ rules: manyRules(9, 10, 23) }, 'routing.rules'],
    [{ rules: [rule({ of: 'address', in: Array(151).fill('::1') }, DEFAULT), rule(RANGES, A)] }, 'routing.rules'],
    [{ rules: [1, null, { when: 2 }, ...manyRules(9, 10, 23)] }, 'routing.rules'],
    [{}, 'routing'],
    [{ unknown: 1 }, 'routing.unknown'],
  ])('%j', async (routing, path) => {
    const count = async () => Number((await query<{ n: bigint }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Link'))[0]?.n)
    const before = await count()
    const answer = await app.api('POST', '/links', { url: DEFAULT, routing })
    expect(answer.status).toBe(422)
    expect(JSON.parse(answer.body).errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(await count()).toBe(before)
  })

  test('a rule, or a part of a split, that leads back to this service', async () => {
    const own = `http://localhost:${app.port}/x`
    for (const [routing, path] of [
      [{ rules: [rule({ of: 'os', in: ['iOS'] }, own)] }, 'routing.rules.0.url'],
      [
        {
          split: {
            variants: [
              { url: DEFAULT, weight: 50 },
              { url: own, weight: 50 },
            ],
          },
        },
        'routing.split.variants.1.url',
      ],
    ] as const) {
      const answer = await app.api('POST', '/links', { url: DEFAULT, routing })
      expect([answer.status, JSON.parse(answer.body).errors?.[0].path]).toEqual([422, path])
    }
  })
})

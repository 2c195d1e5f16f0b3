import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isTerseError } from '@/lib/errors'
import { inEnglish } from '@/lib/i18n/translate'
import { parseRanges } from '@/lib/net/address'
import { Outbound } from '@/lib/net/outbound'
import { OldService } from '@/lib/testing/old-service'
import { verifyPassword } from '@/lib/tools/password'
import { MOVERS } from './kinds'
import { asker, type Cursor, fileAsker } from './live'
import type { MovedFrom } from './sources'

const outbound = new Outbound(parseRanges(['127.0.0.1']))

/** All that a system lists, faults in words. */
async function readAll(from: MovedFrom, old: OldService, key = 'a key', path = '/') {
  const { live } = MOVERS[from]
  if (!live) throw new Error(`${from} has no API`)
  const ask = asker(outbound, new URL(old.address), key)
  const rows: Record<string, unknown>[] = []
  for (let next: Cursor | null = live.begin; next !== null; ) {
    const page = await live.page(ask, next, fileAsker(outbound, new URL(old.address + path)))
    rows.push(
      ...page.rows.map(({ fault, note, ...row }) => ({
        ...row,
        ...(fault && { fault: inEnglish(fault) }),
        ...(note && { note: inEnglish(note) }),
      })),
    )
    next = page.next
  }
  return rows
}

describe('the API', () => {
  it('of Kutt gives an admin everyone’s links, and anyone else their own, and tells nobody more of a password than that there is one', async () => {
    const old = await OldService.open()
    const link = (n: number, more = {}) => ({
      ...{ id: `u-${n}`, address: `k${n}`, target: `https://example.com/${n}`, description: null, banned: false },
      ...{ visit_count: n, expire_in: null, created_at: '2026-01-02T03:04:05.000Z', domain: null, password: false, ...more },
    })
    let isAdmin = true
    old.answer = ({ path, query, headers }) => {
      if (headers['x-api-key'] !== 'a key') return { status: 401, json: { error: 'Unauthorized' } }
      const skip = Number(query.get('skip'))
      const data = Array.from({ length: 70 }, (_, n) => link(n, n === 1 ? { password: true } : {}))
      if (path === '/api/v2/links/admin' && !isAdmin) return { status: 401, json: { error: 'Unauthorized' } }
      return { json: { total: 70, limit: 50, skip, data: data.slice(skip, skip + Number(query.get('limit'))) } }
    }
    const all = await readAll('kutt', old)
    expect(all).toHaveLength(70)
    expect(all.slice(0, 2)).toMatchObject([
      { code: 'k0', url: 'https://example.com/0' },
      { code: 'k1', fault: expect.stringContaining('A dump of the database may have it') },
    ])
    isAdmin = false
    const own = await readAll('kutt', old)
    expect(own).toHaveLength(70)
    expect(own[1]).toMatchObject({ code: 'k1', fault: expect.stringContaining('has a password') })
    await expect(readAll('kutt', old, 'wrong')).rejects.toThrow('refuses the key')
  })

  it('of Shlink gives tags, times, visits and their limit, whether queries are forwarded, and redirect rules', async () => {
    const old = await OldService.open()
    const link = {
      ...{
        shortCode: 'a/b',
        longUrl: 'https://example.com/',
        domain: 's.test',
        title: 'A',
        tags: ['one', 'two'],
        forwardQuery: true,
      },
      ...{ dateCreated: '2026-01-02T03:04:05+01:00', visitsSummary: { total: 7, nonBots: 7, bots: 0 } },
    }
    const meta = (maxVisits: number) => ({ validSince: '2026-02-01T00:00:00+00:00', validUntil: null, maxVisits })
    const rules = [
      { longUrl: 'https://ios.example/', priority: 1, conditions: [{ type: 'device', matchKey: null, matchValue: 'ios' }] },
      { longUrl: 'https://uk.example/', priority: 2, conditions: [{ type: 'language', matchKey: null, matchValue: 'en-GB' }] },
    ]
    old.answer = ({ path, query, headers }) => {
      expect(headers['x-api-key']).toBe('a key')
      if (path.endsWith('/redirect-rules')) {
        expect([path, query.get('domain')]).toEqual(['/rest/v3/short-urls/a%2Fb/redirect-rules', 's.test'])
        return { json: { defaultLongUrl: 'https://example.com/', redirectRules: rules } }
      }
      expect(path).toBe('/rest/v3/short-urls')
      const page = Number(query.get('page'))
      const ruled = { ...link, meta: meta(10), hasRedirectRules: true, crawlable: true }
      const data = [page === 1 ? ruled : { ...link, shortCode: 'used', meta: meta(5) }]
      return { json: { shortUrls: { data, pagination: { currentPage: page, pagesCount: 2, totalItems: 2 } } } }
    }
    expect(await readAll('shlink', old)).toMatchObject([
      {
        ...{ code: 'a/b', domain: 's.test', tags: 'one, two', startsAt: '2026-02-01T00:00:00+00:00' },
        // Of all visits, before and after: what is left of them is counted where the link is created.
        ...{ maxClicks: '10', clicksBefore: '7' },
        routing: JSON.stringify({
          rules: [{ url: 'https://ios.example/', when: [{ of: 'os', in: ['iOS'] }] }],
          query: 'override',
        }),
        note: 'Doesn’t come over: language =en-GB, crawlable.',
      },
      { code: 'used', maxClicks: '5', clicksBefore: '7', routing: JSON.stringify({ query: 'override' }) },
    ])
  })

  it.each(['kutt', 'shlink'] as const)('of %s gives all links that are left where others are deleted meanwhile', async (from) => {
    const old = await OldService.open()
    let links = Array.from({ length: 350 }, (_, n) => ({
      ...{ address: `k${n}`, target: `https://example.com/${n}`, shortCode: `k${n}`, longUrl: `https://example.com/${n}` },
      ...{ created_at: '2026-01-02T03:04:05.000Z', dateCreated: '2026-01-02T03:04:05+00:00' },
    }))
    // After these requests, links are deleted of what was read, and some are created.
    const changes: Record<number, () => void> = {
      1: () => links.splice(3, 2),
      3: () => links.splice(0, 120),
      5: () => links.splice(90, 1),
      6: () => links.unshift({ ...links[0], address: 'new', shortCode: 'new' } as (typeof links)[0]),
    }
    old.answer = ({ query }) => {
      const size = Number(query.get('limit') ?? query.get('itemsPerPage'))
      const before = Number(query.get('skip') ?? (Number(query.get('page')) - 1) * size)
      const [data, total] = [links.slice(before, before + size), links.length]
      links = [...links]
      changes[old.asked.length]?.()
      const pagination = { pagesCount: Math.ceil(total / size), totalItems: total }
      return { json: { total, data, shortUrls: { data, pagination } } }
    }
    const codes = new Set((await readAll(from, old)).map(({ code }) => code))
    expect(links.map(({ address }) => address).filter((code) => code !== 'new' && !codes.has(code))).toEqual([])
    expect(old.asked.length).toBeLessThan(25)
  })

  it('of Kutt is no list of one’s own where an admin is refused in the middle of everyone’s', async () => {
    const old = await OldService.open()
    old.answer = ({ path, query }) => {
      if (path.endsWith('/admin') && query.get('skip') === '100') return { status: 403, json: {} }
      return {
        json: { total: 300, data: Array.from({ length: 50 }, (_, n) => ({ address: `k${n}`, target: 'https://e.com/' })) },
      }
    }
    await expect(readAll('kutt', old)).rejects.toThrow('refuses the key')
    expect(old.asked.every(({ path }) => path.endsWith('/admin'))).toBe(true)
  })

  it('of Dub gives tags, folders, phones and countries, tests, cards and passwords, page after page by the last link', async () => {
    const old = await OldService.open()
    const links = Array.from({ length: 130 }, (_, n) => ({
      ...{ id: `link_${n}`, domain: 'go.example.com', key: `d${n}`, url: `https://example.com/${n}`, title: null, comments: 'c' },
      ...{ archived: n === 0, expiresAt: null, expiredUrl: null, disabledAt: n === 1 ? '2026-01-01T00:00:00.000Z' : null },
      ...{ password: n === 2 ? 'secret' : null, ios: n === 0 ? 'https://ios.example/' : null, android: null, geo: null },
      ...{ tags: [{ id: 't', name: 'one', color: 'red' }], clicks: n, createdAt: '2026-01-02T03:04:05.000Z' },
      ...{ folderId: n === 3 ? 'fold_1' : n === 4 ? 'fold_gone' : null, rewrite: n === 4, webhookIds: [] },
      ...(n === 5 && { proxy: true, title: 'A card', description: 'of ours', image: 'https://example.com/i.png' }),
      ...(n === 6 && { proxy: true, title: null }),
      ...([7, 8].includes(n) && {
        testVariants: [
          { url: 'https://example.com/a', percentage: 60 },
          { url: 'https://example.com/b', percentage: 40 },
        ],
        testCompletedAt: n === 7 ? '2999-01-01T00:00:00.000Z' : '2026-01-03T00:00:00.000Z',
      }),
    }))
    old.answer = ({ path, query, headers }) => {
      expect(headers.authorization).toBe('Bearer a key')
      if (path === '/folders') return { json: [{ id: 'fold_1', name: 'Spring' }] }
      const after = links.findIndex(({ id }) => id === query.get('startingAfter'))
      return { json: links.slice(after + 1, after + 1 + Number(query.get('pageSize'))) }
    }
    const rows = await readAll('dub', old)
    expect(rows).toHaveLength(130)
    expect(old.asked.map(({ path }) => path)).toEqual(['/links', '/folders', '/links'])
    expect(rows[0]).toMatchObject({ code: 'd0', domain: 'go.example.com', tags: 'one', archived: 'true', comment: 'c' })
    expect(JSON.parse(String(rows[0]?.routing)).rules).toEqual([
      { when: [{ of: 'os', in: ['iOS'] }], url: 'https://ios.example/' },
    ])
    expect(rows[1]).toMatchObject({ enabled: 'false' })
    expect(await verifyPassword(String(rows[2]?.passwordHash), 'secret')).toBe(true)
    expect(rows[3]).toMatchObject({ folder: 'Spring' })
    expect(rows[4]).toMatchObject({ note: 'Doesn’t come over: rewrite, folderId.' })
    expect(JSON.parse(String(rows[5]?.preview))).toEqual({
      ...{ source: 'custom', title: 'A card', description: 'of ours', image: 'https://example.com/i.png' },
    })
    expect(JSON.parse(String(rows[6]?.preview))).toEqual({ source: 'destination' })
    expect(JSON.parse(String(rows[7]?.routing)).split).toEqual({
      variants: [
        { url: 'https://example.com/a', weight: 60 },
        { url: 'https://example.com/b', weight: 40 },
      ],
      endsAt: '2999-01-01T00:00:00.000Z',
    })
    expect(JSON.parse(String(rows[8]?.routing))).toEqual({ query: 'override' })
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  it('of Bitly gives the links of all groups by each of their names, and sends its token nowhere else', async () => {
    const old = await OldService.open()
    const link = (n: number, custom: string[] = []) => ({
      ...{
        link: `https://bit.ly/b${n}`,
        id: `bit.ly/b${n}`,
        custom_bitlinks: custom,
        long_url: `https://example.com/${n}`,
        title: 'T',
      },
      ...{ created_at: '2026-01-02T03:04:05+0000', archived: false, tags: ['one'] },
    })
    let next = `${old.address}/v4/groups/g1/bitlinks?size=100&search_after=x`
    old.answer = ({ path, query, headers }) => {
      expect(headers.authorization).toBe('Bearer a key')
      if (path === '/v4/groups') return { json: { groups: [{ guid: 'g1' }, { guid: 'g2' }] } }
      if (path.includes('g2')) return { json: { links: [link(3)], pagination: { next: '' } } }
      if (query.has('search_after')) return { json: { links: [link(2)], pagination: { next: '' } } }
      return { json: { links: [link(1, ['https://go.example.com/one'])], pagination: { next } } }
    }
    const rows = await readAll('bitly', old)
    expect(rows.map(({ domain, code }) => `${domain}/${code}`)).toEqual([
      ...['bit.ly/b1', 'go.example.com/one', 'bit.ly/b2', 'bit.ly/b3'],
    ])
    const other = await OldService.open()
    next = `${other.address}/v4/stolen`
    await expect(readAll('bitly', old)).rejects.toThrow('isn’t from such a service')
    expect(other.asked).toEqual([])
  })

  it('of a sitemap is its address: the pages of one, or of all that an index names, also packed, of this host alone', async () => {
    const old = await OldService.open()
    const pages = (...names: string[]) =>
      `<urlset>${names.map((name) => `<url><loc>https://example.com/${name}</loc></url>`).join('')}</urlset>`
    let third = `${old.address}/three.xml`
    old.answer = ({ path, query }) => {
      const index = ['one.xml.gz', 'two.xml?part=2'].map((name) => `${old.address}/${name}`).concat(third)
      const files: Record<string, string | Buffer> = {
        '/sitemap.xml': query.get('a') === '1' ? pages('plain') : '',
        '/index.xml': `<?xml version="1.0"?><sitemapindex>${index.map((loc) => `<sitemap><loc>${loc.replace('&', '&amp;')}</loc></sitemap>`)}</sitemapindex>`,
        '/one.xml.gz': gzipSync(pages('a', 'b')),
        '/two.xml': query.get('part') === '2' ? pages('c') : '',
        '/three.xml': pages(),
      }
      const body = files[path]
      return body === undefined ? { status: 404 } : { body }
    }
    const urls = async (path: string) => (await readAll('sitemap', old, '', path)).map(({ url }) => url)
    expect(await urls('/sitemap.xml?a=1')).toEqual(['https://example.com/plain'])
    expect(await urls('/index.xml')).toEqual(['a', 'b', 'c'].map((name) => `https://example.com/${name}`))
    expect(old.asked.every(({ headers }) => !headers.authorization && !headers['x-api-key'])).toBe(true)
    const other = await OldService.open()
    third = `${other.address}/three.xml`
    await expect(urls('/index.xml')).rejects.toThrow('from such a service')
    expect(other.asked).toEqual([])
    third = `${old.address}/index.xml`
    await expect(urls('/index.xml')).rejects.toThrow('This is an index of sitemaps')
  })

  it('that is away for now is asked later, as long as it says', async () => {
    const old = await OldService.open()
    const refused = async () => {
      const error = await readAll('shlink', old).catch((error: unknown) => error)
      return isTerseError(error) ? [error.code, error.retryAfter] : error
    }
    old.answer = () => ({ status: 429, headers: { 'Retry-After': '17' } })
    expect(await refused()).toEqual(['rate_limited', 17])
    for (const [wait, seconds] of Object.entries({
      '-1': 1,
      '0.2': 1,
      '0': 5,
      '3600': 60,
      '1e999': 60,
      'Wed, 21 Oct 2026 07:28:00 GMT': 5,
    })) {
      old.answer = () => ({ status: 503, headers: { 'Retry-After': wait } })
      expect(await refused(), wait).toEqual(['rate_limited', seconds])
    }
    old.answer = () => ({ status: 502 })
    expect(await refused()).toEqual(['rate_limited', 5])
    old.answer = () => ({ status: 0 })
    expect(await refused()).toEqual(['rate_limited', 5])
    old.answer = () => ({ json: { hello: 'world' } })
    expect(await refused()).toEqual(['bad_request', undefined])
  })
})

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { isSpokenCode } from '@/lib/codes/reserved'
import type { Link } from '@/lib/db/generated/client'
import { createIdSource } from '@/lib/db/id'
import { isTerseError } from '@/lib/errors'
import { CUT, SearchIndexer } from '@/lib/search/indexer'
import { holds, termsOf } from '@/lib/search/text'
import { testDatabase } from '@/lib/testing/database'
import { deletedRow, freshCode, HOST, linkRow, SILENT } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { sha256 } from '@/lib/tools/hash'
import { countLinks } from './count'
import type { LinkScope } from './filter'
import { insertLinks } from './insert'
import { listLinks, listWithin } from './list'
import type { Permitted } from './permit'
import { ListLinks } from './schemas'
import { LINK_KINDS, LINK_SORTS } from './values'
import { stateOf } from './view'
import type { Reach } from './window'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })

const NOW = Date.UTC(2027, 5, 1)
const DAY = 86_400_000
const WORDS = [
  'spring',
  'Sale',
  'café',
  'naïve',
  'été',
  'straße',
  'über',
  'x',
  'go',
  'report',
  'reporting',
  'the',
  '日本語',
  'a_b',
]

const TOKENS = [sha256('one'), sha256('two'), null]

/** By the id of their domain; `HOST` is that of the first. */
const HOSTS = [HOST, 'second.test']

/** Links of two accounts and of none, made over a hundred days, of every state. */
function manyLinks(): Permitted<Link>[] {
  const random = (n: number) => Math.floor(Math.random() * n)
  return Array.from({ length: 400 }, (_, i) => {
    const createdAt = new Date(NOW - 100 * DAY + Math.floor((i * 100 * DAY) / 400))
    const id = createIdSource(() => createdAt.getTime(), random(1024))()
    const code = random(4) === 0 ? String(1_000 + i) : freshCode()
    const domain = random(HOSTS.length)
    return linkRow({
      id,
      code,
      domainId: domain + 1,
      fullShortUrl: `${HOSTS[domain]}/${code}`,
      createdAt,
      ownerId: ['alice', 'alice', 'alice', 'bob', null][random(5)] ?? null,
      manageTokenHash: TOKENS[random(TOKENS.length)] ?? null,
      title: `${WORDS[random(WORDS.length)]} ${WORDS[random(WORDS.length)]}`,
      url: `https://${WORDS[random(3)]?.normalize('NFKD').replace(/\W/g, '')}.example.com/${i}`,
      clicks: BigInt(random(3) === 0 ? random(50) : 0),
      state: ['active', 'active', 'active', 'disabled', 'banned'][random(5)] ?? 'active',
      startsAt: random(6) === 0 ? new Date(NOW + (random(2) - 0.5) * DAY) : null,
      expiresAt: random(6) === 0 ? new Date(NOW + (random(2) - 0.5) * DAY) : null,
      maxClicks: random(6) === 0 ? 5 : null,
      taken: random(10),
    })
  })
}

const links = manyLinks()
const deleted = links.slice(0, 60).map((link, i) => deletedRow(link, new Date(NOW - i * 1000)))
const alive = links.slice(60)

/** Puts links into the search index in small blocks: half of them, so that some are in it and some are not. */
beforeAll(async () => {
  ctx.searchIndexer.close()
  const indexer = new SearchIndexer(ctx.db, ctx.redis, SILENT, { ...CUT, least: 1, most: 40, settle: 0 })
  await insertLinks(ctx.db.client, alive.slice(0, 200))
  for (let step = 0; step < 5; step++) await indexer.step()
  await insertLinks(ctx.db.client, alive.slice(200))
  await ctx.db.client.deletedLink.createMany({ data: deleted })
})

const kindHere = ({ code, domainId }: Link) =>
  isSpokenCode(code) && ctx.domains.spoken.some(({ id }) => id === domainId) ? 'spoken' : 'short'

/** What the list should hold, worked out the plain way. */
function expected(scope: LinkScope, query: ListLinks): bigint[] {
  const terms = termsOf(query.q ?? '')
  const fits = (link: Link) =>
    (scope.ownerId === undefined || link.ownerId === scope.ownerId) &&
    (scope.domainId === undefined || link.domainId === scope.domainId) &&
    (!scope.manageTokenHash || (link.manageTokenHash && Buffer.compare(link.manageTokenHash, scope.manageTokenHash) === 0)) &&
    (query.state === undefined || query.state === 'deleted' || stateOf(link, new Date(NOW)) === query.state) &&
    (query.kind === undefined || kindHere(link) === query.kind) &&
    (query.from === undefined || link.createdAt >= new Date(query.from)) &&
    (query.to === undefined || link.createdAt < new Date(query.to)) &&
    (query.minClicks === undefined || link.clicks >= query.minClicks) &&
    (query.maxClicks === undefined || link.clicks <= query.maxClicks) &&
    (query.q === undefined || (terms.length > 0 && holds(link, terms)))
  if (query.state === 'deleted') {
    const found = links.slice(0, 60).filter(fits)
    return (query.sort === 'oldest' ? found.reverse() : found).map(({ id }) => id)
  }
  const compare = (a: Link, b: Link) =>
    query.sort === 'clicks' && a.clicks !== b.clicks ? Number(b.clicks - a.clicks) : a.id < b.id ? 1 : -1
  const found = alive.filter(fits).sort(compare)
  return (query.sort === 'oldest' ? found.reverse() : found).map(({ id }) => id)
}

/** All pages of a list, one after another. */
async function allPages(scope: LinkScope, query: ListLinks, reach?: Reach): Promise<bigint[]> {
  const ids: bigint[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < 1_000; pages++) {
    const page = await listWithin(ctx, scope, { ...query, ...(cursor === null ? {} : { cursor }) }, NOW, reach)
    expect(page.links.length).toBeLessThanOrEqual(query.limit)
    ids.push(...page.links.map(({ id }) => id))
    cursor = page.nextCursor
    if (cursor === null) return ids
  }
  throw new Error('the list does not end')
}

const queries = fc.record(
  {
    limit: fc.integer({ min: 1, max: 100 }),
    sort: fc.constantFrom(...LINK_SORTS),
    state: fc.constantFrom('active', 'scheduled', 'expired', 'disabled', 'banned', 'deleted'),
    kind: fc.constantFrom(...LINK_KINDS),
    q: fc.constantFrom(
      'spring',
      'SALE',
      'cafe',
      'CAFÉ',
      'naive',
      'ete',
      'uber',
      'repo',
      'the',
      'go',
      'x',
      'sale exam',
      'https spring',
      'the report',
      'com x spring sale',
      '日本',
      'a_b',
      'nothing',
      'ring',
      'orti',
      'traße',
      'STRASSE',
      'e.c',
      '://',
      'ple.com/1',
      '本語 exam',
      '本',
      'a_b e',
      'a%b',
    ),
    from: fc.integer({ min: 0, max: 100 }).map((day) => new Date(NOW - day * DAY).toISOString()),
    to: fc.integer({ min: 0, max: 100 }).map((day) => new Date(NOW - day * DAY).toISOString()),
    minClicks: fc.integer({ min: 0, max: 10 }),
    maxClicks: fc.integer({ min: 0, max: 30 }),
  },
  { requiredKeys: ['limit', 'sort'] },
)

/** Every way in which links are told apart by whose they are, and where. */
const scopes = fc.record<LinkScope>(
  {
    ownerId: fc.constantFrom('alice', 'bob', null),
    domainId: fc.constantFrom(1, 2),
    manageTokenHash: fc.constantFrom(sha256('one'), sha256('two')),
  },
  { requiredKeys: [] },
)

/** As it is, or so short that a few hundred links take many windows, and the search index is asked. */
const reaches = fc.constantFrom<Reach | undefined>(
  undefined,
  { time: 0, timeWithTerms: 0, window: 7, windowWithTerms: 5, index: 5_000 },
  { time: 0, timeWithTerms: 0, window: 1, windowWithTerms: 40, index: 5_000 },
  { time: 5, timeWithTerms: 5, window: 30, windowWithTerms: 3, index: 5_000 },
)

describe('a list of links', () => {
  it('holds what fits, all of it, once, and in order, whatever is asked for', async () => {
    await fc.assert(
      fc.asyncProperty(scopes, queries, reaches, async (scope, query, reach) => {
        const all = expected(scope, query)
        expect(await allPages(scope, query, reach)).toEqual(all)
        if (query.state === undefined || query.state === 'deleted')
          expect(await countLinks(ctx, scope, query, 10_000)).toEqual({ count: all.length, more: false })
      }),
      { numRuns: 300 },
    )
  }, 60_000)

  // Makes every statement that a list may need, so that its plan is held against a database in use (lib/db/plans.check.ts).
  it('can be asked for of anyone, anywhere, in every order, from anywhere in it', async () => {
    for (const ownerId of ['alice', null, undefined]) {
      for (const domainId of [1, undefined]) {
        for (const token of ['one', undefined]) {
          const scope: LinkScope = {
            ...(ownerId === undefined ? {} : { ownerId }),
            ...(domainId === undefined ? {} : { domainId }),
            ...(token === undefined ? {} : { manageTokenHash: sha256(token) }),
          }
          for (const sort of LINK_SORTS) {
            for (const state of ['disabled', 'deleted', undefined] as const) {
              const query = { sort, ...(state === undefined ? {} : { state }) }
              const all = await listWithin(ctx, scope, ListLinks.parse(query), NOW)
              const page = await listWithin(ctx, scope, ListLinks.parse({ ...query, limit: 1 }), NOW)
              if (page.nextCursor === null) continue
              const next = await listWithin(ctx, scope, ListLinks.parse({ ...query, limit: 1, cursor: page.nextCursor }), NOW)
              expect(next.links[0]?.id).toBe(all.links[1]?.id)
            }
          }
        }
      }
    }
  })

  it('is counted to 1,000', async () => {
    const rows = Array.from({ length: 1_001 }, (_, i) => linkRow({ ownerId: 'dora', title: i === 0 ? 'abgezählt' : 'gezählt' }))
    await insertLinks(ctx.db.client, rows)
    const count = (query: object) => countLinks(ctx, { ownerId: 'dora' }, ListLinks.parse(query), 10_000)
    for (const query of [{}, { q: 'ezähl' }, { maxClicks: 0 }]) expect(await count(query)).toEqual({ count: 1_000, more: true })
    expect(await count({ q: 'abgezählt' })).toEqual({ count: 1, more: false })
    await ctx.db.client.link.deleteMany({ where: { id: rows[0]?.id ?? 0n } })
    expect(await count({ q: 'ezähl' })).toEqual({ count: 1_000, more: false })
  })

  it('is complete and repeats nothing while others make and delete links', async () => {
    const mine = Array.from({ length: 120 }, (_, i) => linkRow({ ownerId: 'carol', clicks: BigInt(i % 7), title: 'steady' }))
    await insertLinks(ctx.db.client, mine)
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        const passing = Array.from({ length: 5 }, (_, i) => linkRow({ ownerId: 'carol', clicks: BigInt(i * 3), title: 'steady' }))
        await insertLinks(ctx.db.client, passing)
        await ctx.db.client.link.deleteMany({ where: { id: { in: passing.slice(1).map(({ id }) => id) } } })
      }
    })()
    try {
      for (const sort of LINK_SORTS) {
        for (const q of [undefined, 'steady']) {
          const ids = await allPages({ ownerId: 'carol' }, ListLinks.parse({ limit: 7, sort, ...(q && { q }) }))
          expect(new Set(ids).size).toBe(ids.length)
          expect(ids).toEqual(expect.arrayContaining(mine.map(({ id }) => id)))
        }
      }
    } finally {
      isOver = true
      await others
    }
  }, 30_000)

  it('names first the link scope code or short URL was typed, and once only', async () => {
    const link = alive.find(({ ownerId, domainId }) => ownerId === 'alice' && domainId === 1)
    if (!link) throw new Error('there is none')
    for (const q of [link.code, link.fullShortUrl, `https://${link.fullShortUrl}`]) {
      const { links: found } = await listLinks(ctx, { ownerId: 'alice' }, ListLinks.parse({ q }))
      expect(found[0]?.id).toBe(link.id)
      expect(found.filter(({ id }) => id === link.id)).toHaveLength(1)
      expect((await listLinks(ctx, { ownerId: 'bob' }, ListLinks.parse({ q }))).links.map(({ id }) => id)).not.toContain(link.id)
    }
  })

  it.each([
    '+',
    '"',
    '-spring',
    '(spring',
    'spring*',
    '@4 spring',
    '~spring',
    '%',
    '_',
    '\\',
    "' OR 1=1 --",
    '<spring>',
    '* *',
    '…',
  ])('takes %s as words, never as an operator', async (q) => {
    const query = ListLinks.parse({ q, limit: 100 })
    expect(await allPages({ ownerId: 'alice' }, query)).toEqual(expected({ ownerId: 'alice' }, query))
  })

  it('refuses cursors that are not its own', async () => {
    for (const cursor of ['x', '1;2', '-1', '1-', 'i', '99999999999999999999', '1-2-3']) {
      for (const sort of LINK_SORTS) {
        const refused = await listLinks(ctx, {}, ListLinks.parse({ cursor, sort })).then(
          () => null,
          (error: unknown) => isTerseError(error) && error.code,
        )
        expect(refused, `${sort} ${cursor}`).toBe('bad_request')
      }
    }
  })
})

/** As a client may write one: the index is asked for what follows. */
const FORGED = 'i9223372036854775806'
const SHORT: Reach = { time: 0, timeWithTerms: 0, window: 5, windowWithTerms: 5, index: 0 }

it.each([
  ['a token', { manageTokenHash: TOKENS[0] ?? undefined }, 'spring'],
  ['a token', { manageTokenHash: TOKENS[0] ?? undefined }, 'x'],
  ['an account, by a term too short for the index', { ownerId: 'alice' }, 'x'],
])('a forged cursor leads a list of %s through no index', async (_, scope, q) => {
  const ids: bigint[] = []
  let cursor: string | null = FORGED
  for (let pages = 0; cursor !== null && pages < 500; pages++) {
    const page = await listWithin(ctx, scope, ListLinks.parse({ q, limit: 3, cursor }), NOW, SHORT)
    ids.push(...page.links.map(({ id }) => id))
    cursor = page.nextCursor
    expect(cursor ?? '').not.toMatch(/^i/)
  }
  expect([cursor, ids]).toEqual([null, expected(scope, ListLinks.parse({ q }))])
})

it('sorts by clicks what the index names for as long as it may, and goes on through windows', async () => {
  const query = ListLinks.parse({ q: 'report', sort: 'clicks', limit: 1, cursor: 'i999-9223372036854775806' })
  expect((await listWithin(ctx, {}, query, NOW, SHORT)).nextCursor).toBe('w999-9223372036854775806')
})

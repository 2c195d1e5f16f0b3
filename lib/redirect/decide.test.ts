import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Routing } from '@/lib/routing/routing'
import { linkRecord } from '@/lib/testing/links'
import {
  constantRedirect,
  type Decision,
  decide,
  decideRefusal,
  isDecided,
  isUnconditional,
  type RedirectPolicy,
  type RequestFacts,
} from './decide'
import type { CachedRecord, LinkRecord } from './record'

const NOW = Date.UTC(2027, 0, 1)
const QUARANTINE = 1_000
const POLICY: RedirectPolicy = { referrerPolicy: 'no-referrer', cdnSeconds: 0, quarantine: QUARANTINE, schemes: ['mailto'] }
/** A visitor for whom the first rule holds. */
const VISITOR = {
  ...{ device: 'mobile', os: 'iOS', browser: 'Safari', language: 'de', country: 'DE', city: 'Berlin', referrer: '' },
  ...{ query: '', address: '203.0.113.9', visitor: '7' },
}
const ROUTED = Routing.of(JSON.stringify({ rules: [{ when: [{ of: 'os', in: ['iOS'] }], url: 'https://app/' }] }))
const factsOf = (given: Partial<RequestFacts> & { preview?: boolean }): RequestFacts => {
  const { preview = false, ...facts } = given
  return {
    method: 'GET',
    path: { kind: 'code', code: 'abc', preview },
    extra: '',
    notFoundUrl: null,
    userAgent: 'Mozilla/5.0',
    limit: 'left',
    visitor: VISITOR,
    ...facts,
  }
}
const PLAIN = factsOf({})
const PREVIEW = factsOf({ preview: true })
const UNLOCKED = factsOf({ method: 'POST', password: 'right' })
const FORM = factsOf({ method: 'POST' })

function decided(record: CachedRecord | null, facts: RequestFacts, policy = POLICY): Decision {
  const decision = decide(record, facts, NOW, policy)
  if (!isDecided(decision)) throw new Error(`${decision.unknown} is unknown`)
  return decision
}
const summary = (decision: Decision) => `${decision.status} ${headerOf(decision, 'Location') ?? decision.outcome}`
const headerOf = (decision: Decision, name: string) => {
  const at = decision.headers.findIndex((header, i) => i % 2 === 0 && header === name)
  return at === -1 ? undefined : decision.headers[at + 1]
}
const tombstone = (deletedAt: number): CachedRecord => ({ kind: 'tombstone', version: '1', deletedAt })

describe('a request for a link', () => {
  const fields = (given: Partial<LinkRecord>) => linkRecord({ url: 'https://to/', ...given })
  const TIMED = { expiresAt: NOW, expiredUrl: 'https://over/' }

  it.each([
    ['none', null, PLAIN, '404 not-found'],
    ['none, previewed', null, PREVIEW, '404 not-found'],
    ['just deleted', tombstone(NOW), PLAIN, '410 gone'],
    ['deleted, last moment of quarantine', tombstone(NOW - QUARANTINE + 1), PLAIN, '410 gone'],
    ['deleted, quarantine over', tombstone(NOW - QUARANTINE), PLAIN, '404 not-found'],
    ['deleted, previewed', tombstone(NOW), PREVIEW, '410 gone'],
    ['plain', fields({}), PLAIN, '302 https://to/'],
    ['plain 301', fields({ status: 301 }), PLAIN, '301 https://to/'],
    ['plain 307', fields({ status: 307 }), PLAIN, '307 https://to/'],
    ['plain 308', fields({ status: 308 }), PLAIN, '308 https://to/'],
    ['plain, previewed', fields({}), PREVIEW, '200 preview'],
    ['with a rule that holds', fields({ routing: ROUTED }), PLAIN, '302 https://app/'],
    [
      'with a rule that does not hold',
      fields({ routing: ROUTED }),
      factsOf({ visitor: { ...VISITOR, os: 'Android' } }),
      '302 https://to/',
    ],
    ['with rules, previewed', fields({ routing: ROUTED }), PREVIEW, '200 preview'],
    ['with rules, over', fields({ routing: ROUTED, ...TIMED }), PLAIN, '302 https://over/'],
    ['banned', fields({ state: 'banned' }), PLAIN, '410 banned'],
    ['banned, previewed', fields({ state: 'banned' }), PREVIEW, '410 banned'],
    ['disabled', fields({ state: 'disabled' }), PLAIN, '410 disabled'],
    ['in a state of a later release', fields({ state: 'frozen' }), PLAIN, '410 disabled'],
    ['starts in a moment', fields({ startsAt: NOW + 1 }), PLAIN, '404 inactive'],
    ['starts in a moment, previewed', fields({ startsAt: NOW + 1 }), PREVIEW, '404 inactive'],
    ['starts now', fields({ startsAt: NOW }), PLAIN, '302 https://to/'],
    ['expires in a moment', fields({ expiresAt: NOW + 1 }), PLAIN, '302 https://to/'],
    ['expires now', fields({ expiresAt: NOW }), PLAIN, '410 expired'],
    ['expired, leads elsewhere', fields(TIMED), PLAIN, '302 https://over/'],
    ['expired, leads elsewhere, permanent', fields({ ...TIMED, status: 301 }), PLAIN, '302 https://over/'],
    ['expired, previewed', fields({ expiresAt: NOW }), PREVIEW, '410 expired'],
    ['expired, leads elsewhere, previewed', fields(TIMED), PREVIEW, '200 preview'],
    ['locked, expired, leads elsewhere, previewed', fields({ ...TIMED, passwordHash: 'x' }), PREVIEW, '200 preview'],
    ['locked', fields({ passwordHash: 'x' }), PLAIN, '200 password'],
    ['locked, previewed', fields({ passwordHash: 'x' }), PREVIEW, '200 password'],
    ['unlocked', fields({ passwordHash: 'x' }), UNLOCKED, '303 https://to/'],
    ['unlocked, permanent', fields({ passwordHash: 'x', status: 308 }), UNLOCKED, '303 https://to/'],
    ['locked and expired', fields({ passwordHash: 'x', expiresAt: NOW }), UNLOCKED, '410 expired'],
    ['locked and not yet active', fields({ passwordHash: 'x', startsAt: NOW + 1 }), UNLOCKED, '404 inactive'],
    ['locked and banned', fields({ passwordHash: 'x', state: 'banned' }), UNLOCKED, '410 banned'],
    ['with a click limit', fields({ maxClicks: 1 }), PLAIN, '302 https://to/'],
    ['with a click limit, previewed', fields({ maxClicks: 1 }), PREVIEW, '200 preview'],
  ])('%s, is answered rightly', (_, record, facts, answer) => {
    expect(summary(decided(record, facts))).toBe(answer)
  })

  it('asks whether a click is left exactly when there is a limit, and it would lead there', () => {
    const asked = { ...PLAIN, limit: undefined }
    expect(decide(fields({ maxClicks: 5 }), asked, NOW, POLICY)).toMatchObject({ unknown: 'limit' })
    expect(decide(fields({}), asked, NOW, POLICY)).toMatchObject({ status: 302 })
    expect(decide(fields({ maxClicks: 5, ...TIMED }), asked, NOW, POLICY)).toMatchObject({ status: 302 })
    expect(decide(fields({ maxClicks: 5, passwordHash: 'x' }), asked, NOW, POLICY)).toMatchObject({ status: 200 })
  })

  it('whose clicks are used up is answered like an expired one', () => {
    const reached = { ...PLAIN, limit: 'reached' } as const
    expect(summary(decided(fields({ maxClicks: 5 }), reached))).toBe('410 expired')
    expect(summary(decided(fields({ maxClicks: 5, expiredUrl: 'https://over/' }), reached))).toBe('302 https://over/')
  })

  it('asks for the password of a form where the link has one, and refuses any other form', () => {
    const locked = fields({ passwordHash: 'x' })
    expect(decide(locked, FORM, NOW, POLICY)).toMatchObject({ unknown: 'password' })
    expect(decided(locked, { ...FORM, password: 'wrong' })).toMatchObject({
      status: 403,
      page: { name: 'password', wrongPassword: true },
    })
    for (const record of [null, tombstone(NOW), fields({}), fields({ ...TIMED, passwordHash: 'x' }), fields({ maxClicks: 1 })]) {
      expect(summary(decided(record, FORM))).toBe('405 method')
    }
    expect(summary(decided(fields(TIMED), UNLOCKED))).toBe('302 https://over/')
  })

  it('by another method, or for a path that cannot be read, is refused', () => {
    expect(decided(fields({}), factsOf({ method: 'DELETE' }))).toMatchObject({
      status: 405,
      page: null,
      text: 'Use GET, HEAD.\n',
    })
    expect(summary(decided(null, factsOf({ path: { kind: 'malformed' } })))).toBe('400 malformed')
    expect(summary(decided(null, factsOf({ path: { kind: 'not-found' } })))).toBe('404 not-found')
  })

  it('is a click only when it leads to the destination', () => {
    expect(decided(fields({ id: '7' }), PLAIN).clicked).toEqual({ linkId: '7', destination: '' })
    expect(decided(fields({ id: '7', routing: ROUTED }), PLAIN).clicked).toEqual({ linkId: '7', destination: 'https://app/' })
    for (const record of [null, fields(TIMED), fields({ state: 'banned' })]) expect(decided(record, PLAIN).clicked).toBeNull()
    expect(decided(fields({ id: '7' }), PREVIEW).clicked).toBeNull()
  })

  it('that leads nowhere goes where its domain sends unknown codes, and no other does', () => {
    const elsewhere = { ...PLAIN, notFoundUrl: 'https://elsewhere/' }
    for (const record of [null, tombstone(NOW - QUARANTINE)]) {
      const decision = decided(record, elsewhere)
      expect(decision).toMatchObject({ status: 302, page: null, outcome: 'not-found', clicked: null })
      expect(decision.headers.slice(0, 2)).toEqual(['Location', 'https://elsewhere/'])
    }
    for (const record of [tombstone(NOW), fields({ state: 'banned' }), fields({ expiresAt: NOW })]) {
      expect(headerOf(decided(record, elsewhere), 'Location')).toBeUndefined()
    }
  })

  it('that nobody may or can answer says when to come back', () => {
    const limited = decideRefusal(new TerseError('rate_limited', say('api.limit.requests'), { retryAfter: 9 }))
    expect(limited).toMatchObject({ status: 429, page: { name: 'too-many', refusal: say('api.limit.requests') } })
    expect(headerOf(limited, 'Retry-After')).toBe('9')
    expect(summary(decideRefusal(new TerseError('unavailable', say('api.system.database'))))).toBe('503 unavailable')
  })
})

describe('an app that shows cards of links', () => {
  const CARD = { source: 'custom', title: 'Mine', description: '', image: null } as const
  const slack = (given: Partial<RequestFacts> = {}) => factsOf({ userAgent: 'Slackbot-LinkExpanding 1.0', ...given })
  const custom = (given: Partial<LinkRecord> = {}) => linkRecord({ url: 'https://to/', preview: 'custom', ...given })
  const fetched = (given: Partial<LinkRecord> = {}) => custom({ preview: 'destination', ...given })

  it('gets the card, which no cache may give to a person, and counts as what it counted as before', () => {
    expect(decide(custom(), slack(), NOW, POLICY)).toMatchObject({ unknown: 'card' })
    const decision = decided(custom({ id: '7' }), slack({ card: CARD }))
    expect(summary(decision)).toBe('200 card')
    expect(decision).toMatchObject({ page: { card: CARD }, clicked: { linkId: '7', destination: '' } })
    expect(headerOf(decision, 'Cache-Control')).toBe('no-store')
    expect(headerOf(decision, 'Vary')).toBe('User-Agent')
  })

  it.each([
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1)',
    'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/FBIOS;FBAV/500.0]',
    'curl/8.0',
    '',
  ])('is no person and no search engine: %s', (userAgent) => {
    for (const record of [custom(), fetched(), custom({ maxClicks: 3 })]) {
      expect(summary(decided(record, factsOf({ userAgent })))).toBe('302 https://to/')
    }
    expect(headerOf(decided(custom({ status: 301 }), factsOf({ userAgent })), 'Cache-Control')).toBe('private, no-store')
  })

  it('is redirected while there is no card, and where none was asked for', () => {
    expect(summary(decided(fetched(), slack({ card: null })))).toBe('302 https://to/')
    expect(summary(decided(linkRecord({ url: 'https://to/' }), slack()))).toBe('302 https://to/')
  })

  it('takes no click of a limited link, and learns of its destination nothing that its owner did not write', () => {
    for (const record of [linkRecord({ maxClicks: 1 }), fetched({ maxClicks: 1 })]) {
      const unasked = { ...slack(), limit: undefined } as unknown as RequestFacts
      expect(decide(record, unasked, NOW, POLICY)).toMatchObject({ unknown: 'left' })
      const decision = decided(record, slack({ limit: 'left' }))
      expect(decision).toMatchObject({ status: 200, outcome: 'card', page: { card: null }, clicked: null })
    }
    const own = decided(custom({ maxClicks: 1 }), slack({ card: CARD }))
    expect(own).toMatchObject({ page: { card: CARD }, clicked: null })
  })

  it('gets what everyone does once the clicks are used up', () => {
    for (const of of [linkRecord, custom, fetched]) {
      const used = slack({ limit: 'reached', card: CARD })
      expect(summary(decided(of({ maxClicks: 1 }), used))).toBe('410 expired')
      const elsewhere = decided(of({ maxClicks: 1, expiredUrl: 'https://over/' }), used)
      expect(summary(elsewhere)).toBe('302 https://over/')
      expect(elsewhere.clicked).toBeNull()
    }
  })

  it.each([
    ['protected by a password', { passwordHash: 'x' }, '200 password'],
    ['expired', { expiresAt: NOW }, '410 expired'],
    ['not begun', { startsAt: NOW + 1 }, '404 inactive'],
    ['banned', { state: 'banned' }, '410 banned'],
    ['turned off', { state: 'disabled' }, '410 disabled'],
  ] as const)('gets nothing of a link that is %s but what everyone gets', (_, given, expected) => {
    for (const record of [custom(given), fetched(given)]) expect(summary(decided(record, slack({ card: CARD })))).toBe(expected)
  })

  it('has the hot answer of a link without a card alone', () => {
    expect(constantRedirect(linkRecord(), POLICY)).toBeDefined()
    expect(constantRedirect(custom(), POLICY)).toBeUndefined()
    expect(headerOf(decided(custom(), PLAIN, { ...POLICY, cdnSeconds: 60 }), 'CDN-Cache-Control')).toBeUndefined()
  })
})

/** Any record at all, with times around NOW. */
const time = fc.option(fc.integer({ min: NOW - 5, max: NOW + 5 }))
const anyLink = fc.record<LinkRecord>({
  kind: fc.constant('link'),
  id: fc.constant('1'),
  version: fc.constant('1'),
  url: fc.constant('https://to/'),
  title: fc.string(),
  status: fc.constantFrom(301, 302, 307, 308),
  state: fc.constantFrom('active', 'active', 'active', 'disabled', 'banned'),
  banReason: fc.string(),
  startsAt: time,
  expiresAt: time,
  expiredUrl: fc.option(fc.constant('https://over/')),
  maxClicks: fc.option(fc.integer({ min: 1 })),
  passwordHash: fc.option(fc.constant('x')),
  routing: fc.option(fc.constant(ROUTED)),
  preview: fc.option(fc.constantFrom('destination' as const, 'custom' as const)),
})
const anyFacts = fc.constantFrom(PLAIN, PREVIEW, UNLOCKED, factsOf({ preview: true, password: 'right' }))
const CDN: RedirectPolicy = { ...POLICY, cdnSeconds: 60 }

describe('caching', () => {
  it('of a page is never allowed', () => {
    fc.assert(
      fc.property(fc.option(anyLink), anyFacts, (record, facts) => {
        const decision = decided(record, facts, CDN)
        if (decision.page) expect(decision.headers).toEqual(['Cache-Control', 'no-store', 'X-Robots-Tag', 'noindex'])
      }),
    )
  })

  it('by browsers is allowed for 90 s, of permanent redirects to where they will always lead', () => {
    for (const status of [301, 302, 307, 308]) {
      const control = (given: Partial<LinkRecord>) => headerOf(decided(linkRecord({ status, ...given }), PLAIN), 'Cache-Control')
      expect(control({})).toBe(status === 301 || status === 308 ? 'private, max-age=90' : 'private, no-store')
      expect(control({ expiresAt: NOW + 1 })).toBe('private, no-store')
      expect(control({ maxClicks: 9 })).toBe('private, no-store')
      expect(control({ routing: ROUTED })).toBe('private, no-store')
    }
    const unlocked = decided(linkRecord({ status: 301, passwordHash: 'x' }), UNLOCKED)
    expect(headerOf(unlocked, 'Cache-Control')).toBe('private, no-store')
  })

  it('by a CDN is opted in to, and never for a link with a password, times, a click limit, rules or a ban', () => {
    fc.assert(
      fc.property(anyLink, anyFacts, fc.boolean(), (record, facts, on) => {
        const decision = decided(record, facts, on ? CDN : POLICY)
        const conditional =
          record.state !== 'active' ||
          [record.startsAt, record.expiresAt, record.maxClicks, record.passwordHash, record.routing, record.preview].some(
            (value) => value !== null,
          )
        expect(isUnconditional(record)).toBe(!conditional)
        const wanted = on && !conditional && !decision.page ? 'max-age=60' : undefined
        expect(headerOf(decision, 'CDN-Cache-Control')).toBe(wanted)
      }),
      { numRuns: 500 },
    )
  })
})

describe('every redirect', () => {
  it('has the headers that DESIGN promises, each once', () => {
    fc.assert(
      fc.property(anyLink, (record) => {
        const decision = decided(record, UNLOCKED, CDN)
        if (decision.page) return
        const names = decision.headers.filter((_, i) => i % 2 === 0)
        expect(new Set(names).size).toBe(names.length)
        expect(headerOf(decision, 'Location')).toMatch(/^https:\/\/(to|over|app)\/$/)
        expect(headerOf(decision, 'Referrer-Policy')).toBe('no-referrer')
        expect(headerOf(decision, 'X-Robots-Tag')).toBe('noindex')
        expect(headerOf(decision, 'Content-Length')).toBe('0')
        expect(headerOf(decision, 'Cache-Control')).toMatch(/^private, /)
      }),
    )
  })

  it('that is the same for every request is decided alike ahead of them', () => {
    fc.assert(
      fc.property(anyLink, (record) => {
        const constant = constantRedirect(record, CDN)
        expect(constant).toEqual(isUnconditional(record) ? decided(record, PLAIN, CDN) : undefined)
      }),
    )
  })
})

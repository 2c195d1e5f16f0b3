import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkRecord } from '@/lib/testing/links'
import { type Decision, decide, expired, isUnconditional, type RedirectPolicy } from './decide'
import type { CachedRecord, LinkRecord } from './record'

const NOW = Date.UTC(2027, 0, 1)
const QUARANTINE = 1_000
const POLICY: RedirectPolicy = { referrerPolicy: 'no-referrer', cdnSeconds: 0, quarantine: QUARANTINE }
const PLAIN = { preview: false, unlocked: false }
const PREVIEW = { preview: true, unlocked: false }
const UNLOCKED = { preview: false, unlocked: true }

const summary = (decision: Decision) =>
  decision.kind === 'redirect' ? `${decision.status} ${decision.location}` : `${decision.status} ${decision.page}`
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
    expect(summary(decide(record, facts, NOW, POLICY))).toBe(answer)
  })

  it('says that a click must be taken exactly when there is a limit', () => {
    expect(decide(fields({ maxClicks: 5 }), PLAIN, NOW, POLICY)).toMatchObject({ limited: true })
    expect(decide(fields({}), PLAIN, NOW, POLICY)).toMatchObject({ limited: false })
    expect(expired(fields({ maxClicks: 5, expiredUrl: 'https://over/' }), POLICY)).toMatchObject({ limited: false })
  })

  it('whose clicks are used up is answered like an expired one', () => {
    expect(summary(expired(fields({ maxClicks: 5 }), POLICY))).toBe('410 expired')
    expect(summary(expired(fields({ maxClicks: 5, expiredUrl: 'https://over/' }), POLICY))).toBe('302 https://over/')
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
})
const anyFacts = fc.record({ preview: fc.boolean(), unlocked: fc.boolean() })
const CDN: RedirectPolicy = { ...POLICY, cdnSeconds: 60 }

describe('caching', () => {
  it('of a page is never allowed', () => {
    fc.assert(
      fc.property(fc.option(anyLink), anyFacts, (record, facts) => {
        const decision = decide(record, facts, NOW, CDN)
        if (decision.kind === 'page') expect(decision.headers).toEqual(['Cache-Control', 'no-store', 'X-Robots-Tag', 'noindex'])
      }),
    )
  })

  it('by browsers is allowed for 90 s, of permanent redirects to where they will always lead', () => {
    for (const status of [301, 302, 307, 308]) {
      const control = (given: Partial<LinkRecord>) =>
        headerOf(decide(linkRecord({ status, ...given }), PLAIN, NOW, POLICY), 'Cache-Control')
      expect(control({})).toBe(status === 301 || status === 308 ? 'private, max-age=90' : 'private, no-store')
      expect(control({ expiresAt: NOW + 1 })).toBe('private, no-store')
      expect(control({ maxClicks: 9 })).toBe('private, no-store')
    }
    const unlocked = decide(linkRecord({ status: 301, passwordHash: 'x' }), UNLOCKED, NOW, POLICY)
    expect(headerOf(unlocked, 'Cache-Control')).toBe('private, no-store')
  })

  it('by a CDN is opted in to, and never for a link with a password, times, a click limit or a ban', () => {
    fc.assert(
      fc.property(anyLink, anyFacts, fc.boolean(), (record, facts, on) => {
        const decision = decide(record, facts, NOW, on ? CDN : POLICY)
        const conditional =
          record.state !== 'active' ||
          [record.startsAt, record.expiresAt, record.maxClicks, record.passwordHash].some((value) => value !== null)
        expect(isUnconditional(record)).toBe(!conditional)
        const wanted = on && !conditional && decision.kind === 'redirect' ? 'max-age=60' : undefined
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
        const decision = decide(record, UNLOCKED, NOW, CDN)
        if (decision.kind === 'page') return
        const names = decision.headers.filter((_, i) => i % 2 === 0)
        expect(new Set(names).size).toBe(names.length)
        expect(headerOf(decision, 'Location')).toBe(decision.location)
        expect(headerOf(decision, 'Referrer-Policy')).toBe('no-referrer')
        expect(headerOf(decision, 'X-Robots-Tag')).toBe('noindex')
        expect(headerOf(decision, 'Content-Length')).toBe('0')
        expect(headerOf(decision, 'Cache-Control')).toMatch(/^private, /)
      }),
    )
  })
})

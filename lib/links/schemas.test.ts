import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { isTerseError } from '@/lib/errors'
import { validate } from '@/lib/tools/validate'
import { AdminBulkLinks, BulkLinks } from './bulk-schemas'
import { CreateLink, ListLinks, UpdateLink } from './schemas'

const URL_OK = 'https://example.com/'
/** The paths that `schema` finds fault with. */
function faultsOf(schema: z.ZodType, value: unknown): string[] {
  try {
    validate(schema, value)
    return []
  } catch (error) {
    if (!isTerseError(error) || error.status !== 422) throw error
    return (error.errors ?? []).map(({ path }) => path)
  }
}
const createFaults = (body: unknown) => faultsOf(CreateLink, body)
const updateFaults = (body: unknown) => faultsOf(UpdateLink, body)

/** Each field with good and bad values, the same for creating and changing a link. */
const EDITABLE: [field: string, good: unknown[], bad: unknown[]][] = [
  ['title', ['', 'a', 'x'.repeat(255), '  x '], ['x'.repeat(256), 7, null, ['x']]],
  [
    'startsAt',
    [null, '2027-01-31T09:00:00Z', '2027-01-31T09:00:00.123+02:00'],
    ['2027-01-31', '2027-01-31T09:00:00', 'soon', 1, ''],
  ],
  ['expiresAt', [null, '2099-01-31T09:00:00Z'], ['1969-01-01T00:00:00Z', '9999-06-01T00:00:00Z', '2027-02-30T00:00:00Z', true]],
  ['expiredUrl', [null, URL_OK], ['javascript:alert(1)', '/x', '', 7]],
  ['routing', [null, { query: 'forward' }], [{}, [], 7, 'x']],
  ['preview', [null, { source: 'destination' }], [[], 7, 'x', 'destination']],
  ['password', [null, 'x', 'x'.repeat(256)], ['', 'x'.repeat(257), 12345]],
  ['maxClicks', [null, 1, 2_000_000_000], [0, -1, 1.5, '5', 2_000_000_001, Number.NaN]],
  ['listed', [true, false], ['yes', 1, null]],
  ['enabled', [true, false], ['no', 1, null]],
  [
    'tags',
    [[], ['a'], ['Spring', 'spring'], Array.from({ length: 20 }, (_, i) => `t${i}`)],
    ['a', null, 7, Array.from({ length: 21 }, (_, i) => `t${i}`)],
  ],
  ['folder', [null, 'Clients', ' a '], ['', ' ', 'a,b', 'x'.repeat(51), 7]],
  ['comment', ['', 'two\nlines', 'x'.repeat(2_000)], ['x'.repeat(2_001), null, 7]],
  ['archived', [true, false], ['yes', 1, null]],
  ['favorite', [true, false], ['yes', 1, null]],
  ['redirectStatus', [301, 302, 307, 308], [200, 303, '302', null]],
]

describe.each(EDITABLE)('%s', (field, good, bad) => {
  it('is accepted where it is good, for a new link and a changed one', () => {
    for (const value of good) {
      expect(createFaults({ url: URL_OK, [field]: value }), String(value)).toEqual([])
      expect(updateFaults({ [field]: value }), String(value)).toEqual([])
    }
  })

  it('is refused by name where it is bad, for a new link and a changed one', () => {
    for (const value of bad) {
      expect(createFaults({ url: URL_OK, [field]: value }), String(value)).toEqual([field])
      expect(updateFaults({ [field]: value }), String(value)).toEqual([field])
    }
  })
})

describe('a new link', () => {
  it.each([
    [{}, ['url']],
    [{ url: null }, ['url']],
    [{ url: 7 }, ['url']],
    [{ url: 'javascript:alert(1)' }, ['url']],
    [{ url: 'data:text/html,x' }, ['url']],
    [{ url: 'file:///etc/passwd' }, ['url']],
    [{ url: '/relative' }, ['url']],
    [{ url: 'http://user:pw@host/' }, ['url']],
    [{ url: 'https://example.com/\n' }, ['url']],
    [{ url: `https://example.com/${'x'.repeat(8_192)}` }, ['url']],
    [{ url: URL_OK, code: '' }, ['code']],
    [{ url: URL_OK, code: 'a%2' }, ['code']],
    [{ url: URL_OK, code: '/' }, ['code']],
    [{ url: URL_OK, code: 'a b' }, ['code']],
    [{ url: URL_OK, code: 'a/' }, ['code']],
    [{ url: URL_OK, code: 'x'.repeat(129) }, ['code']],
    [{ url: URL_OK, code: 7 }, ['code']],
    [{ url: URL_OK, domain: 'x'.repeat(254) }, ['domain']],
    [{ url: URL_OK, reuse: 'yes' }, ['reuse']],
    [{ url: URL_OK, destination: URL_OK }, ['destination']],
    [{ url: URL_OK, ownerId: 'someone', clicks: 5 }, ['ownerId', 'clicks']],
    [{ url: 'x', title: 7 }, ['url', 'title']],
    [null, ['']],
    [[], ['']],
    ['text', ['']],
  ])('%j is refused, with each path', (body, paths) => {
    expect(createFaults(body)).toEqual(paths)
  })

  it('has its code in NFC and its URL as WHATWG writes it', () => {
    expect(validate(CreateLink, { url: 'HTTPS://münchen.de', code: 'cafe\u0301' })).toEqual({
      url: 'https://xn--mnchen-3ya.de/',
      code: 'caf\u00e9',
    })
  })

  it('does not become part of a prototype', () => {
    const body = JSON.parse(`{"url":"${URL_OK}","__proto__":{"ownerId":"me"}}`) as unknown
    try {
      expect(Object.getPrototypeOf(validate(CreateLink, body))).toBe(Object.prototype)
    } catch (error) {
      expect(isTerseError(error) && error.code).toBe('validation_failed')
    }
  })
})

describe('a change', () => {
  it.each([
    [{ code: 'other' }, ['code']],
    [{ domain: 'other.example' }, ['domain']],
    [{ reuse: true }, ['reuse']],
    [{ state: 'active' }, ['state']],
    [{ url: null }, ['url']],
    [{ url: 'javascript:alert(1)' }, ['url']],

    [{ clicks: 0 }, ['clicks']],
  ])('%j is refused, with each path', (body, paths) => {
    expect(updateFaults({ title: 'x', ...body })).toEqual(paths)
  })

  it('of nothing is refused', () => {
    expect(updateFaults({})).toEqual([''])
  })

  it('names fields of a new link only, and all that make sense for an existing one', () => {
    const ofCreate = Object.keys(CreateLink.shape).filter((field) => !['code', 'domain', 'reuse'].includes(field))
    // To hide a history is a change, which its history has.
    expect(Object.keys(UpdateLink.shape).sort()).toEqual([...ofCreate, 'publicHistory'].sort())
    expect(EDITABLE.map(([field]) => field).sort()).toEqual(ofCreate.filter((field) => field !== 'url').sort())
  })

  it('leaves out what was left out', () => {
    expect(validate(UpdateLink, { title: 'x' })).toEqual({ title: 'x' })
  })
})

describe.each([
  ['an owner', BulkLinks],
  ['an admin', AdminBulkLinks],
])('all links that match, as %s asks for them', (_, schema) => {
  const faults = (matching: object) => faultsOf(schema, { action: 'delete', matching })

  it('are never all there are, by a filter that is none', () => {
    expect(faults({ minClicks: 0 })).toEqual(['matching'])
    for (const q of ['', '  ', '\u0301']) {
      for (const more of [{}, { minClicks: 0 }, { state: 'active' }]) {
        expect(faults({ q, ...more }), JSON.stringify({ q, ...more })).toEqual(['matching.q'])
      }
    }
    for (const matching of [{ minClicks: 1 }, { maxClicks: 0 }, { q: 'é' }, { state: 'active', minClicks: 0 }]) {
      expect(faults(matching), JSON.stringify(matching)).toEqual([])
    }
  })

  it('are named by values of the right type alone: nothing is converted', () => {
    for (const field of ['minClicks', 'maxClicks']) {
      for (const value of [null, '', '5', [], [5], false, true, -1, 1.5]) {
        expect(faults({ q: 'x', [field]: value }), `${field} ${JSON.stringify(value)}`).toEqual([`matching.${field}`])
      }
    }
    for (const field of ['q', 'from', 'to', 'state']) {
      for (const value of [null, 0, [], false]) {
        expect(faults({ maxClicks: 5, [field]: value }), `${field} ${JSON.stringify(value)}`).toEqual([`matching.${field}`])
      }
    }
  })

  it('are searched by 8 terms at most: the ninth is not left out', () => {
    expect(faults({ q: 'a b c d e f g h' })).toEqual([])
    expect(faults({ q: 'a b c d e f g h H' })).toEqual([])
    expect(faults({ q: 'a b c d e f g h i' })).toEqual(['matching.q'])
  })
})

const BLANK = [' ', '\t', '\u00a0', '\u200b', '\u3164', '\ufeff \u2060']

describe.each(['tag', 'folder'])('a %s that shows nothing', (field) => {
  it('asks for no links: neither a list nor an action takes it for no filter', () => {
    for (const name of BLANK) {
      expect(faultsOf(ListLinks, { [field]: name }), JSON.stringify(name)).toEqual([field])
      for (const more of [{}, { state: 'active' }]) {
        const faults = faultsOf(BulkLinks, { action: 'delete', matching: { [field]: name, ...more } })
        expect(faults, JSON.stringify(name)).toEqual([`matching.${field}`])
      }
    }
    expect(faultsOf(BulkLinks, { action: 'delete', matching: { [field]: '', state: 'active' } })).toEqual([`matching.${field}`])
    expect(faultsOf(BulkLinks, { action: 'delete', matching: { [field]: ' Spring ' } })).toEqual([])
  })

  it('that is empty is left out of a list, as a form sends it', () => {
    expect(faultsOf(ListLinks, { [field]: '' })).toEqual([])
  })
})

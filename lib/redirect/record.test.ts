import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Routing } from '@/lib/routing/routing'
import { linkRow } from '@/lib/testing/links'
import { type CachedRecord, decodeRecord, encodeRecord, type LinkRecord, toRecord, toTombstone } from './record'

const id = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String)
const time = fc.integer({ min: 0, max: Date.UTC(9999, 0, 1) })
const text = fc.string({ unit: 'binary' })
const link: fc.Arbitrary<LinkRecord> = fc.record({
  kind: fc.constant('link' as const),
  id,
  version: id,
  url: text,
  title: text,
  status: fc.constantFrom(301, 302, 307, 308),
  state: fc.constantFrom('active', 'disabled', 'banned'),
  banReason: text,
  startsAt: fc.option(time),
  expiresAt: fc.option(time),
  expiredUrl: fc.option(text),
  maxClicks: fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  passwordHash: fc.option(text),
  preview: fc.option(fc.constantFrom('destination' as const, 'custom' as const)),
  routing: fc.option(text.map((url) => Routing.of(JSON.stringify({ rules: [{ when: [{ of: 'query', name: 'a' }], url }] })))),
})
const tombstone: fc.Arbitrary<CachedRecord> = fc.record({ kind: fc.constant('tombstone' as const), version: id, deletedAt: time })

describe('a record', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.oneof(link, tombstone), (record) => {
        expect(decodeRecord(encodeRecord(record))).toEqual(record)
      }),
      { numRuns: 500 },
    )
  })

  it('sorts as text as its version does as a number, which the scripts rely on', () => {
    fc.assert(
      fc.property(link, id, (record, version) => {
        const [one, two] = [encodeRecord(record), encodeRecord({ ...record, version })].map((value) => value.slice(0, 19))
        expect(one?.length).toBe(19)
        expect((one ?? '') < (two ?? '')).toBe(BigInt(record.version) < BigInt(version))
      }),
    )
  })

  it('holds nothing that is default, to be small', () => {
    const record = toRecord(linkRow({ id: 7n, version: 8n, url: 'https://example.com/' }))
    expect(encodeRecord(record)).toBe('0000000000000000008{"i":"7","u":"https://example.com/","g":0}')
  })

  it.each([
    '',
    'x',
    '0000000000000000001',
    '0000000000000000001null',
    '0000000000000000001[]',
    '0000000000000000001"text"',
    '0000000000000000001{}',
    '0000000000000000001{"i":"1"}',
    '0000000000000000001{"u":"https://example.com/"}',
    '0000000000000000001{"i":1,"u":"https://example.com/"}',
    '0000000000000000001{"d":"yesterday"}',
    '0000000000000000001{"i":"1","u":"https://exa',
  ])('that cannot be read counts as not there: %s', (value) => {
    expect(decodeRecord(value)).toBeNull()
  })

  it('that is any text at all never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.json().map((json) => `0000000000000000001${json}`),
        ),
        (value) => {
          expect(() => decodeRecord(value)).not.toThrow()
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('a row', () => {
  it('becomes a record with its times in ms', () => {
    const row = linkRow({ startsAt: new Date(1_000), expiresAt: new Date(2_000), maxClicks: 3, redirectStatus: 308 })
    expect(toRecord(row)).toMatchObject({ startsAt: 1_000, expiresAt: 2_000, maxClicks: 3, status: 308, id: row.id.toString() })
    expect(toTombstone({ version: 9n, deletedAt: new Date(5), undoneBy: null })).toEqual({
      kind: 'tombstone',
      version: '9',
      deletedAt: 5,
    })
  })
})

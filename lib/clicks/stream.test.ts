import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capturedClick } from '@/lib/testing/counting'
import { timedId } from '@/lib/tools/timed-id'
import type { CapturedClick } from './click'
import { ALL_PARTITIONS, decodeBatch, encodeClicks, PARTITIONS, partitionKeys, toWire } from './stream'

const ID = timedId(1_700_000_000_000)
const hex = (length: number) =>
  fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length }).map((digits) => digits.join(''))
/** Whatever a string of JavaScript can hold: NUL, lone halves of pairs, four-byte characters, line separators. */
const anyText = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('\0', '\ud800', '\udfff', '😀', '\n', '\r', '\u2028', '\u2029', '"', '\\', ']', 'é'), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
)
const anyClick: fc.Arbitrary<CapturedClick> = fc.record({
  linkId: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
  at: fc.integer({ min: 0, max: Date.UTC(9999, 0, 1) - 1 }),
  visitor: hex(16),
  network: anyText,
  country: anyText,
  referrer: anyText,
  userAgent: anyText,
  language: anyText,
  // Of what a visitor sends, a question mark is always before it.
  query: anyText.map((text) => text && `?${text}`),
  destination: anyText,
})

describe('a batch', () => {
  it('is read as it was written, whatever its clicks hold', () => {
    fc.assert(
      fc.property(fc.array(anyClick, { minLength: 1, maxLength: 20 }), (clicks) => {
        const text = encodeClicks(clicks.map(toWire))
        // As it travels: through Redis and files, as UTF-8.
        expect(decodeBatch(ID, Buffer.from(text).toString())).toEqual({ id: ID, clicks })
      }),
    )
  })

  it('is written on one line, so that a line of the spool is a batch', () => {
    fc.assert(fc.property(anyClick, (click) => void expect(encodeClicks([toWire(click)])).not.toMatch(/[\r\n]/)))
  })

  it('leaves out the texts at the end that are empty, and those only', () => {
    const click = capturedClick({ network: '', country: '', referrer: '', userAgent: '' })
    expect(toWire(click)).toEqual([click.linkId, click.at, click.visitor])
    expect(toWire({ ...click, language: 'de' })).toEqual([click.linkId, click.at, click.visitor, '', '', '', '', 'de'])
  })

  it('with destinations is one that the previous release takes and reads past', () => {
    const destination = 'https://example.com/a?utm_source=own&x=%26+%25&y=%2525#z'
    for (const query of ['', '?utm_source=mail&utm_term=a%20b', '?a=utm_']) {
      const wire = toWire(capturedClick({ query, destination }))
      // It refuses a click with more than nine fields, and reads UTM parameters of the ninth.
      expect(wire).toHaveLength(9)
      const read = new URLSearchParams(String(wire[8]))
      for (const name of ['utm_source', 'utm_term']) expect(read.get(name)).toBe(new URLSearchParams(query).get(name))
      expect(decodeBatch(ID, encodeClicks([wire])).clicks[0]).toMatchObject({ query, destination })
    }
    // What a visitor sends is never taken for one.
    const sent = capturedClick({ query: '?=https://evil.example&utm_source=x' })
    expect(decodeBatch(ID, encodeClicks([toWire(sent)])).clicks).toEqual([sent])
  })

  it('that is anything else is refused with a reason, and never read in part', () => {
    const good = toWire(capturedClick())
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(fc.jsonValue()).map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(anything, fc.boolean(), (text, besideGood) => {
        const clicks = besideGood ? `[${JSON.stringify(good)},${text || 'null'}]` : text
        expect(() => decodeBatch(ID, clicks)).toThrow(Error)
      }),
      { numRuns: 500 },
    )
  })

  const [linkId, at, visitor] = ['1', 1_700_000_000_000, '0123456789abcdef']
  it.each<[string, unknown]>([
    ['no link', [null, at, visitor]],
    ['a link that is a number', [1, at, visitor]],
    ['a link beyond 63 bits', [(2n ** 63n).toString(), at, visitor]],
    ['a negative link', ['-1', at, visitor]],
    ['a link in hexadecimal', ['0x1', at, visitor]],
    ['an empty link', ['', at, visitor]],
    ['a link with a line break', ['1\n', at, visitor]],
    ['no time', [linkId]],
    ['a time in text', [linkId, '1700000000000', visitor]],
    ['a time between milliseconds', [linkId, 1.5, visitor]],
    ['a time before 1970', [linkId, -1, visitor]],
    ['a time that MySQL cannot store', [linkId, Date.UTC(10_000, 0, 1), visitor]],
    ['a short visitor', [linkId, at, '0123456789abcde']],
    ['a visitor in capitals', [linkId, at, '0123456789ABCDEF']],
    ['a number for a text', [linkId, at, visitor, 7]],
    ['null for a text', [linkId, at, visitor, '', null]],
    ['a field too many', [linkId, at, visitor, '', '', '', '', '', '', '']],
    ['an object', { linkId, at, visitor }],
  ])('with %s is refused, and so are the clicks beside it', (_, wire) => {
    expect(() => decodeBatch(ID, JSON.stringify([wire]))).toThrow(/no link id|no time|no visitor|not text|not a click/)
    expect(() => decodeBatch(ID, JSON.stringify([toWire(capturedClick()), wire]))).toThrow(Error)
  })

  it.each([undefined, '', 'x', ID.slice(1), `${ID}0`, ID.toUpperCase().replace(/\d/g, 'A'), `${ID}\n`])(
    'with the id %j is refused',
    (id) => {
      expect(() => decodeBatch(id, encodeClicks([toWire(capturedClick())]))).toThrow('no batch id')
    },
  )

  it.each([undefined, '', '[]', '{}', 'null', '[[', '1'])('with the clicks %j is refused', (clicks) => {
    expect(() => decodeBatch(ID, clicks)).toThrow(Error)
  })
})

describe('the partitions', () => {
  it('have keys of their own, stream and dead letters on one node of a cluster', () => {
    const all = ALL_PARTITIONS.map(partitionKeys)
    expect(new Set(all.flatMap(({ stream, dead }) => [stream, dead])).size).toBe(2 * PARTITIONS)
    for (const { stream, dead } of all) expect(/\{.*\}/.exec(stream)?.[0]).toBe(/\{.*\}/.exec(dead)?.[0])
    expect(() => partitionKeys(PARTITIONS)).toThrow(RangeError)
  })
})

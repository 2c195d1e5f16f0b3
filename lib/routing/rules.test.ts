import { describe, expect, it } from 'vitest'
import { type Condition, compileRules, MOST_PARAMETERS, type VisitorFacts } from './rules'

const VISITOR: VisitorFacts = {
  device: 'mobile',
  os: 'iOS',
  browser: 'Safari',
  language: 'de',
  country: 'DE',
  city: 'Berlin, DE',
  referrer: 'news.example.com',
  query: '',
  address: '203.0.113.7',
}
/** A Sunday. */
const NOON = Date.UTC(2026, 10, 22, 12, 0)

function holds(when: Condition[], visitor: Partial<VisitorFacts> = {}, now = NOON): boolean {
  return compileRules([{ when, url: 'https://there.example/' }])({ ...VISITOR, ...visitor }, now) !== undefined
}

describe('rules', () => {
  it('are tried in order, and the first whose conditions all hold decides', () => {
    const find = compileRules([
      { when: [{ of: 'os', in: ['Android'] }], url: 'a' },
      {
        when: [
          { of: 'os', in: ['iOS'] },
          { of: 'country', in: ['FR'] },
        ],
        url: 'b',
      },
      { when: [{ of: 'os', in: ['Windows', 'iOS'] }], url: 'c' },
      { when: [], url: 'd' },
    ])
    expect(find(VISITOR, NOON)?.url).toBe('c')
    expect(find({ ...VISITOR, country: 'FR' }, NOON)?.url).toBe('b')
    expect(find({ ...VISITOR, os: '' }, NOON)?.url).toBe('d')
    expect(compileRules([])(VISITOR, NOON)).toBeUndefined()
  })
})

describe('a condition on', () => {
  it.each(['device', 'os', 'browser', 'language', 'country', 'city', 'referrer'] as const)('%s', (of) => {
    expect(holds([{ of, in: ['other', VISITOR[of]] }])).toBe(true)
    expect(holds([{ of, in: ['other'] }])).toBe(false)
    expect(holds([{ of, in: ['other'], not: true }])).toBe(true)
    expect(holds([{ of, in: [VISITOR[of]], not: true }])).toBe(false)
    // What is not known is none of them, and is all but them.
    expect(holds([{ of, in: ['other'] }], { [of]: '' })).toBe(false)
    expect(holds([{ of, in: ['other'], not: true }], { [of]: '' })).toBe(true)
  })

  it('a referrer holds for all that lies below it, and for nothing that only ends like it', () => {
    expect(holds([{ of: 'referrer', in: ['example.com'] }])).toBe(true)
    expect(holds([{ of: 'referrer', in: ['example.com'] }], { referrer: 'notexample.com' })).toBe(false)
    expect(holds([{ of: 'referrer', in: ['news.example.com'] }], { referrer: 'example.com' })).toBe(false)
  })

  it('a parameter of the query, read as forms are', () => {
    const has = (query: string, more: object = {}) => holds([{ of: 'query', name: 'r é', ...more }], { query })
    expect(has('?r+%C3%A9')).toBe(true)
    expect(has(`?r%20${Buffer.from('é').toString('latin1')}=`)).toBe(true)
    expect(has('?r=1')).toBe(false)
    expect(has('')).toBe(false)
    expect(has('?r+%C3%A9=1&r+%C3%A9=2', { in: ['2'] })).toBe(true)
    expect(has('?r+%C3%A9=1', { in: ['2'] })).toBe(false)
    expect(has('', { not: true })).toBe(true)
    expect(has('?r+%C3%A9=', { not: true })).toBe(false)
  })

  it('a parameter among the first of a query: what comes behind very many is not looked at', () => {
    const others = 'a&'.repeat(MOST_PARAMETERS - 1)
    expect(holds([{ of: 'query', name: 'last' }], { query: `?${others}last` })).toBe(true)
    expect(holds([{ of: 'query', name: 'last' }], { query: `?${others}a&last` })).toBe(false)
  })

  it('addresses, by range and one by one', () => {
    const isIn = (address: string, not = false) =>
      holds([{ of: 'address', in: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.1'], not }], { address })
    expect(['203.0.113.7', '2001:db8::1', '::ffff:203.0.113.9', '198.51.100.1'].map((one) => isIn(one))).toEqual(
      Array(4).fill(true),
    )
    expect(['203.0.114.7', '2001:db9::1', '198.51.100.2', 'unknown', ''].map((one) => isIn(one))).toEqual(Array(5).fill(false))
    expect(isIn('unknown', true)).toBe(true)
  })

  it('dates, from one moment to before another', () => {
    const at = (ms: number) => new Date(NOON + ms).toISOString()
    expect(holds([{ of: 'date', from: at(0), to: at(1) }])).toBe(true)
    expect(holds([{ of: 'date', from: at(1) }])).toBe(false)
    expect(holds([{ of: 'date', to: at(0) }])).toBe(false)
    expect(holds([{ of: 'date', from: '2026-11-22T13:00:00+01:00', to: at(1) }])).toBe(true)
    expect(holds([{ of: 'date' }])).toBe(true)
  })

  describe('the time of the day', () => {
    const at = (zone: string, times: [from?: number, to?: number], days: number[] | undefined, now: number) => {
      const [from, to] = times.map((minutes) => minutes !== undefined && new Date(minutes * 60_000).toISOString().slice(11, 16))
      const condition = { of: 'time', zone, ...(days && { days }), ...(from && { from }), ...(to && { to }) } as const
      return holds([condition], {}, now)
    }

    it('is that of its zone', () => {
      expect(at('Europe/Berlin', [13 * 60, 14 * 60], undefined, NOON)).toBe(true)
      expect(at('Europe/Berlin', [13 * 60 + 1, 14 * 60], undefined, NOON)).toBe(false)
      expect(at('Europe/Berlin', [12 * 60, 13 * 60], undefined, NOON)).toBe(false)
      expect(at('America/New_York', [7 * 60], undefined, NOON)).toBe(true)
      expect(at('Asia/Kolkata', [undefined, 17 * 60 + 30], undefined, NOON)).toBe(false)
      expect(at('Asia/Kolkata', [undefined, 17 * 60 + 31], undefined, NOON)).toBe(true)
    })

    it('knows the day that is there, and the change of the clocks', () => {
      const late = Date.UTC(2026, 10, 22, 23, 30)
      expect(at('Europe/Berlin', [], [1], late)).toBe(true)
      expect(at('UTC', [], [7], late)).toBe(true)
      // 2026-03-29: 01:59 is followed by 03:00.
      expect(at('Europe/Berlin', [3 * 60, 3 * 60 + 1], undefined, Date.UTC(2026, 2, 29, 1, 0))).toBe(true)
      expect(at('Europe/Berlin', [2 * 60, 3 * 60], undefined, Date.UTC(2026, 2, 29, 1, 0) - 1)).toBe(false)
    })

    it('over midnight belongs to the day that it began on', () => {
      const friday = Date.UTC(2026, 10, 20)
      const night = (minutes: number) => at('UTC', [22 * 60, 2 * 60], [5], friday + minutes * 60_000)
      expect([21 * 60 + 59, 22 * 60, 25 * 60 + 59, 26 * 60].map(night)).toEqual([false, true, true, false])
      // In the small hours of Friday it is Thursday’s night.
      expect(night(60)).toBe(false)
      expect(at('UTC', [22 * 60, 2 * 60], [7], Date.UTC(2026, 10, 23, 1, 0))).toBe(true)
    })

    it('is looked up again each minute', () => {
      const find = compileRules([{ when: [{ of: 'time', zone: 'UTC', from: '12:00', to: '12:01' }], url: 'a' }])
      expect([NOON - 1, NOON, NOON + 59_999, NOON + 60_000].map((now) => find(VISITOR, now)?.url)).toEqual([
        undefined,
        'a',
        'a',
        undefined,
      ])
    })
  })
})

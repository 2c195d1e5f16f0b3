import fc from 'fast-check'
import { DateTime, IANAZone } from 'luxon'
import { describe, expect, it, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import { intervalStarts, MAX_POINTS, offsetsOf, periodBefore, weekdayAndHour } from './calendar'
import { indexOf, seriesOf } from './count'
import type { Interval } from './values'

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe', 'America/Havana'],
  ...[
    'America/Sao_Paulo',
    'Africa/Casablanca',
    'Asia/Beirut',
    'Pacific/Chatham',
    'America/New_York',
    'Asia/Tehran',
    'Africa/Cairo',
  ],
]
const zone = fc.constantFrom(...ZONES)
const WIDTH: Record<Interval, number> = { minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY, month: 30 * DAY }

/** A range of a few hundred intervals in the years in which zones did the strangest things, DST days among them. */
const range = fc
  .record({
    interval: fc.constantFrom<Interval>('minute', 'hour', 'day', 'week', 'month'),
    from: fc.integer({ min: Date.UTC(2008, 0, 1), max: Date.UTC(2030, 0, 1) }),
    length: fc.double({ min: 0.01, max: 1, noNaN: true }),
  })
  .map(({ interval, from, length }) => ({ interval, from, to: from + Math.ceil(length * 200 * WIDTH[interval]) }))

const LABEL: Record<Interval, string> = {
  minute: 'yyyy-MM-dd HH:mm ZZ',
  hour: 'yyyy-MM-dd HH ZZ',
  day: 'yyyy-MM-dd',
  week: 'kkkk-WW',
  month: 'yyyy-MM',
}

describe('intervalStarts', () => {
  it('puts every instant of any range into exactly one interval, and that has its date and hour on the zone’s clocks', () => {
    fc.assert(
      fc.property(zone, range, fc.array(fc.double({ min: 0, max: 0.999999, noNaN: true })), (timezone, span, parts) => {
        const { interval, from, to } = span
        const starts = intervalStarts(interval, timezone, from, to)
        expect(starts[0]).toBeLessThanOrEqual(from)
        expect(starts[1] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(from)
        expect(starts.every((start, index) => index === 0 || start > (starts[index - 1] ?? start))).toBe(true)
        expect(starts.at(-1)).toBeLessThan(to)
        const label = (at: number) => DateTime.fromMillis(at, { zone: timezone }).toFormat(LABEL[interval])
        for (const part of parts) {
          const at = from + Math.floor(part * (to - from))
          const holding = starts.filter((start, index) => start <= at && at < (starts[index + 1] ?? Number.POSITIVE_INFINITY))
          expect(holding).toEqual([starts[indexOf(starts, at)]])
          expect(label(holding[0] ?? 0)).toBe(label(at))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('sums to the totals, whatever the zone', () => {
    const clicks = fc.array(fc.record({ part: fc.double({ min: 0, max: 0.999999, noNaN: true }), clicks: fc.nat(1000) }))
    fc.assert(
      fc.property(zone, range, clicks, (timezone, { interval, from, to }, given) => {
        const rows = given.map((click) => ({
          at: from + Math.floor(click.part * (to - from)),
          ...{ clicks: click.clicks, visitors: 1, bots: 0, previews: 0 },
        }))
        const series = seriesOf(intervalStarts(interval, timezone, from, to), rows)
        expect(series.reduce((sum, point) => sum + point.clicks, 0)).toBe(given.reduce((sum, { clicks }) => sum + clicks, 0))
        expect(series.reduce((sum, point) => sum + point.visitors, 0)).toBe(given.length)
      }),
    )
  })

  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/St_Johns', '2026-03-08', 23],
    ['America/Havana', '2024-11-03', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Asia/Kathmandu', '2026-03-29', 24],
  ])('gives %s on %s a day of %d hours', (timezone, date, hours) => {
    const noon = DateTime.fromISO(`${date}T12:00`, { zone: timezone }).toMillis()
    const [start, next] = intervalStarts('day', timezone, noon, noon + DAY)
    expect(((next ?? 0) - (start ?? 0)) / HOUR).toBe(hours)
  })

  it('has no 30 December 2011 in Samoa, which went to bed on the 29th and woke on the 31st', () => {
    const from = DateTime.fromISO('2011-12-28', { zone: 'Pacific/Apia' })
    const starts = intervalStarts('day', 'Pacific/Apia', from.toMillis(), from.plus({ days: 5 }).toMillis())
    const dates = starts.map((start) => DateTime.fromMillis(start, { zone: 'Pacific/Apia' }).toISODate())
    expect(dates.slice(0, 3)).toEqual(['2011-12-28', '2011-12-29', '2011-12-31'])
  })

  it('begins weeks on Monday and stops counting once there are too many', () => {
    const [start] = intervalStarts('week', 'Asia/Tokyo', Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 22))
    expect(DateTime.fromMillis(start ?? 0, { zone: 'Asia/Tokyo' }).toISO()).toBe('2026-11-16T00:00:00.000+09:00')
    expect(intervalStarts('hour', 'UTC', 0, Date.UTC(2100, 0, 1))).toHaveLength(MAX_POINTS + 1)
  })
})

describe('offsetsOf and weekdayAndHour', () => {
  it('say what the zone’s clocks and calendar show at any instant', () => {
    fc.assert(
      fc.property(zone, range, fc.double({ min: 0, max: 1, noNaN: true }), (timezone, { from, to }, part) => {
        const at = from + Math.floor(part * (to - from))
        const shown = DateTime.fromMillis(at, { zone: timezone })
        const offset = offsetsOf(timezone)(at)
        expect(offset).toBe(shown.offset * MINUTE)
        expect(weekdayAndHour(at, offset)).toEqual([shown.weekday - 1, shown.hour])
      }),
      { numRuns: 500 },
    )
  })
})

describe('periodBefore', () => {
  it('is as many days of the calendar, though clocks changed in one of them', () => {
    const day = (text: string) => DateTime.fromISO(text, { zone: 'Europe/Berlin' }).toMillis()
    const before = periodBefore('Europe/Berlin', day('2026-03-26'), day('2026-04-02'))
    expect(before).toEqual({ from: day('2026-03-19'), to: day('2026-03-26') })
  })

  it('is as long to the millisecond where no clocks changed', () => {
    expect(periodBefore('UTC', 100 * DAY + 5, 103 * DAY + 7)).toEqual({ from: 97 * DAY + 3, to: 100 * DAY + 5 })
  })
})

it('of thousands of days the clocks are looked at once for each few: asking for each would keep redirects waiting', () => {
  const asked = vi.spyOn(IANAZone.prototype, 'offset')
  expect(intervalStarts('day', 'Europe/Berlin', Date.UTC(2021, 5, 5), Date.UTC(2026, 10, 25))).toHaveLength(MAX_POINTS)
  expect(asked.mock.calls.length).toBeLessThan(1_200)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isZone, localTime } from './local-time'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
]
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The same, asked of Intl for this very moment. */
function asked(zone: string, now: number) {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, weekday: 'short', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' },
  })
  const of = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  return { weekday: WEEKDAYS.indexOf(of.weekday ?? '') + 1, minute: Number(of.hour) * 60 + Number(of.minute) }
}

describe('the time of the day in a zone', () => {
  it('is what Intl says, at any moment', () => {
    const at = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) })
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), at, (zone, now) => {
        expect(localTime(zone)(now)).toEqual(asked(zone, now))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is right on the days on which clocks are changed, minute by minute', () => {
    for (const [zone, day] of [
      ['Europe/Berlin', Date.UTC(2026, 9, 25)],
      ['Australia/Lord_Howe', Date.UTC(2026, 3, 4)],
      ['America/St_Johns', Date.UTC(2026, 2, 8)],
    ] as const) {
      for (let minute = 0; minute < 1_440; minute++) {
        const now = day + minute * 60_000 + 59_999
        expect(localTime(zone)(now), `${zone} ${new Date(now).toISOString()}`).toEqual(asked(zone, now))
      }
    }
  })

  it('is known by names of IANA alone', () => {
    for (const name of [...ZONES, 'europe/berlin', 'Etc/GMT+5', 'US/Eastern']) expect(isZone(name), name).toBe(true)
    for (const name of ['', 'Mars/Base', 'x'.repeat(60), 'Europe/Berlin ', 'ä']) expect(isZone(name), name).toBe(false)
  })
})

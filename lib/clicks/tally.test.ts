import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_FACTS } from '@/lib/testing/counting'
import type { ClickFacts } from './click'
import { CLICK_COLUMN, CLICK_KINDS, DIMENSIONS, dimensionNumber, isGivenOnly, TOTAL } from './dimensions'
import { compare, dayOf, hourOf, type RollupRow, type StoredClick, tallyAll, tallyHours, withDays } from './tally'

/** All rows of some clicks. */
function tally(clicks: StoredClick[], isNewVisitor: (click: StoredClick) => boolean): RollupRow[] {
  return withDays(tallyHours(clicks, isNewVisitor).flatMap(({ total, values }) => [total, ...values.values()]))
}

const START = Date.UTC(2026, 0, 1)
const value = fc.constantFrom('', 'a', 'b', 'a|b', '|', 'ä', '😀')
/** Few links, hours and values, so that clicks meet in rows. */
const anyFacts: fc.Arbitrary<ClickFacts> = fc.record({
  kind: fc.constantFrom(...CLICK_KINDS),
  country: value,
  city: value,
  browser: value,
  os: value,
  device: value,
  language: value,
  referrer: value,
  referrerUrl: value,
  userAgent: value,
  utmSource: value,
  utmMedium: value,
  utmCampaign: value,
  utmTerm: value,
  utmContent: value,
  destination: value,
})
const shared = fc.sample(anyFacts, { numRuns: 3, seed: 1 })
const anyClick: fc.Arbitrary<StoredClick> = fc.record({
  linkId: fc.bigInt({ min: 1n, max: 3n }),
  at: fc.integer({ min: START, max: START + 3 * 86_400_000 }),
  visitor: fc.constantFrom('0'.repeat(16), 'f'.repeat(16)),
  facts: fc.oneof(anyFacts, fc.constantFrom(...shared)),
})
/** Clicks, and which of them are a visitor's first. */
const anyClicks = fc.array(fc.tuple(anyClick, fc.boolean()), { maxLength: 60 }).map((pairs) => ({
  clicks: pairs.map(([click]) => click),
  first: new Set(pairs.filter(([, is]) => is).map(([click]) => click)),
}))

const sum = (rows: readonly RollupRow[], column: 'clicks' | 'visitors' | 'bots' | 'previews') =>
  rows.reduce((total, row) => total + row[column], 0)
const keyOf = ({ linkId, dimension, span, hour, value: text }: RollupRow) =>
  JSON.stringify([`${linkId}`, dimension, span, hour, text])

/** The same again in the slowest way: every click of a person, in every dimension, looked for among all others. */
function countOneByOne(clicks: StoredClick[], first: Set<StoredClick>): [key: string, clicks: number, visitors: number][] {
  const people = clicks.filter(({ facts }) => facts.kind === 'person')
  return DIMENSIONS.flatMap((dimension) =>
    [1, 24].flatMap((span) => {
      const start = (at: number) => Math.floor(at / (span * 3_600_000)) * span
      const given = people.filter((click) => !isGivenOnly(dimension) || click.facts[CLICK_COLUMN[dimension]] !== '')
      const key = (click: StoredClick) =>
        JSON.stringify([
          `${click.linkId}`,
          dimensionNumber(dimension),
          span,
          start(click.at),
          click.facts[CLICK_COLUMN[dimension]],
        ])
      return given.map((click): [string, number, number] => {
        const same = given.filter((other) => key(other) === key(click))
        return [key(click), same.length, same.filter((other) => first.has(other)).length]
      })
    }),
  )
}

describe('rollups', () => {
  it('add up to what went in: in all, by kind, and by visitors', () => {
    fc.assert(
      fc.property(anyClicks, ({ clicks, first }) => {
        const totals = tally(clicks, (click) => first.has(click)).filter(({ dimension }) => dimension === TOTAL)
        const byHour = totals.filter(({ span }) => span === 1)
        const byDay = totals.filter(({ span }) => span === 24)
        for (const rows of [byHour, byDay, tallyAll(totals, '3')]) {
          expect(sum(rows, 'clicks')).toBe(clicks.length)
          expect(sum(rows, 'visitors')).toBe(first.size)
          expect(sum(rows, 'bots')).toBe(clicks.filter(({ facts }) => facts.kind === 'bot').length)
          expect(sum(rows, 'previews')).toBe(clicks.filter(({ facts }) => facts.kind === 'preview').length)
        }
      }),
    )
  })

  it('of all links together have one row a day, under the id of no link, in order', () => {
    fc.assert(
      fc.property(anyClicks, ({ clicks }) => {
        const rows = tallyAll(
          tally(clicks, () => false),
          '3',
        )
        const days = [...new Set(clicks.map(({ at }) => dayOf(at) * 24))].sort((a, b) => a - b)
        expect(rows.map(({ hour }) => hour)).toEqual(days)
        for (const row of rows) {
          const count = clicks.filter(({ at }) => dayOf(at) * 24 === row.hour).length
          expect(row).toMatchObject({ linkId: 0n, dimension: TOTAL, span: 24, value: '3', clicks: count })
        }
      }),
    )
  })

  it('count, for each dimension and span, each value of each link by hour and by day', () => {
    fc.assert(
      fc.property(anyClicks, ({ clicks, first }) => {
        const rows = tally(clicks, (click) => first.has(click)).filter(({ dimension }) => dimension !== TOTAL)
        const counted = rows.map((row) => [keyOf(row), row.clicks, row.visitors])
        expect(rows.every(({ bots, previews }) => bots === 0 && previews === 0)).toBe(true)
        expect(new Set(counted.map(String))).toEqual(new Set(countOneByOne(clicks, first).map(String)))
      }),
    )
  })

  it('come in the order of their key, each key once', () => {
    fc.assert(
      fc.property(anyClicks, ({ clicks }) => {
        const rows = tally(clicks, () => false)
        for (const [i, row] of rows.slice(1).entries()) {
          const before = rows[i] as RollupRow
          const order =
            compare(before.linkId, row.linkId) ||
            before.dimension - row.dimension ||
            before.span - row.span ||
            before.hour - row.hour ||
            compare(before.value, row.value)
          expect(order).toBeLessThan(0)
        }
      }),
    )
  })

  it('are the same whatever the order of the clicks', () => {
    fc.assert(
      fc.property(anyClicks, ({ clicks, first }) => {
        const isFirst = (click: StoredClick) => first.has(click)
        expect(tally(clicks.toReversed(), isFirst)).toEqual(tally(clicks, isFirst))
      }),
    )
  })

  it('ask for each click once, in order, whether it is a visitor’s first', () => {
    fc.assert(
      fc.property(anyClicks, ({ clicks }) => {
        const asked: StoredClick[] = []
        tally(clicks, (click) => asked.push(click) < 0)
        expect(asked).toEqual(clicks)
      }),
    )
  })
})

describe('a click', () => {
  const click: StoredClick = { linkId: 1n, at: START + 90 * 60_000, visitor: '0'.repeat(16), facts: NO_FACTS }

  it.each(['bot', 'preview'] as const)('of a %s is in the rows that count all, and in no other', (kind) => {
    const total = {
      linkId: 1n,
      dimension: TOTAL,
      value: '',
      clicks: 1,
      visitors: 0,
      bots: kind === 'bot' ? 1 : 0,
      previews: kind === 'preview' ? 1 : 0,
    }
    expect(tally([{ ...click, facts: { ...NO_FACTS, kind, utmSource: 'x' } }], () => false)).toEqual([
      { ...total, span: 1, hour: hourOf(click.at) },
      { ...total, span: 24, hour: dayOf(click.at) * 24 },
    ])
  })

  it('has a row for what is not known of it, and for a UTM parameter or a destination only where there is one', () => {
    const dimensions = (given: Partial<ClickFacts>) =>
      new Set(tally([{ ...click, facts: { ...NO_FACTS, ...given } }], () => true).map(({ dimension }) => dimension))
    const always = new Set([TOTAL, ...DIMENSIONS.slice(0, 7).map(dimensionNumber)])
    expect(dimensions({})).toEqual(always)
    expect(dimensions({ utmTerm: 'x' })).toEqual(new Set([...always, dimensionNumber('utm_term')]))
    expect(dimensions({ destination: 'x' })).toEqual(new Set([...always, dimensionNumber('destination')]))
  })

  it('is of the hour and the UTC day in which it was', () => {
    const midnight = Date.UTC(2026, 0, 2)
    expect([hourOf(midnight - 1), hourOf(midnight)]).toEqual([midnight / 3_600_000 - 1, midnight / 3_600_000])
    expect([dayOf(midnight - 1), dayOf(midnight)]).toEqual([midnight / 86_400_000 - 1, midnight / 86_400_000])
  })
})

it('dimensions keep the numbers that rows of older releases have', () => {
  expect(Object.fromEntries(DIMENSIONS.map((name) => [name, dimensionNumber(name)]))).toEqual({
    referrer: 1,
    country: 2,
    city: 3,
    browser: 4,
    os: 5,
    device: 6,
    language: 7,
    utm_source: 8,
    utm_medium: 9,
    utm_campaign: 10,
    utm_term: 11,
    utm_content: 12,
    destination: 13,
  })
})

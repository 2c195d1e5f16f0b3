import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIMENSIONS, isGivenOnly, OTHER } from '@/lib/clicks/dimensions'
import { DatabaseGateway } from '@/lib/db/gateway'
import { createIdSource } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { keepClicks, type TestClick } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import { statsCsv } from './csv'
import { type Stats, StatsQuery } from './schemas'
import { getStats } from './stats'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 8)
atEnd(() => db.close())

const BASE = Date.UTC(2026, 9, 20)
/** Links came here when they were created. */
const idAtBase = createIdSource(() => BASE)
const NOW = BASE + 10 * DAY
const iso = (at: number) => new Date(at).toISOString()

async function linkWith(clicks: TestClick[]) {
  const link = { id: idAtBase(), createdAt: new Date(BASE) }
  await keepClicks(
    connection,
    link.id,
    clicks.toSorted((a, b) => a.at - b.at),
  )
  return link
}

const ask = (link: { id: bigint; createdAt: Date }, query: Record<string, string> = {}, now = NOW, days = 365) =>
  getStats({ db }, link, StatsQuery.parse(query), days, new Date(now))

const arbitraryClick = fc.record({
  at: fc.integer({ min: BASE, max: NOW - 1 }),
  kind: fc.constantFrom('person' as const, 'person' as const, 'bot' as const, 'preview' as const),
  visitor: fc.nat(6),
  country: fc.constantFrom('', 'DE', 'NP'),
  city: fc.constantFrom('', 'Köln', 'काठमाडौँ', '🌍', 'a', 'A'),
  referrer: fc.constantFrom('', 'news.example', "'; DROP TABLE Click; --"),
  utm_source: fc.constantFrom('', 'mail', '=cmd()'),
})

/** The same answer, counted here. `perValue`: a visitor counts once a day for each value, not with the first click alone. */
function counted(clicks: TestClick[], perValue = false) {
  const people = new Set<string>()
  const first = new Set<TestClick>()
  for (const click of clicks.toSorted((a, b) => a.at - b.at)) {
    const person = `${Math.floor(click.at / DAY)}|${click.visitor}`
    if (click.kind !== 'person' || people.has(person)) continue
    people.add(person)
    first.add(click)
  }
  const kind = (name: string) => clicks.filter((click) => click.kind === name).length
  const breakdown = Object.fromEntries(
    DIMENSIONS.map((dimension) => {
      const shares = new Map<string, { value: string; clicks: number; visitors: number }>()
      for (const click of clicks) {
        const value = click[dimension] ?? ''
        if (click.kind !== 'person' || (value === '' && isGivenOnly(dimension))) continue
        const share = shares.get(value) ?? { value, clicks: 0, visitors: 0 }
        share.clicks += 1
        const key = `${dimension}|${value}|${Math.floor(click.at / DAY)}|${click.visitor}`
        share.visitors += perValue ? Number(!people.has(key)) : Number(first.has(click))
        people.add(key)
        shares.set(value, share)
      }
      return [dimension, [...shares.values()].sort((a, b) => b.clicks - a.clicks || Buffer.compare(...bytes(a.value, b.value)))]
    }),
  )
  return {
    totals: { clicks: clicks.length, visitors: first.size, bots: kind('bot'), previews: kind('preview') },
    breakdown,
  }
}
const bytes = (a: string, b: string): [Buffer, Buffer] => [Buffer.from(a), Buffer.from(b)]

function expectSums({ totals, series, hourOfWeek }: Stats) {
  expect(series.reduce((sum, point) => sum + point.clicks, 0)).toBe(totals.clicks)
  expect(series.reduce((sum, point) => sum + point.visitors, 0)).toBe(totals.visitors)
  expect(hourOfWeek.flat().reduce((sum, clicks) => sum + clicks, 0)).toBe(totals.clicks)
}

const timezone = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia')

describe('rollups', () => {
  it('give the counts that the single clicks give, for any range of hours and any time zone', async () => {
    const hours = fc.tuple(fc.nat(239), fc.nat(239)).filter(([a, b]) => a !== b)
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryClick, { maxLength: 60 }), hours, timezone, async (clicks, [a, b], zone) => {
        const link = await linkWith(clicks)
        const [from, to] = [BASE + Math.min(a, b) * HOUR, BASE + Math.max(a, b) * HOUR]
        const stats = await ask(link, { from: iso(from), to: iso(to), timezone: zone, interval: 'day', limit: '1000' })
        const within = clicks.filter(({ at }) => at >= from && at < to)
        // A person's first click of the day may lie before the range: then no row within counts them.
        const isWhole = from % DAY === 0
        const expected = counted(within)
        expectSums(stats)
        expect({ ...stats.totals, visitors: 0 }).toEqual({ ...expected.totals, visitors: 0 })
        if (isWhole) expect(stats.totals.visitors).toBe(expected.totals.visitors)
        for (const dimension of DIMENSIONS) {
          const plain = (shares: { value: string; clicks: number; visitors: number }[] = []) =>
            shares.map(({ value, clicks, visitors }) => ({ value, clicks, visitors: isWhole ? visitors : 0 }))
          expect(plain(stats.breakdown[dimension])).toEqual(plain(expected.breakdown[dimension]))
        }
      }),
      { numRuns: 40 },
    )
  })

  it('and single clicks agree under a filter: the one counts what the other finds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryClick, { maxLength: 60 }), timezone, async (clicks, zone) => {
        const link = await linkWith(clicks)
        const range = { from: iso(BASE), to: iso(NOW), timezone: zone, limit: '1000' }
        const one = await ask(link, { ...range, country: 'DE' })
        const within = clicks.filter(({ kind, country }) => kind === 'person' && country === 'DE')
        expectSums(one)
        expect(one.totals).toMatchObject({ clicks: within.length, bots: 0, previews: 0 })
        const { country, source, ...others } = one.breakdown
        expect(country).toEqual(within.length > 0 ? [{ value: 'DE', ...pick(one.totals) }] : [])
        // No host of these has a name of its own.
        expect(source).toEqual(others.referrer)
        expect(others).toEqual(without(counted(within, true).breakdown, 'country'))
        const two = await ask(link, { ...range, country: 'DE', city: 'a' })
        const narrow = within.filter(({ city }) => city === 'a')
        expectSums(two)
        expect(two.totals).toEqual(counted(narrow).totals)
        expect(two.breakdown.referrer).toEqual(counted(narrow, true).breakdown.referrer)
      }),
      { numRuns: 25 },
    )
  })
})

const pick = ({ clicks, visitors }: { clicks: number; visitors: number }) => ({ clicks, visitors })
const without = (all: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(all).filter(([key]) => key !== name))

describe('the series', () => {
  it('counts minutes exactly, and is zero where nobody clicked', async () => {
    const at = BASE + 10 * HOUR
    const link = await linkWith([
      { at: at - 1, visitor: 1 },
      { at: at, visitor: 1 },
      { at: at + 59_999, visitor: 1 },
      { at: at + MINUTE, visitor: 2, kind: 'bot' },
      { at: at + 30 * MINUTE, visitor: 3 },
    ])
    const stats = await ask(link, { from: iso(at), to: iso(at + 30 * MINUTE) })
    expect(stats).toMatchObject({ interval: 'minute', totals: { clicks: 3, visitors: 1, bots: 1, previews: 0 } })
    expect(stats.series).toHaveLength(30)
    expect(stats.series.slice(0, 3)).toEqual([
      { at: iso(at), clicks: 2, visitors: 1 },
      { at: iso(at + MINUTE), clicks: 1, visitors: 0 },
      { at: iso(at + 2 * MINUTE), clicks: 0, visitors: 0 },
    ])
    expect(stats.previous).toMatchObject({ from: iso(at - 30 * MINUTE), totals: { clicks: 1, visitors: 1 } })
    expect(stats.breakdown.country).toEqual([{ value: '', clicks: 2, visitors: 1 }])
  })

  it.each([
    [6, 'minute'],
    [7, 'hour'],
    [72, 'hour'],
    [73, 'day'],
    [120 * 24, 'day'],
    [121 * 24, 'week'],
    [731 * 24, 'week'],
    [732 * 24, 'month'],
  ])('of %d hours has a point for each %s by itself', async (hours, interval) => {
    const link = await linkWith([])
    expect(await ask(link, { from: iso(NOW - hours * HOUR) })).toMatchObject({ interval })
  })

  it('covers from the hour of the first click until now when nothing is said, and then has no period before', async () => {
    const link = await linkWith([{ at: BASE + 5 * HOUR + 123 }, { at: BASE + 9 * DAY }])
    const stats = await ask(link, {}, NOW - 1)
    expect(stats).toMatchObject({ from: iso(BASE + 5 * HOUR), to: iso(NOW), previous: null, totals: { clicks: 2 } })
  })

  it('covers the time since its making where a link has no clicks', async () => {
    const stats = await ask(await linkWith([]))
    expect(stats).toMatchObject({ from: iso(BASE), totals: { clicks: 0 }, previous: null, rawSince: null })
    expect(Object.values(stats.breakdown).flat()).toEqual([])
  })

  it('has the period before beside it, unless that lies before the first click', async () => {
    const link = await linkWith([{ at: BASE + DAY }, { at: BASE + 2 * DAY }, { at: BASE + 4 * DAY }])
    const stats = await ask(link, { from: iso(BASE + 3 * DAY), to: iso(BASE + 5 * DAY), interval: 'day' })
    expect(stats.previous).toMatchObject({ from: iso(BASE + DAY), to: iso(BASE + 3 * DAY), totals: { clicks: 2 } })
    expect(stats.previous?.series.map(({ clicks }) => clicks)).toEqual([1, 1])
    expect((await ask(link, { from: iso(BASE + DAY), to: iso(BASE + 5 * DAY) })).previous).toBeNull()
  })
})

describe('what is refused', () => {
  it.each([
    ['more than 2,000 points', { from: iso(NOW - 90 * DAY), interval: 'hour' }, 'interval'],
    ['minutes of more than six hours', { from: iso(NOW - 6 * HOUR - 1), interval: 'minute' }, 'interval'],
    ['a range that ends before it begins', { from: iso(NOW - 5), to: iso(NOW - 5) }, 'from'],
    ['a range in the future', { from: iso(NOW + 1) }, 'from'],
    ['an end before the first click', { to: iso(BASE - DAY) }, 'to'],
    ['the year 1', { from: '0001-01-01T00:00:00Z' }, 'from'],
    ['the year 9999', { to: '9999-12-31T23:59:59Z' }, 'to'],
  ])('%s', async (_what, query, path) => {
    const link = await linkWith([])
    await expect(ask(link, query)).rejects.toMatchObject({ code: 'validation_failed', errors: [{ path }] })
  })

  it('unless there are so many clicks that nobody asked for by minutes: they are counted by hours', async () => {
    const link = await linkWith([{ at: NOW - HOUR }])
    await connection.query('UPDATE ClickRollup SET clicks = 100001 WHERE linkId = ? AND dimension = 0', [link.id])
    const from = iso(NOW - 2 * HOUR)
    expect(await ask(link, { from })).toMatchObject({ interval: 'hour', totals: { clicks: 100_001 } })
    expect(await ask(link, { from, interval: 'minute' })).toMatchObject({ interval: 'minute', totals: { clicks: 1 } })
  })
})

describe('breakdowns', () => {
  it('are cut to the values asked for, the most frequent first, then in order of value', async () => {
    const names = ['b', 'a', 'c', 'c', 'd']
    const link = await linkWith(names.map((city, index) => ({ at: BASE + index, city, visitor: index })))
    const { city } = (await ask(link, { limit: '2' })).breakdown
    expect(city.map(({ value, clicks }) => [value, clicks])).toEqual([
      ['c', 2],
      ['a', 1],
    ])
  })

  it('bring hostile texts through unharmed, and find them as filters', async () => {
    const texts = ['<script>alert(1)</script>', "' OR 1=1 -- ", '=cmd()', 'nul\0nul', '👩‍👩‍👧‍👦 𝕏', '%_\\', 'back\\']
    const link = await linkWith(texts.map((referrer, index) => ({ at: BASE + index, referrer, visitor: index })))
    const { referrer } = (await ask(link)).breakdown
    expect(referrer.map(({ value }) => value).sort()).toEqual([...texts].sort())
    for (const text of texts) {
      expect((await ask(link, { referrer: text })).totals.clicks).toBe(1)
      expect((await ask(link, { referrer: text, country: '' })).totals.clicks).toBe(1)
    }
  })

  it('find clicks without a UTM parameter by an empty filter', async () => {
    const link = await linkWith([{ at: BASE }, { at: BASE + 1, utm_source: 'mail' }, { at: BASE + 2, kind: 'bot' }])
    expect((await ask(link, { utm_source: '' })).totals).toMatchObject({ clicks: 1, bots: 0 })
  })
})

describe('when single clicks were deleted', () => {
  const clicks = [
    { at: BASE, country: 'DE' },
    { at: NOW - DAY, country: 'DE', city: 'Köln' },
  ]

  it('says since when a breakdown under a filter counts them, and still knows all of the totals', async () => {
    const stats = await ask(await linkWith(clicks), { country: 'DE' }, NOW, 5)
    expect(stats).toMatchObject({ rawSince: iso(NOW - 5 * DAY), totals: { clicks: 2 } })
    expect(stats.breakdown.city).toEqual([{ value: 'Köln', clicks: 1, visitors: 1 }])
  })

  it('says nothing where none is missing', async () => {
    const link = await linkWith(clicks)
    expect((await ask(link, {}, NOW, 5)).rawSince).toBeNull()
    expect((await ask(link, { country: 'DE' }, NOW, 20)).rawSince).toBeNull()
    expect((await ask(link, { country: 'DE', from: iso(NOW - 2 * DAY) }, NOW, 5)).rawSince).toBeNull()
  })
})

describe('when there are more than 300,000 clicks to count one by one', () => {
  it('counts the latest, says since when, and knows all of what is kept counted', async () => {
    const link = await linkWith([
      { at: BASE, country: 'DE', city: 'Bonn' },
      { at: BASE + DAY, country: 'DE' },
      { at: BASE + 2 * DAY, country: 'DE', city: 'Köln' },
    ])
    const inflate = 'UPDATE ClickRollup SET clicks = 300000 WHERE linkId = ? AND dimension = 0 AND hour = ?'
    await connection.query(inflate, [link.id, (BASE + DAY) / HOUR])
    const since = iso(BASE + DAY + HOUR)
    const one = await ask(link, { country: 'DE' })
    expect(one).toMatchObject({ rawSince: since, totals: { clicks: 3 } })
    expect(one.breakdown.city).toEqual([{ value: 'Köln', clicks: 1, visitors: 1 }])
    const two = await ask(link, { country: 'DE', device: '', from: iso(BASE + DAY), to: iso(BASE + 3 * DAY) })
    expect(two).toMatchObject({ rawSince: since, totals: { clicks: 1 }, previous: null })
    expect((await ask(link, {})).rawSince).toBeNull()
  })

  it('does not compare with a period before that it cannot count', async () => {
    const link = await linkWith([{ at: BASE }, { at: BASE + 3 * DAY }, { at: BASE + 4 * DAY }])
    const query = { country: '', device: '', from: iso(BASE + 4 * DAY), to: iso(BASE + 5 * DAY) }
    expect((await ask(link, query)).previous).toMatchObject({ totals: { clicks: 1 } })
    await connection.query('UPDATE ClickRollup SET clicks = 300000 WHERE linkId = ? AND hour = ?', [
      link.id,
      (BASE + 3 * DAY) / HOUR,
    ])
    expect(await ask(link, query)).toMatchObject({ rawSince: null, previous: null, totals: { clicks: 1 } })
  })
})

it('a scan that takes the server too long is ended there, and says so', async () => {
  const hurried = new DatabaseGateway(url, 2, 50)
  const slow = hurried.scan('COUNT(*) AS n FROM (SELECT SLEEP(20)) AS s')
  await expect(slow).rejects.toMatchObject({ code: 'unavailable', retryAfter: 10 })
  expect(hurried.breakerState).toBe('closed')
  await hurried.close()
})

describe('values beyond those that are counted each for itself', () => {
  it('are told apart from all that a client can send, and are among no other values', async () => {
    const at = BASE + HOUR
    const clicks = [OTHER, OTHER, 'other', '(other)', 'Other', 'Other'].map((referrer, visitor) => ({ at, referrer, visitor }))
    const link = await linkWith(clicks)
    const stats = await ask(link, { limit: '2' })
    expect(stats.others).toEqual({ referrer: { clicks: 2, visitors: 2 } })
    expect(stats.breakdown.referrer).toEqual([
      { value: 'Other', clicks: 2, visitors: 2 },
      { value: '(other)', clicks: 1, visitors: 1 },
    ])
    expect([...statsCsv(stats)].join('')).toMatch(/referrer_other"?,"?"?,2,2,/)
    expect((await ask(link, { referrer: 'other' })).others).toEqual({})
  })
})

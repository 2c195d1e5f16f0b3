import { expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { keepClicks, type TestClick } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { DAY, HOUR } from '@/lib/tools/time'
import { StatsQuery } from './schemas'
import { getStats } from './stats'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 8)
atEnd(() => db.close())

const BASE = Date.UTC(2026, 9, 20)
const NOW = BASE + 10 * DAY

const CLICKS: TestClick[] = [
  { at: BASE, visitor: 1, browser: 'Firefox' },
  { at: BASE + HOUR, visitor: 1, browser: 'Firefox', country: 'DE' },
  { at: BASE + HOUR, visitor: 2, browser: 'Chrome' },
  { at: BASE + HOUR, visitor: 3, kind: 'bot', browser: 'Googlebot' },
  { at: BASE + DAY, visitor: 3, kind: 'bot', browser: 'Googlebot', country: 'DE' },
  { at: BASE + DAY, visitor: 4, kind: 'preview', browser: 'Slack' },
]

async function ask(query: Record<string, string>) {
  const link = { id: nextId(), createdAt: new Date(BASE) }
  await keepClicks(connection, link.id, CLICKS)
  return getStats({ db }, link, StatsQuery.parse(query), 365, new Date(NOW))
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

it.each([
  ['person', 3, 2, ['Firefox', 'Chrome']],
  ['bot', 2, 0, ['Googlebot']],
  ['preview', 1, 0, ['Slack']],
] as const)(
  'kind=%s counts nothing else, and still says how many bots and previews there were',
  async (kind, clicks, visitors, browsers) => {
    const stats = await ask({ kind })
    expect(stats.totals).toEqual({ clicks, visitors, bots: 2, previews: 1 })
    expect(sum(stats.series.map((point) => point.clicks))).toBe(clicks)
    expect(sum(stats.series.map((point) => point.visitors))).toBe(visitors)
    expect(sum(stats.hourOfWeek.flat())).toBe(clicks)
    expect(stats.breakdown.browser.map(({ value }) => value)).toEqual(browsers)
  },
)

it('by minutes the same', async () => {
  const range = { from: new Date(BASE).toISOString(), to: new Date(BASE + 2 * HOUR).toISOString() }
  expect(await ask({ ...range, kind: 'person' })).toMatchObject({
    interval: 'minute',
    totals: { clicks: 3, visitors: 2, bots: 1, previews: 0 },
  })
})

it('a filter finds clicks of the kind asked for, and of people by itself', async () => {
  expect((await ask({ country: 'DE' })).totals).toEqual({ clicks: 1, visitors: 0, bots: 0, previews: 0 })
  expect((await ask({ country: 'DE', kind: 'bot' })).totals).toMatchObject({ clicks: 1, visitors: 0 })
  expect((await ask({ country: 'DE', kind: 'preview' })).totals.clicks).toBe(0)
})

import { expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { keepClicks } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { DAY, HOUR } from '@/lib/tools/time'
import { StatsQuery } from './schemas'
import { getStats } from './stats'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 8)
atEnd(() => db.close())

const FIRST = Date.UTC(2024, 0, 1)
const NOW = Date.UTC(2026, 9, 30)
const iso = (at: number) => new Date(at).toISOString()

async function ask(query: Record<string, string>) {
  const link = { id: nextId(), createdAt: new Date(FIRST) }
  // Berlin sets its clocks back on 26 October 2025, and on 25 October 2026.
  const at = [FIRST, Date.UTC(2025, 9, 26, 12), Date.UTC(2025, 9, 27, 12), Date.UTC(2026, 9, 26, 12)]
  await keepClicks(
    connection,
    link.id,
    at.map((time, visitor) => ({ at: time, visitor, country: 'DE' })),
  )
  return getStats({ db }, link, StatsQuery.parse({ timezone: 'Europe/Berlin', ...query }), 5_000, new Date(NOW))
}

// 20 to 27 October by the clocks of Berlin.
const WEEK = { from: '2026-10-19T22:00:00.000Z', to: '2026-10-26T23:00:00.000Z', interval: 'day' }

it.each<Record<string, string>>([{}, { country: 'DE' }, { country: 'DE', device: '' }])(
  'the same period a year earlier has the same days (with %j)',
  async (more) => {
    const { previous, totals } = await ask({ ...WEEK, ...more, compare: 'year' })
    expect(totals.clicks).toBe(1)
    expect(previous).toMatchObject({
      from: '2025-10-19T22:00:00.000Z',
      to: '2025-10-26T23:00:00.000Z',
      totals: { clicks: 1 },
    })
    expect(previous?.series).toHaveLength(7)
  },
)

it('a year before the first click there is nothing to compare with, and none where none is asked for', async () => {
  const early = { from: iso(FIRST), to: iso(FIRST + 7 * DAY), interval: 'day' }
  expect((await ask({ ...early, compare: 'year' })).previous).toBeNull()
  expect((await ask({ ...WEEK, compare: 'none' })).previous).toBeNull()
  expect((await ask(WEEK)).previous?.totals.clicks).toBe(0)
})

it.each<Record<string, string>>([{}, { country: 'DE', device: '' }])(
  'any period can be compared with (with %j)',
  async (more) => {
    const own = { compareFrom: '2025-10-26T00:00:00Z', compareTo: '2025-10-28T00:00:00Z' }
    expect((await ask({ ...WEEK, ...more, ...own })).previous).toMatchObject({
      from: '2025-10-26T00:00:00.000Z',
      totals: { clicks: 2 },
    })
    // Later than the range, and without a beginning of the range.
    const later = { compareFrom: iso(NOW - 7 * DAY), compareTo: iso(NOW) }
    const to = iso(Date.UTC(2025, 11, 1))
    expect(await ask({ to, ...more, ...later })).toMatchObject({ totals: { clicks: 3 }, previous: { totals: { clicks: 1 } } })
  },
)

it.each([
  [{ compareFrom: iso(NOW - DAY) }, 'compareTo'],
  [{ compareTo: iso(NOW - DAY) }, 'compareFrom'],
  [{ compareFrom: iso(NOW), compareTo: iso(NOW - DAY) }, 'compareTo'],
  [{ compareFrom: '0001-01-01T00:00:00Z', compareTo: iso(NOW) }, 'compareFrom'],
  [{ compareFrom: iso(FIRST), compareTo: iso(NOW), interval: 'hour' }, 'compareTo'],
  [{ compareFrom: iso(FIRST), compareTo: iso(NOW), interval: 'minute', from: iso(NOW - HOUR), to: iso(NOW) }, 'compareTo'],
])('a period that cannot be compared with is refused: %j', async (query, path) => {
  await expect(ask({ ...WEEK, ...query })).rejects.toMatchObject({ code: 'validation_failed', errors: [{ path }] })
})

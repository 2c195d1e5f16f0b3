import { describe, expect, it } from 'vitest'
import { nextId } from '@/lib/db/id'
import { destinationName } from '@/lib/routing/destination-name'
import { keepClicks, type TestClick } from '@/lib/testing/clicks'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { DAY } from '@/lib/tools/time'
import { allClicks } from './clicks'
import { clicksCsv, statsCsv } from './csv'
import { destinationOutcomes } from './destinations'
import { ClicksExportQuery, StatsQuery } from './schemas'
import { getStats } from './stats'

const { url, connection } = await testDatabase()
const db = openGateway(url)

const BASE = Date.UTC(2026, 9, 20)
const NOW = new Date(BASE + 9 * DAY)
const [A, B, C] = ['https://a.example/x', 'https://b.example/y', 'https://c.example/z'] as const

async function linkWith(clicks: TestClick[]) {
  const link = { id: nextId(), createdAt: new Date(BASE) }
  await keepClicks(connection, link.id, clicks)
  return link
}
const ask = (link: Awaited<ReturnType<typeof linkWith>>, query: object = {}) =>
  getStats({ db }, link, StatsQuery.parse(query), Number.POSITIVE_INFINITY, NOW)

describe('what people did with destinations', () => {
  it('is counted for each, and adds up to all clicks of people', async () => {
    const link = await linkWith([
      { at: BASE, visitor: 1, destination: A },
      { at: BASE + 1, visitor: 1, destination: A },
      { at: BASE + 2, visitor: 2, destination: B },
      { at: BASE + 3, kind: 'bot', destination: B },
    ])
    const stats = await ask(link, { kind: 'person' })
    expect(stats.totals).toMatchObject({ clicks: 3, visitors: 2 })
    expect(stats.breakdown.destination).toEqual([
      { value: A, clicks: 2, visitors: 1 },
      { value: B, clicks: 1, visitors: 1 },
    ])
    expect(Object.fromEntries(await destinationOutcomes(db, link.id, [A, B, C]))).toEqual({
      [A]: { clicks: 2, visitors: 1, converted: 0 },
      [B]: { clicks: 1, visitors: 1, converted: 0 },
      [C]: { clicks: 0, visitors: 0, converted: 0 },
    })
  })

  it('is compared from the first day on which all of those that had clicks had some', async () => {
    const early = Array.from({ length: 9 }, (_, i) => ({ at: BASE + i, visitor: i, destination: A }))
    const late = [A, B, A].map((destination, i) => ({ at: BASE + DAY + i, visitor: i, destination }))
    const link = await linkWith([...early, ...late])
    expect(Object.fromEntries(await destinationOutcomes(db, link.id, [A, B, C]))).toEqual({
      [A]: { clicks: 2, visitors: 2, converted: 0 },
      [B]: { clicks: 1, visitors: 1, converted: 0 },
      [C]: { clicks: 0, visitors: 0, converted: 0 },
    })
  })

  it('is found for addresses that are longer than their names', async () => {
    const long = `https://a.example/${'x'.repeat(400)}`
    const link = await linkWith([{ at: BASE, destination: destinationName(long) }])
    expect((await destinationOutcomes(db, link.id, [long])).get(long)).toEqual({ clicks: 1, visitors: 1, converted: 0 })
  })

  it('filters as any other value does, and is in exports', async () => {
    const link = await linkWith([
      { at: BASE, visitor: 1, destination: A, country: 'DE' },
      { at: BASE + 1, visitor: 2, destination: B, country: 'FR' },
      { at: BASE + 2, visitor: 3, destination: B, country: 'DE' },
      { at: BASE + 3, visitor: 4 },
    ])
    const filtered = await ask(link, { destination: B })
    expect(filtered.totals.clicks).toBe(2)
    expect(filtered.breakdown.destination).toEqual([{ value: B, clicks: 2, visitors: 2 }])
    expect(filtered.breakdown.country.map(({ value }) => value).sort()).toEqual(['DE', 'FR'])
    expect((await ask(link, { country: 'DE' })).breakdown.destination.map(({ value }) => value)).toEqual([A, B])
    expect((await ask(link, { destination: '' })).totals.clicks).toBe(1)
    expect([...statsCsv(await ask(link))].join('')).toContain(`"destination","${B}",2,2,`)
    let csv = ''
    for await (const part of clicksCsv(allClicks({ db }, link, ClicksExportQuery.parse({ destination: A }), NOW))) csv += part
    expect(csv.trimEnd().split('\r\n')).toHaveLength(2)
    expect(csv).toContain(`"${A}"`)
  })

  it('is nothing for a link that leads everyone to the same, however it is asked', async () => {
    const link = await linkWith([{ at: BASE, country: 'DE' }])
    for (const query of [{}, { country: 'DE' }, { kind: 'bot' }])
      expect((await ask(link, query)).breakdown.destination).toEqual([])
  })
})

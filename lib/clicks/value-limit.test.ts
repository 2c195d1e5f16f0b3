import { describe, expect, it } from 'vitest'
import { makeLink, openGateway, storedBatch, storedClick } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { applyBatches, newCountingMemory } from './apply'
import { slotSql, slotTime } from './click-id'
import { CLICK_COLUMN, DIMENSIONS, dimensionNumber, isGivenOnly, mostValues, OTHER } from './dimensions'
import { ALL_FACTS, singleClicksWith } from './single-clicks'

const { url, connection } = await testDatabase()
const db = openGateway(url, 4)
const HOUR = 3_600_000
const DAY = Date.UTC(2026, 5, 1)

let made = 0
const word = () => `value ${++made}`
/** A click that is like no other in all that a client may choose. */
const wild = (id: bigint, at = DAY) => {
  const [referrer, language, utmSource, utmMedium, utmCampaign, utmTerm, utmContent] = [1, 2, 3, 4, 5, 6, 7].map(word)
  return storedClick(id, { at, referrer, language: language?.slice(-8), utmSource, utmMedium, utmCampaign, utmTerm, utmContent })
}
const clicksOf = (id: bigint, count: number, at = DAY) => Array.from({ length: count }, () => wild(id, at))

interface Row {
  dimension: number
  span: number
  hour: number
  value: string
  clicks: number
  visitors: number
}

const rowsOf = (id: bigint) =>
  connection.query<Row[]>(
    `SELECT dimension, span, hour, value, CAST(clicks AS DOUBLE) AS clicks, CAST(visitors AS DOUBLE) AS visitors
       FROM ClickRollup WHERE linkId = ? AND dimension > 0`,
    [id],
  )

/** Each dimension, hour and day has at most so many values, and their clicks are those of the single clicks. */
async function expectBoundedAndExact(id: bigint): Promise<Row[]> {
  const rows = await rowsOf(id)
  for (const dimension of DIMENSIONS) {
    const own = rows.filter((row) => row.dimension === dimensionNumber(dimension))
    const given = isGivenOnly(dimension) ? `AND ${CLICK_COLUMN[dimension]} <> ''` : ''
    const single = await connection.query<{ slot: number; n: number }[]>(
      `SELECT CAST(${slotSql('click.id', HOUR)} AS DOUBLE) AS slot, CAST(COUNT(*) AS DOUBLE) AS n FROM ${singleClicksWith(ALL_FACTS)}
        WHERE linkId = ? AND kind = 0 ${given} GROUP BY slot`,
      [id],
    )
    for (const { slot, n } of single) {
      const hour = slotTime(slot, HOUR) / HOUR
      const ofHour = own.filter((row) => row.span === 1 && row.hour === hour)
      expect(ofHour.reduce((sum, row) => sum + row.clicks, 0)).toBe(n)
      expect(ofHour.filter(({ value }) => value !== OTHER).length).toBeLessThanOrEqual(mostValues(dimension))
    }
    const sums = (span: number) => {
      const sum = new Map<string, number>()
      for (const row of own.filter((row) => row.span === span)) {
        const key = `${Math.floor(row.hour / 24)} ${row.value} ${row.visitors >= 0}`
        sum.set(key, (sum.get(key) ?? 0) + row.clicks)
      }
      return new Map([...sum].sort())
    }
    // What a value has in a day is what it has in the hours of that day.
    expect(sums(24)).toEqual(sums(1))
    const visitors = (span: number) => own.filter((row) => row.span === span).reduce((sum, row) => sum + row.visitors, 0)
    expect(visitors(24)).toBe(visitors(1))
  }
  return rows
}

const linkClicks = async (id: bigint) =>
  Number((await connection.query<{ clicks: bigint }[]>('SELECT clicks FROM Link WHERE id = ?', [id]))[0]?.clicks)
const valuesOf = (rows: Row[], dimension: 'referrer' | 'city', span = 1) =>
  rows.filter((row) => row.dimension === dimensionNumber(dimension) && row.span === span)

describe('the values of a link in an hour', () => {
  it('are bounded whatever clients send, and nothing is lost from the sum', async () => {
    const { id } = await makeLink(db)
    for (let i = 0; i < 10; i++) await applyBatches(db, [storedBatch(clicksOf(id, 100))])
    const rows = await expectBoundedAndExact(id)
    // 12,014 without a bound.
    expect(rows.length).toBeLessThan(800)
    const others = valuesOf(rows, 'referrer').find(({ value }) => value === OTHER)
    expect(others).toMatchObject({ clicks: 1_000 - mostValues('referrer'), visitors: 1_000 - mostValues('referrer') })
    expect(await linkClicks(id)).toBe(1_000)
  })

  it('keep their own rows for as long as there is room: the first of them, all of their clicks', async () => {
    const { id } = await makeLink(db)
    const known = Array.from({ length: mostValues('referrer') }, (_, i) => `known ${i}`)
    const both = () => [...known.map((referrer) => storedClick(id, { at: DAY, referrer })), wild(id)]
    await applyBatches(db, [storedBatch(known.map((referrer) => storedClick(id, { at: DAY, referrer })))])
    for (let i = 0; i < 3; i++) await applyBatches(db, [storedBatch(both())])
    const rows = valuesOf(await expectBoundedAndExact(id), 'referrer')
    for (const value of known) expect(rows.find((row) => row.value === value)?.clicks).toBe(4)
    expect(rows.find(({ value }) => value === OTHER)?.clicks).toBe(3)
  })

  it('are bounded apart in each hour, on each link and in each dimension', async () => {
    const [{ id }, other] = [await makeLink(db), await makeLink(db)]
    const most = mostValues('referrer')
    await applyBatches(db, [storedBatch([...clicksOf(id, most + 20), ...clicksOf(id, most + 20, DAY + HOUR)])])
    await applyBatches(db, [storedBatch([...clicksOf(other.id, most - 1), ...clicksOf(id, 5, DAY + 24 * HOUR)])])
    await expectBoundedAndExact(id)
    const rows = await expectBoundedAndExact(other.id)
    expect(rows.some(({ value }) => value === OTHER)).toBe(false)
    const ofLink = await rowsOf(id)
    expect(valuesOf(ofLink, 'referrer').filter(({ value }) => value === OTHER)).toHaveLength(2)
    expect(valuesOf(ofLink, 'referrer', 24).filter(({ value }) => value === OTHER)).toHaveLength(1)
    // Nobody chooses the city that a network is in: there is more room.
    expect(valuesOf(ofLink, 'city').some(({ value }) => value === OTHER)).toBe(false)
  })

  it('are bounded with several consumers at work, who remember what they saw, and repeated batches', async () => {
    const { id } = await makeLink(db)
    const memories = Array.from({ length: 3 }, newCountingMemory)
    const batches = Array.from({ length: 60 }, (_, i) => storedBatch(clicksOf(id, 11, DAY + (i % 2) * HOUR)))
    await Promise.all(
      memories.map(async (memory, consumer) => {
        for (let i = 0; i < 60; i++) {
          const own = batches[(i * 7 + consumer * 3) % 60]
          if (own) await applyBatches(db, [own], memory)
        }
      }),
    )
    await expectBoundedAndExact(id)
    expect(await linkClicks(id)).toBe(660)
  })

  it('that were above the bound before there was one stay, and nothing is added to them', async () => {
    const { id } = await makeLink(db)
    const old = Array.from({ length: 300 }, (_, i) => [id, 1, 1, DAY / HOUR, `old ${i}`, 1, 0, 0, 0])
    const columns = 'linkId, dimension, span, hour, value, clicks, visitors, bots, previews'
    await connection.batch(`INSERT INTO ClickRollup (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
      [id, 0, 1, DAY / HOUR, '', 300, 0, 0, 0],
      ...old,
    ])
    const memory = newCountingMemory()
    for (let i = 0; i < 3; i++) await applyBatches(db, [storedBatch(clicksOf(id, 10))], memory)
    expect(valuesOf(await rowsOf(id), 'referrer')).toHaveLength(301)
  })
})

it('a transaction that failed leaves no value remembered that is not there', async () => {
  const { id } = await makeLink(db)
  const memory = newCountingMemory()
  const [first, bad] = [
    storedBatch(clicksOf(id, 40)),
    storedBatch([...clicksOf(id, 40), storedClick(id, { at: DAY, visitor: 'ab'.repeat(9) })]),
  ]
  await applyBatches(db, [first], memory)
  await expect(applyBatches(db, [bad], memory)).rejects.toThrow()
  await applyBatches(db, [storedBatch(clicksOf(id, 40))], memory)
  await applyBatches(db, [storedBatch(bad.clicks.slice(0, 40))], memory)
  await expectBoundedAndExact(id)
})

import { describe, expect, it } from 'vitest'
import { isDataError } from '@/lib/db/errors'
import { nextId } from '@/lib/db/id'
import {
  alike,
  type ClickCounts,
  clickCounts,
  makeLink,
  makeLinks,
  openGateway,
  storedBatch,
  storedClick,
} from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { type Applied, applyBatches, newCountingMemory, type StoredBatch } from './apply'
import { clickTimeOf } from './click-id'
import { ALL_FACTS, singleClicksWith } from './single-clicks'

const { url, connection } = await testDatabase()
const db = openGateway(url, 10)
/** As other processes have them. */
const others = Array.from({ length: 3 }, () => openGateway(url, 3))

const countsOf = (linkId: bigint): Promise<ClickCounts> => clickCounts(connection, linkId)
const clicksOf = (linkId: bigint, count: number) => Array.from({ length: count }, () => storedClick(linkId))

function total(results: Applied[]): Applied {
  const sum = { applied: 0, repeated: 0, orphaned: 0 }
  for (const result of results) for (const key of ['applied', 'repeated', 'orphaned'] as const) sum[key] += result[key]
  return sum
}

describe('a batch', () => {
  it('is counted once, alike in raw clicks, hours, days and the link, however often it comes', async () => {
    const { id } = await makeLink(db)
    const batch = storedBatch(clicksOf(id, 3))
    expect(await applyBatches(db, [batch])).toEqual({ applied: 3, repeated: 0, orphaned: 0 })
    expect(await applyBatches(db, [batch])).toEqual({ applied: 0, repeated: 1, orphaned: 0 })
    expect(await applyBatches(db, [batch, storedBatch(clicksOf(id, 2)), batch])).toMatchObject({ applied: 2, repeated: 2 })
    expect(await countsOf(id)).toEqual(alike(5))
  })

  it('is counted once when it comes twice in one go', async () => {
    const { id } = await makeLink(db)
    const batch = storedBatch(clicksOf(id, 4))
    expect(await applyBatches(db, [batch, { ...batch, clicks: [...batch.clicks] }])).toMatchObject({ applied: 4, repeated: 1 })
    expect(await countsOf(id)).toEqual(alike(4))
  })

  it('is counted once by eight processes with overlapping sets at the same time', async () => {
    const links = await makeLinks(db, 5)
    const batches = Array.from({ length: 60 }, (_, i) => storedBatch(links.flatMap(({ id }) => clicksOf(id, 1 + (i % 3)))))
    const gateways = [db, ...others, db, ...others]
    const results = await Promise.all(
      gateways.map(async (gateway, i) => {
        const own: Applied[] = []
        // Each has two thirds of all, begun at another place, in pieces of another size.
        const set = [...batches.slice(i * 7), ...batches.slice(0, i * 7)].slice(0, 40)
        for (let at = 0; at < set.length; at += 3 + i) own.push(await applyBatches(gateway, set.slice(at, at + 3 + i)))
        return total(own)
      }),
    )
    const clicks = batches.reduce((sum, batch) => sum + batch.clicks.length, 0)
    expect(total(results)).toEqual({ applied: clicks, repeated: 8 * 40 - 60, orphaned: 0 })
    for (const { id } of links) expect(await countsOf(id)).toEqual(alike(clicks / links.length))
  })

  it('of no clicks is remembered, and no batches are nothing', async () => {
    expect(await applyBatches(db, [])).toEqual({ applied: 0, repeated: 0, orphaned: 0 })
    const batch = storedBatch([])
    expect(await applyBatches(db, [batch])).toEqual({ applied: 0, repeated: 0, orphaned: 0 })
    expect(await applyBatches(db, [batch])).toMatchObject({ repeated: 1 })
  })

  it('is counted together with others: 5,000 clicks of 2,500 links in one go', async () => {
    const links = await makeLinks(db, 2_500)
    const batches = Array.from({ length: 10 }, (_, i) =>
      storedBatch(Array.from({ length: 500 }, (_, j) => storedClick(links[(i * 500 + j) % links.length]?.id ?? 0n))),
    )
    expect(await applyBatches(db, batches)).toEqual({ applied: 5_000, repeated: 0, orphaned: 0 })
    for (const at of [0, 999, 1_000, 2_499]) expect(await countsOf(links[at]?.id ?? 0n)).toEqual(alike(2))
    const ids = links.map(({ id }) => id)
    const [row] = await connection.query<{ n: bigint }[]>('SELECT SUM(clicks) AS n FROM Link WHERE id IN (?)', [ids])
    expect(Number(row?.n)).toBe(5_000)
  })
})

describe('visitors', () => {
  const visitor = 'ab'.repeat(8)
  const NOON = Date.UTC(2026, 0, 1, 12)
  const DAY = 86_400_000

  it('are counted once for each link and day', async () => {
    const [one, other] = await makeLinks(db, 2)
    const [a, b] = [one?.id ?? 0n, other?.id ?? 0n]
    const clicks = [
      ...[NOON, NOON, NOON + 3_600_000, NOON + DAY].map((at) => storedClick(a, { at, visitor })),
      storedClick(b, { at: NOON, visitor }),
      storedClick(a, { at: NOON }),
    ]
    await applyBatches(db, [storedBatch(clicks)])
    await applyBatches(db, [storedBatch([storedClick(a, { at: NOON + 60_000, visitor })])])
    expect(await countsOf(a)).toEqual(alike(6, 3))
    expect(await countsOf(b)).toEqual(alike(1, 1))
    const rows = await connection.query(
      'SELECT hour, CAST(visitors AS SIGNED) AS n FROM ClickRollup WHERE linkId = ? AND dimension = 4 AND span = 24 ORDER BY hour',
      [a],
    )
    expect(rows).toMatchObject([{ n: 2n }, { n: 1n }])
  })

  it('are counted once where many processes see them at the same time', async () => {
    const { id } = await makeLink(db)
    const batches = Array.from({ length: 24 }, () => storedBatch([storedClick(id, { at: NOON, visitor }), storedClick(id)]))
    await Promise.all(batches.map((batch, i) => applyBatches([db, ...others][i % 4] ?? db, [batch])))
    expect(await countsOf(id)).toEqual(alike(48, 25))
  })

  it('are people: bots and previews are counted beside them, and leave none behind', async () => {
    const { id } = await makeLink(db)
    const clicks = (['bot', 'preview', 'bot'] as const).map((kind) => storedClick(id, { kind, visitor, at: NOON }))
    await applyBatches(db, [storedBatch(clicks)])
    expect(await countsOf(id)).toEqual({ raw: 3, hours: 3, totals: 3, days: 0, link: 3, visitors: 0 })
    await applyBatches(db, [storedBatch([storedClick(id, { visitor, at: NOON })])])
    expect(await countsOf(id)).toEqual({ raw: 4, hours: 4, totals: 4, days: 1, link: 4, visitors: 1 })
    const [row] = await connection.query(
      'SELECT CAST(SUM(bots) AS SIGNED) AS bots, CAST(SUM(previews) AS SIGNED) AS previews FROM ClickRollup WHERE linkId = ? AND span = 1',
      [id],
    )
    expect(row).toEqual({ bots: 2n, previews: 1n })
  })
})

describe('the clicks of all links together', () => {
  const DAY = Date.UTC(2025, 5, 1)
  const all = async () => {
    const rows = await connection.query<{ hour: number; clicks: bigint; visitors: bigint; bots: bigint; previews: bigint }[]>(
      `SELECT hour, SUM(clicks) AS clicks, SUM(visitors) AS visitors, SUM(bots) AS bots, SUM(previews) AS previews
         FROM ClickRollup WHERE linkId = 0 AND hour >= ? AND hour < ? GROUP BY hour ORDER BY hour`,
      [DAY / 3_600_000, DAY / 3_600_000 + 72],
    )
    return rows.map((row) => Object.values(row).map(Number))
  }

  it('are counted by day alone, once, whatever the links', async () => {
    const [one, other] = await makeLinks(db, 2)
    const clicks = [
      storedClick(one?.id ?? 0n, { at: DAY }),
      storedClick(other?.id ?? 0n, { at: DAY + 86_399_999 }),
      storedClick(other?.id ?? 0n, { at: DAY + 86_400_000, kind: 'bot' }),
      storedClick(nextId(), { at: DAY }),
    ]
    const batch = storedBatch(clicks)
    await applyBatches(db, [batch])
    await applyBatches(db, [batch, storedBatch([storedClick(one?.id ?? 0n, { at: DAY, kind: 'preview' })])])
    const first = DAY / 3_600_000
    expect(await all()).toEqual([
      [first, 3, 2, 0, 1],
      [first + 24, 1, 0, 1, 0],
    ])
  })

  it('are all there when many processes count different links at the same time', async () => {
    const links = await makeLinks(db, 16)
    const at = DAY + 2 * 86_400_000
    const batches = links.map(({ id }) => storedBatch(Array.from({ length: 20 }, () => storedClick(id, { at }))))
    await Promise.all(batches.map((batch, i) => applyBatches([db, ...others][i % 4] ?? db, [batch])))
    expect((await all()).at(-1)).toEqual([at / 3_600_000, 320, 320, 0, 0])
  })

  it('are no link’s: a click on the id 0 is dropped', async () => {
    expect(await applyBatches(db, [storedBatch([storedClick(0n)])])).toEqual({ applied: 0, repeated: 0, orphaned: 1 })
  })
})

describe('clicks of links that are not there', () => {
  it('any more are dropped and told, and those beside them are counted', async () => {
    const { id } = await makeLink(db)
    const gone = nextId()
    const batch = storedBatch([storedClick(gone), storedClick(id), storedClick(gone)])
    expect(await applyBatches(db, [batch])).toEqual({ applied: 1, repeated: 0, orphaned: 2 })
    expect(await countsOf(id)).toEqual(alike(1))
    expect(await countsOf(gone)).toEqual({ ...alike(0), link: null })
    expect(await applyBatches(db, [batch])).toEqual({ applied: 0, repeated: 1, orphaned: 0 })
  })

  it('but may be restored are kept', async () => {
    const link = linkRow()
    await db.client.deletedLink.create({ data: deletedRow(link) })
    expect(await applyBatches(db, [storedBatch(clicksOf(link.id, 3))])).toEqual({ applied: 3, repeated: 0, orphaned: 0 })
    expect(await countsOf(link.id)).toEqual({ ...alike(3), link: null })
  })
})

describe('what MySQL refuses', () => {
  const TABLES = ['ClickBatch', 'SingleClick', 'ClickRollup', 'ClickVisitor'] as const
  const sizes = async () => {
    const counts = TABLES.map((table) => connection.query<{ n: bigint }[]>(`SELECT COUNT(*) AS n FROM ${table}`))
    return (await Promise.all(counts)).map(([row]) => row?.n)
  }

  it.each([
    ['a country', { country: 'DEU' }],
    ['a text of the raw click alone', { userAgent: 'x'.repeat(513) }],
    ['a value of a rollup', { utmSource: 'ä'.repeat(101) }],
    ['a visitor', { visitor: 'ab'.repeat(9) }],
  ])('for %s that is too long is a fault of the data, and leaves nothing behind', async (_, wrong) => {
    const { id } = await makeLink(db)
    const before = await sizes()
    const good = storedBatch(clicksOf(id, 5))
    const bad = storedBatch([storedClick(id), storedClick(id, wrong)])
    await expect(applyBatches(db, [good, bad])).rejects.toSatisfy(isDataError)
    expect(await sizes()).toEqual(before)
    expect(await countsOf(id)).toEqual(alike(0))
    // What was refused was not marked as counted.
    const mended: StoredBatch = { ...bad, clicks: clicksOf(id, 2) }
    expect(await applyBatches(db, [good, mended])).toMatchObject({ applied: 7, repeated: 0 })
    expect(await countsOf(id)).toEqual(alike(7))
  })

  it('texts that just fit are stored, and what UTF-8 cannot say does not keep a click from being counted', async () => {
    const { id } = await makeLink(db)
    const facts = {
      country: 'DE',
      utmSource: '😀'.repeat(100),
      referrerUrl: 'ä'.repeat(1_024),
      userAgent: `\0\ud800${'x'.repeat(510)}`,
    }
    await applyBatches(db, [storedBatch([storedClick(id, facts)])])
    expect(await countsOf(id)).toEqual(alike(1))
    const [row] = await connection.query(
      `SELECT country, utmSource, referrerUrl FROM ${singleClicksWith(ALL_FACTS)} WHERE linkId = ?`,
      [id],
    )
    expect(row).toEqual({ country: facts.country, utmSource: facts.utmSource, referrerUrl: facts.referrerUrl })
  })

  it('values that MySQL holds for equal add up in one row', async () => {
    const { id } = await makeLink(db)
    // Trailing spaces do not count where MySQL compares; two values that differ only by them are one key.
    const clicks = ['x', 'x ', 'X', 'x'].map((utmTerm) => storedClick(id, { utmTerm }))
    await applyBatches(db, [storedBatch(clicks)])
    const [row] = await connection.query(
      'SELECT CAST(SUM(clicks) AS SIGNED) AS n, COUNT(*) AS valueCount FROM ClickRollup WHERE linkId = ? AND dimension = 11 AND span = 1',
      [id],
    )
    expect(row).toEqual({ n: 4n, valueCount: 2n })
    expect(await countsOf(id)).toEqual(alike(4))
  })
})

it('a click names nothing that MySQL lost since it was stored', async () => {
  const { id } = await makeLink(db)
  const memory = newCountingMemory()
  const facts = { city: 'Lost City', userAgent: 'lost agent' }
  await applyBatches(db, [storedBatch([storedClick(id, facts)])], memory)
  await connection.query("DELETE FROM ClickPlace WHERE city = 'Lost City'")
  await connection.query("DELETE FROM ClickAgent WHERE userAgent = 'lost agent'")
  await applyBatches(db, [storedBatch([storedClick(id, facts)])], memory)
  const clicks = await connection.query(`SELECT city FROM ${singleClicksWith(ALL_FACTS)} WHERE linkId = ?`, [id])
  expect(clicks).toEqual([{ city: 'Lost City' }, { city: 'Lost City' }])
  expect(await countsOf(id)).toEqual(alike(2))
})

it('times are stored to the millisecond', async () => {
  const { id } = await makeLink(db)
  const at = Date.UTC(2026, 2, 29, 1, 30, 0, 7) // an hour that summer time leaves out in much of Europe
  await applyBatches(db, [storedBatch([storedClick(id, { at })])])
  const [row] = await db.rows<{ id: bigint }>('SELECT id FROM SingleClick WHERE linkId = ?', id)
  expect(clickTimeOf(row?.id ?? 0n)).toBe(at)
})

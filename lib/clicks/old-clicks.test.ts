import { expect, it } from 'vitest'
import { nextId } from '@/lib/db/id'
import { sqlTime } from '@/lib/db/time'
import { listClicks } from '@/lib/stats/clicks'
import { ClicksQuery, StatsQuery } from '@/lib/stats/schemas'
import { getStats } from '@/lib/stats/stats'
import { keepClicks } from '@/lib/testing/clicks'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { moveOldClicks } from './old-clicks'

const { url, connection } = await testDatabase()
const db = openGateway(url, 12)

const BASE = Date.UTC(2026, 9, 20)
const NOW = new Date(BASE + 86_400_000)
const COLUMNS =
  'id, linkId, at, kind, visitor, country, city, browser, os, device, language, referrer, utmSource, utmMedium, utmCampaign, utmTerm, utmContent, referrerUrl, userAgent'

/** As former releases stored them; some are alike, and some of one millisecond. */
const oldRow = (linkId: bigint, i: number) => [
  ...[nextId(), linkId, sqlTime(BASE + Math.floor(i / 3) * 1_000 + (i % 2)), i % 7 === 0 ? 'bot' : 'person'],
  Buffer.from([0, 0, 0, 0, 0, 0, 0, i % 100]),
  ...[i % 2 ? 'DE' : 'FR', `city ${i % 40}`, 'Firefox', 'Linux', 'desktop', 'de', 'news.example', 'mail', '', '', 'ä', ''],
  ...['https://news.example/a', `agent ${i % 60}`],
]

it('clicks of former releases are read before, while and after they are moved, each once', async () => {
  const links = Array.from({ length: 30 }, () => ({ id: nextId(), createdAt: new Date(BASE) }))
  const rows = links.flatMap(({ id }, n) => Array.from({ length: n === 0 ? 2_500 : 40 }, (_, i) => oldRow(id, i)))
  await connection.batch(`INSERT INTO Click (${COLUMNS}) VALUES (${COLUMNS.split(',').map(() => '?')})`, rows)
  // Some are counted by this release already.
  for (const link of links) await keepClicks(connection, link.id, [{ at: BASE + 5_000, city: 'city 1', country: 'DE' }])

  const answers = async () => {
    const all = []
    for (const link of links.slice(0, 3)) {
      all.push(await listClicks({ db }, link, ClicksQuery.parse({ limit: '200' }), NOW))
      all.push(await listClicks({ db }, link, ClicksQuery.parse({ country: 'DE', kind: 'bot' }), NOW))
      const query = { from: new Date(BASE).toISOString(), interval: 'hour', country: 'DE', os: 'Linux' }
      all.push(await getStats({ db }, link, StatsQuery.parse(query), 365, NOW))
    }
    return all
  }
  const before = await answers()
  expect(before[0]).toMatchObject({
    clicks: expect.arrayContaining([expect.objectContaining({ userAgent: 'agent 3', os: 'Linux' })]),
  })
  const moving = Promise.all([moveOldClicks(db), moveOldClicks(db), moveOldClicks(db)])
  expect(await answers()).toEqual(before)
  await moving
  expect(await connection.query('SELECT COUNT(*) AS n FROM Click')).toEqual([{ n: 0n }])
  expect(await connection.query('SELECT COUNT(*) AS n FROM SingleClick')).toEqual([{ n: BigInt(rows.length + links.length) }])
  expect(await connection.query('SELECT COUNT(*) AS n FROM ClickDay')).toEqual([{ n: BigInt(links.length) }])
  expect(await answers()).toEqual(before)
})

it('old clicks whose ids have the same lower bits are all moved', async () => {
  const link = nextId()
  const rows = [0n, 1n, 2n].map((time) => oldRow(link, 0).with(0, 5n + (time << 22n)))
  await connection.batch(`INSERT INTO Click (${COLUMNS}) VALUES (${COLUMNS.split(',').map(() => '?')})`, rows)
  await moveOldClicks(db)
  expect(await connection.query('SELECT COUNT(*) AS n FROM SingleClick WHERE linkId = ?', [link])).toEqual([{ n: 3n }])
})

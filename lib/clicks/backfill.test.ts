import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { migrate } from '@/lib/db/migrate'
import { atEnd } from '@/lib/testing/cleanup'
import { connectTo, emptyDatabase } from '@/lib/testing/database'

const MIGRATION = '20261124000700_daily_totals'

it('the migration counts by day what older releases had counted by hour alone', async () => {
  const url = await emptyDatabase()
  const before = mkdtempSync(join(tmpdir(), 'terse-backfill-'))
  atEnd(() => rmSync(before, { recursive: true }))
  cpSync('prisma/migrations', before, { recursive: true })
  rmSync(join(before, MIGRATION), { recursive: true })
  await migrate(url, before)
  const connection = await connectTo(url)
  atEnd(() => connection.end())
  // Link, dimension, span, hour, clicks; visitors, bots and previews follow from the clicks.
  const rows = [
    [1, 0, 1, 47, 10],
    [1, 0, 1, 48, 20],
    [1, 0, 1, 71, 30],
    [2, 0, 1, 48, 100],
    [2, 4, 1, 48, 7],
    [2, 4, 24, 48, 7],
  ]
  await connection.batch(
    "INSERT INTO ClickRollup (linkId, dimension, span, hour, value, clicks, visitors, bots, previews) VALUES (?, ?, ?, ?, '', ?, ?, ?, ?)",
    rows.map((row) => [...row, Number(row[4]) + 1, Number(row[4]) + 2, Number(row[4]) + 3]),
  )
  expect(await migrate(url)).toEqual([MIGRATION])
  const days = await connection.query<Record<string, bigint | number>[]>(
    'SELECT linkId, hour, clicks, visitors, bots, previews FROM ClickRollup WHERE dimension = 0 AND span = 24 ORDER BY linkId, hour',
  )
  expect(days.map((row) => Object.values(row).map(Number))).toEqual([
    [0, 24, 10, 11, 12, 13],
    [0, 48, 150, 153, 156, 159],
    [1, 24, 10, 11, 12, 13],
    [1, 48, 50, 52, 54, 56],
    [2, 48, 100, 101, 102, 103],
  ])
})

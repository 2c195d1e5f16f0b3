import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { banLink } from '@/lib/links/ban'
import { OURSELVES } from '@/lib/links/permit'
import { atEnd } from '@/lib/testing/cleanup'
import { alike, clickCounts, makeLink, makeLinks, openGateway, storedBatch, storedClick } from '@/lib/testing/counting'
import { connectTo, testDatabase } from '@/lib/testing/database'
import { bundle } from '@/lib/testing/program'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { applyBatches, type StoredBatch } from './apply'
import { SHARES } from './share'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const db = openGateway(url, 4)
const PATIENCE = { timeout: 60_000, interval: 50 }

/** Whether someone waits to add to a row of all links together, as the last thing in a batch. */
async function isWaiting(): Promise<boolean> {
  const rows = await connection.query<unknown[]>(
    "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE 'INSERT INTO ClickRollup%VALUES (0,%'",
  )
  return rows.length > 0
}

/**
 * A process that stands still after the last statement of a batch and before its commit: it holds all rows that it counted in.
 */
async function stoppedBeforeCommit(batch: StoredBatch): Promise<ChildProcessByStdio<null, Readable, null>> {
  const file = await bundle('lib/testing/counting-child.ts')
  const asText = JSON.stringify(batch, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const holder = await connectTo(url)
  atEnd(() => holder.end())
  // Of the rows themselves and of no gap between them.
  await holder.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED')
  await holder.query('BEGIN')
  await holder.query('SELECT clicks FROM ClickRollup WHERE linkId = 0 FOR UPDATE')
  const child = spawn(process.execPath, [file, url, asText], { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(() => child.kill('SIGKILL'))
  await vi.waitFor(async () => expect(await isWaiting()).toBe(true), PATIENCE)
  child.kill('SIGSTOP')
  await holder.query('COMMIT')
  return child
}

it('a process that stands still before its commit keeps nobody from a link, nor from counting, and counts nothing twice', async () => {
  const at = Date.now()
  const [link, other] = await makeLinks(db, 2)
  if (!link || !other) throw new Error('there are no links')
  // So that there are rows to wait for.
  await applyBatches(db, [storedBatch([storedClick((await makeLink(db)).id, { at })])])
  for (let share = 0; share < SHARES; share++) {
    await connection.query(
      `INSERT INTO ClickRollup (linkId, dimension, span, hour, value, clicks, visitors, bots, previews)
       SELECT linkId, dimension, span, hour, ?, 0, 0, 0, 0 FROM (SELECT * FROM ClickRollup WHERE linkId = 0 LIMIT 1) AS made
       ON DUPLICATE KEY UPDATE clicks = ClickRollup.clicks`,
      [String(share)],
    )
  }
  const batch = storedBatch([storedClick(link.id, { at }), storedClick(link.id, { at })])
  const child = await stoppedBeforeCommit(batch)
  const said = text(child.stdout)

  const [banned, counted, tookOver] = await Promise.all([
    vi.waitFor(() => banLink(ctx, OURSELVES, link.id, 'phishing'), PATIENCE),
    vi.waitFor(() => applyBatches(db, [storedBatch([storedClick(other.id, { at })])]), PATIENCE),
    // As a consumer does that takes over what the stopped process had read.
    vi.waitFor(() => applyBatches(openGateway(url, 1), [batch]), PATIENCE),
  ])
  expect(banned.state).toBe('banned')
  expect(counted).toMatchObject({ applied: 1 })
  expect(tookOver).toMatchObject({ applied: 2 })

  child.kill('SIGCONT')
  expect(JSON.parse(await said)).toEqual({ applied: 0, repeated: 1, orphaned: 0 })
  expect(await clickCounts(connection, link.id)).toEqual(alike(2))
  expect(await clickCounts(connection, other.id)).toEqual(alike(1))
}, 120_000)

import { beforeEach, expect, it } from 'vitest'
import { claimLinks } from '@/lib/accounts/claim'
import type { Link } from '@/lib/db/generated/client'
import { deleteFound } from '@/lib/links/delete'
import { OURSELVES } from '@/lib/links/permit'
import { restoreFound } from '@/lib/links/restore'
import { makeLinks, storedBatch, storedClick } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { sha256 } from '@/lib/tools/hash'
import { DAY } from '@/lib/tools/time'
import { settleClicks, settleDay, settleStep } from './account-settling'
import { applyBatches, newCountingMemory } from './apply'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const { db } = ctx
const TODAY = Math.floor(Date.now() / DAY)

beforeEach(async () => {
  for (const table of ['Link', 'DeletedLink', 'ClickRollup', 'ClickDay', 'AccountClick']) {
    await connection.query(`DELETE FROM ${table}`)
  }
  await connection.query('UPDATE CountedTo SET lastId = -1, at = NULL')
})

const COUNTS = ['clicks', 'visitors', 'bots', 'previews']
const sums = (of: string) => COUNTS.map((count) => `CAST(SUM(${of}${count}) AS SIGNED) AS ${count}`).join()

/** What all links of each owner have by day, and what is added up for the owner. */
async function told() {
  const rows = async (sql: string) =>
    (await connection.query<Record<string, unknown>[]>(sql)).map((row) => ({ ...row, day: Number(row.day) }))
  return {
    sums: await rows(
      `SELECT owned.ownerId, r.hour DIV 24 AS day, ${sums('r.')}
         FROM (SELECT id, ownerId FROM Link UNION ALL SELECT id, ownerId FROM DeletedLink) AS owned
         JOIN ClickRollup AS r ON r.linkId = owned.id AND r.dimension = 0 AND r.span = 24
        WHERE owned.ownerId IS NOT NULL GROUP BY owned.ownerId, day ORDER BY owned.ownerId, day`,
    ),
    kept: await rows(`SELECT ownerId, day, ${sums('')} FROM AccountClick GROUP BY ownerId, day ORDER BY ownerId, day`),
  }
}

async function expectExact() {
  const { sums: held, kept } = await told()
  expect(kept).toEqual(held)
  expect(held.length).toBeGreaterThan(0)
}

const clicksOn = (links: readonly Pick<Link, 'id'>[], round: number) =>
  storedBatch(
    links.map(({ id }, i) =>
      storedClick(id, {
        at: Date.now() - (i % 3) * DAY,
        kind: (['person', 'bot', 'preview'] as const)[(i + round) % 3] ?? 'person',
      }),
    ),
  )

/** Counts as a release does that knows nothing of accounts: what it writes for them is as it was. */
async function countAsBefore(links: readonly Pick<Link, 'id'>[], round: number): Promise<void> {
  const tables = ['AccountClick', 'ClickRollup WHERE dimension = 127']
  const kept = await Promise.all(tables.map((table) => connection.query<Record<string, unknown>[]>(`SELECT * FROM ${table}`)))
  await applyBatches(db, [clicksOn(links, round)])
  for (const [i, table] of tables.entries()) {
    await connection.query(`DELETE FROM ${table}`)
    for (const row of kept[i] ?? []) {
      const columns = Object.keys(row)
      await connection.query(
        `INSERT INTO ${table.split(' ')[0]} (${columns}) VALUES (${columns.map(() => '?')})`,
        Object.values(row).map((value) => (typeof value === 'bigint' ? String(value) : value)),
      )
    }
  }
}

const ofAll = async () => [
  ...(await makeLinks(db, 12, { ownerId: 'anna' })),
  ...(await makeLinks(db, 5, { ownerId: 'bob' })),
  ...(await makeLinks(db, 3)),
]

it('clicks on the links of an account are added up by day, those of before too, each once, while others are counted', async () => {
  const links = await ofAll()
  await countAsBefore(links, 0)
  await countAsBefore(links, 1)
  const counting = Array.from({ length: 4 }, async (_, writer) => {
    const memory = newCountingMemory()
    for (let round = 0; round < 8; round++) await applyBatches(db, [clicksOn(links, writer + round)], memory)
  })
  const settling = [3, 4].map(async (step) => {
    while (await settleStep(db, step));
  })
  await Promise.all([...counting, ...settling])
  await expectExact()
  expect(await settleStep(db, 3)).toBe(false)
  await applyBatches(db, [clicksOn(links, 2)])
  await expectExact()
})

it('what a former release counts after that is found again', async () => {
  const links = await ofAll()
  await applyBatches(db, [clicksOn(links, 0)])
  while (await settleStep(db));
  await countAsBefore(links, 1)
  await applyBatches(db, [clicksOn(links, 2)])
  const { sums: held, kept } = await told()
  expect(kept).not.toEqual(held)
  for (const day of [TODAY - 2, TODAY - 1, TODAY]) await settleDay(db, day)
  await expectExact()
})

it('clicks of links that are in the bin meanwhile are there once they are restored', async () => {
  const links = await makeLinks(db, 6, { ownerId: 'anna' })
  await countAsBefore(links, 0)
  for (const link of links.slice(0, 3)) await deleteFound(ctx, OURSELVES, link)
  while (await settleStep(db, 2));
  for (const { id } of links.slice(0, 2)) {
    await restoreFound(ctx, OURSELVES, await db.client.deletedLink.findUniqueOrThrow({ where: { id } }))
  }
  await applyBatches(db, [clicksOn(links, 1)])
  await expectExact()
})

it('a link that is claimed brings the clicks it had', async () => {
  const [link] = await makeLinks(db, 1, { manageTokenHash: sha256('token') })
  if (!link) throw new Error('no link')
  await applyBatches(db, [clicksOn([link, link, link], 0)])
  while (await settleStep(db));
  expect(await connection.query('SELECT * FROM AccountClick')).toEqual([])
  await claimLinks(ctx, 'anna', ['token'])
  await expectExact()
  await applyBatches(db, [clicksOn([link], 1)])
  await expectExact()
})

it('nothing is settled twice, by several at once and while clicks are counted', async () => {
  const links = await makeLinks(db, 8, { ownerId: 'anna' })
  const ids = links.map(({ id }) => id)
  await countAsBefore(links, 0)
  await Promise.all([
    ...[0, 1, 2].map(() => settleClicks(db, ids)),
    applyBatches(db, [clicksOn(links, 1)]),
    applyBatches(db, [clicksOn(links, 2)]),
  ])
  await settleClicks(db, ids)
  await expectExact()
  expect(await settleClicks(db, ids)).toBe(0)
})

it('batches of one account do not wait for each other: each process adds to rows of its own', async () => {
  const links = await makeLinks(db, 2, { ownerId: 'anna' })
  const [one, other] = [newCountingMemory(), newCountingMemory()]
  while (other.share.name === one.share.name) other.share.moveOn()
  const now = (link: Link | undefined) => storedBatch([storedClick(link?.id ?? 0n)])
  await applyBatches(db, [now(links[0])], one)
  await connection.query('START TRANSACTION')
  try {
    await connection.query("SELECT * FROM AccountClick WHERE ownerId = 'anna' AND day = ? AND share = ? FOR UPDATE", [
      ...[TODAY, one.share.name],
    ])
    // With one row a day this would wait for the transaction above, until MySQL refuses it.
    await applyBatches(db, [now(links[1])], other)
  } finally {
    await connection.query('ROLLBACK')
  }
  await expectExact()
})

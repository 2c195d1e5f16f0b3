import { beforeEach, describe, expect, it } from 'vitest'
import { claimLinks } from '@/lib/accounts/claim'
import { retryTransaction } from '@/lib/db/errors'
import type { Link } from '@/lib/db/generated/client'
import { idAt, timeOf } from '@/lib/db/id'
import { NodeLease } from '@/lib/db/node-lease'
import { deleteFound } from '@/lib/links/delete'
import { insertLinks } from '@/lib/links/insert'
import { OURSELVES } from '@/lib/links/permit'
import { restoreFound } from '@/lib/links/restore'
import { testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { sha256 } from '@/lib/tools/hash'
import { DAY, MINUTE } from '@/lib/tools/time'
import { countStep } from './counter'
import { countAll, countByDay, countByDomain, countByOwner } from './counts'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })

const NOW = Date.now()
const TODAY = Math.floor(NOW / DAY)
let made = 0

beforeEach(async () => {
  for (const table of ['Link', 'DeletedLink', 'LinkCount', 'LinkCountChange']) await connection.query(`DELETE FROM ${table}`)
  await connection.query('UPDATE CountedTo SET lastId = -1, at = NULL')
})

/** A link that was created so many ms ago, as its id says too. */
function linkOf(ago: number, given: Partial<Link> = {}) {
  const at = NOW - ago
  return linkRow({ id: idAt(at, 5, made++ % 4_096), createdAt: new Date(at), ...given })
}

/** What is said of all that is counted, beside what the table holds. */
async function told() {
  const rows = await connection.query<{ ownerId: string | null; domainId: number; day: number | bigint }[]>(
    "SELECT ownerId, domainId, TIMESTAMPDIFF(DAY, '1970-01-01', createdAt) AS day FROM Link",
  )
  const owners = ['anna', 'bob']
  const [all, ofOwners, ofDomains, ofDays] = [
    await countAll(ctx.db),
    await countByOwner(ctx.db, owners),
    await countByDomain(ctx.db),
    await countByDay(ctx.db, TODAY - 3, 4),
  ]
  const count = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).length
  const days = [TODAY - 3, TODAY - 2, TODAY - 1, TODAY]
  return {
    told: [
      all,
      owners.map((id) => ofOwners.get(id)),
      [1, 2].map((id) => ofDomains.get(id) ?? 0),
      days.map((day) => ofDays.get(day) ?? 0),
    ],
    held: [
      rows.length,
      owners.map((id) => count(({ ownerId }) => ownerId === id)),
      [1, 2].map((id) => count(({ domainId }) => domainId === id)),
      days.map((one) => count(({ day }) => Number(day) === one)),
    ],
  }
}

async function expectExact() {
  const { told: said, held } = await told()
  expect(said).toEqual(held)
}

const mine = (i: number, ago: number) => linkOf(ago, { ownerId: [null, 'anna', 'bob'][i % 3] ?? null, domainId: 1 + (i % 2) })
const countOn = (step: number, options: Parameters<typeof countStep>[1] = {}) =>
  retryTransaction(() => countStep(ctx.db, { step, ...options }))
const countAgain = (step: number) => countOn(step, { kept: 0 })

describe('how many links there are', () => {
  it('is exact at every step of the counter, from the first on, with links too young to be counted', async () => {
    await insertLinks(
      ctx.db.client,
      Array.from({ length: 60 }, (_, i) => mine(i, i * 2 * 60 * MINUTE)),
    )
    await expectExact()
    let steps = 0
    for (let more = true; more; steps++) {
      more = await countOn(7)
      await expectExact()
    }
    expect(steps).toBe(9)
    const [{ young } = { young: 0 }] = await connection.query(
      'SELECT COUNT(*) AS young FROM Link WHERE id > (SELECT lastId FROM CountedTo WHERE id = 1)',
    )
    expect(Number(young)).toBe(1)
    await insertLinks(ctx.db.client, [mine(1, 0), mine(2, 1)])
    await expectExact()
  })

  it('follows links that are deleted, restored and claimed, before they are counted and after', async () => {
    const token = 'a manage token'
    const links = Array.from({ length: 12 }, (_, i) => mine(i, (i + 1) * 60 * MINUTE))
    const free = linkOf(60 * MINUTE, { manageTokenHash: sha256(token) })
    await insertLinks(ctx.db.client, [...links, free])
    const change = async (some: Link[]) => {
      for (const [i, link] of some.entries()) {
        await deleteFound(ctx, OURSELVES, link)
        await expectExact()
        if (i % 2 === 0) continue
        const deleted = await ctx.db.client.deletedLink.findUniqueOrThrow({ where: { id: link.id } })
        await restoreFound(ctx, OURSELVES, deleted)
        await expectExact()
      }
    }
    await change(links.slice(0, 4))
    while (await countOn(5)) await expectExact()
    await expectExact()
    await change(links.slice(4, 8))
    await claimLinks(ctx, 'anna', [token])
    await expectExact()
    while (await countOn(5)) await expectExact()
    await expectExact()
    expect(await connection.query('SELECT * FROM LinkCountChange')).toEqual([])
  })

  it('takes many changes in pieces, and none twice', async () => {
    const links = Array.from({ length: 20 }, (_, i) => mine(i, (20 - i) * 60 * MINUTE))
    await insertLinks(ctx.db.client, links)
    await countOn(10)
    // Of links that are counted, and of such that are not yet.
    for (const link of links) if (link.id % 2n === 0n || timeOf(link.id) % 3 === 0) await deleteFound(ctx, OURSELVES, link)
    for (let more = true; more; ) {
      more = await countOn(3, { mostChanges: 2 })
      await expectExact()
    }
  })

  it('stays exact while links that are counted go, come back and are claimed, and several processes count on and again', async () => {
    const token = (i: number) => `token ${i}`
    const counted = Array.from({ length: 40 }, (_, i) => mine(i, (200 - i) * MINUTE))
    const free = Array.from({ length: 8 }, (_, i) => linkOf((100 - i) * MINUTE, { manageTokenHash: sha256(token(i)) }))
    const later = Array.from({ length: 60 }, (_, i) => mine(i, (70 - i) * MINUTE))
    await insertLinks(ctx.db.client, [...counted, ...free])
    while (await countOn(10)) await expectExact()
    // They lie behind the counters, who are not done with them while the others change.
    await insertLinks(ctx.db.client, later)
    await connection.query('UPDATE CountedTo SET lastId = ? WHERE id = 1', [String(free.at(-1)?.id)])
    let isDone = false
    const counters = [3, 2].map(async (step) => {
      while (!isDone) await countAgain(step)
    })
    const writers = [counted.slice(0, 20), counted.slice(20), later.filter((_, i) => i % 3 === 0)].map(async (links) => {
      for (const [i, link] of links.entries()) {
        await deleteFound(ctx, OURSELVES, link)
        if (i % 3 === 0) continue
        await restoreFound(ctx, OURSELVES, await ctx.db.client.deletedLink.findUniqueOrThrow({ where: { id: link.id } }))
      }
    })
    const claims = free.map((_, i) => claimLinks(ctx, i % 2 === 0 ? 'anna' : 'bob', [token(i)]))
    const read = async () => {
      while (!isDone) expect(await countAll(ctx.db)).toBeLessThanOrEqual(counted.length + free.length + later.length)
    }
    const reading = read()
    await Promise.all([...writers, ...claims])
    isDone = true
    await Promise.all([...counters, reading])
    await expectExact()
    while (await countOn(4)) await expectExact()
    await expectExact()
  })

  it('is exact with links of processes whose clocks are late and early', async () => {
    await insertLinks(ctx.db.client, [mine(0, 60 * MINUTE)])
    while (await countOn(10));
    for (const off of [-10 * MINUTE, 10 * MINUTE]) {
      const lease = new NodeLease(ctx.db, () => Date.now() + off)
      await lease.renew()
      await insertLinks(ctx.db.client, [linkRow({ id: lease.next(), ownerId: 'anna', domainId: 1 })])
      await expectExact()
      while (await countOn(10));
      await expectExact()
    }
  })

  it('is exact again by itself after others noted nothing, or inserted behind the counter', async () => {
    const links = Array.from({ length: 20 }, (_, i) => mine(i, (20 - i) * 60 * MINUTE))
    await insertLinks(ctx.db.client, links)
    while (await countOn(7));
    await connection.query('DELETE FROM Link WHERE id IN (?)', [links.slice(0, 5).map(({ id }) => String(id))])
    await insertLinks(ctx.db.client, [mine(1, 15 * 60 * MINUTE), mine(2, 15 * 60 * MINUTE)])
    expect(await countAll(ctx.db)).toBe(20)
    // Before its time nothing is counted again.
    expect(await countOn(7)).toBe(false)
    expect(await countAll(ctx.db)).toBe(20)
    // The new counts are told as a whole. Until then, changes go on being added to the old ones.
    for (let more = true; more; ) {
      more = await countAgain(6)
      const { told: said, held } = await told()
      expect(Number(said[0]) - Number(held[0])).toBe(more ? 3 : 0)
      if (more) await deleteFound(ctx, OURSELVES, links.pop() as Link)
    }
    await expectExact()
  })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { timeOf } from './id'
import { NodeLease } from './node-lease'
import { SqlGateway } from './sql-gateway'

const { url, connection } = await testDatabase()
const db = new SqlGateway(url, 10)
atEnd(() => db.close())
afterEach(() => vi.useRealTimers())

const START = Date.now()

/** A process of its own, as far as ids go. */
async function processAt(clock: () => number): Promise<NodeLease> {
  const lease = new NodeLease(db, clock)
  await lease.renew()
  return lease
}

describe('ids of many processes', () => {
  it('are all different with 64 processes in the same milliseconds, for none has the node of another', async () => {
    const clock = { now: START }
    const processes = await Promise.all(Array.from({ length: 64 }, () => processAt(() => clock.now)))
    const ids: bigint[] = []
    for (let ms = 0; ms < 20; ms++) {
      clock.now += 1
      for (const process of processes) for (let i = 0; i < 20; i++) ids.push(process.next())
    }
    expect(new Set(ids).size).toBe(64 * 20 * 20)
  })

  it('are different though clocks disagree, stand still, jump and go back, and processes come and go', async () => {
    const ids: bigint[] = []
    let alive: { lease: NodeLease; clock: { now: number } }[] = []
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 60; round++) {
      const clock = { now: START + random(3_600_000) - 1_800_000 }
      alive.push({ lease: await processAt(() => clock.now), clock })
      if (alive.length > 5) alive = alive.slice(1 + random(3))
      for (const process of alive) {
        process.clock.now += random(100_000) - 50_000
        if (random(3) === 0) await process.lease.renew()
        for (let i = 0; i < 50; i++) ids.push(process.lease.next())
      }
    }
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('have the time of MySQL, whatever the clock of their process says', async () => {
    for (const off of [-600_000, 600_000]) {
      const id = (await processAt(() => Date.now() + off)).next()
      expect(Math.abs(timeOf(id) - Date.now())).toBeLessThan(10_000)
    }
  })

  it('go on from a node that another took over, without one id in both', async () => {
    await connection.query('DELETE FROM IdNode')
    const clock = { now: START }
    const stopped = await processAt(() => clock.now)
    const ids = Array.from({ length: 100 }, () => stopped.next())
    // All others are in use: the next process takes this one, long after its time is over.
    const others = Array.from({ length: 1024 }, (_, node) => `(${node}, ${START + 86_400_000})`).join(', ')
    await connection.query(`INSERT INTO IdNode (node, reservedTo) VALUES ${others} ON DUPLICATE KEY UPDATE node = VALUES(node)`)
    clock.now += 3_600_000
    const heir = await processAt(() => clock.now)
    expect(heir.node).toBe(stopped.node)
    for (let i = 0; i < 5_000; i++) ids.push(heir.next())
    // It wakes up, an hour late, and goes on with what it had left until it hears of it.
    for (let i = 0; i < 5_000; i++) ids.push(stopped.next())
    await stopped.renew()
    for (let i = 0; i < 5_000; i++) ids.push(stopped.next(), heir.next())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ['gone', 'DELETE FROM IdNode WHERE node = ?'],
    ['an hour old', 'UPDATE IdNode SET reservedTo = reservedTo - 3600000 WHERE node = ?'],
  ])(
    'are different where the reservation of a living process is %s, as MySQL was put back: it reserves again',
    async (_, loss) => {
      await connection.query('DELETE FROM IdNode')
      const clock = { now: START }
      const living = await processAt(() => clock.now)
      const ids = Array.from({ length: 5_000 }, () => living.next())
      await connection.query(loss, [living.node])
      // All others are in use: it can only have this one again, as can the next process.
      const others = Array.from({ length: 1024 }, (_, node) => node).filter((node) => node !== living.node)
      const rows = others.map((node) => `(${node}, ${START + 86_400_000})`).join(', ')
      await connection.query(`INSERT INTO IdNode (node, reservedTo) VALUES ${rows}`)
      // What was reserved lasts longer than the minute from now: that it is still there has to be asked all the same.
      clock.now -= 1
      await living.renew()
      const [row] = await connection.query<{ to: bigint }[]>('SELECT reservedTo AS `to` FROM IdNode WHERE node = ?', [
        living.node,
      ])
      expect(Number(row?.to)).toBeGreaterThan(START)
      const heir = await processAt(() => clock.now)
      for (let i = 0; i < 5_000; i++) ids.push(living.next(), heir.next())
      expect(new Set(ids).size).toBe(ids.length)
    },
  )

  it('are refused for now, and not made up, before a process has a node, and when its time is used up', async () => {
    const lease = new NodeLease(db, () => START)
    expect(() => lease.next()).toThrow(expect.objectContaining({ code: 'unavailable' }))
    await lease.renew()
    expect(lease.next()).toBeGreaterThan(0n)
  })

  it('grow in each process, and fit a signed BIGINT', async () => {
    const clock = { now: START }
    const lease = await processAt(() => clock.now)
    let last = 0n
    for (let i = 0; i < 10_000; i++) {
      clock.now += (i % 7) - 3
      const id = lease.next()
      expect(id > last).toBe(true)
      last = id
    }
    expect(last).toBeLessThan(2n ** 63n)
  })
})

import { describe, expect, it, vi } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import type { SqlTransaction } from '@/lib/db/sql'
import { atEnd } from '@/lib/testing/cleanup'
import { makeLink, openGateway } from '@/lib/testing/counting'
import { connectTo, testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { closedPort, proxyTo } from '@/lib/testing/proxy'
import { ClickLimit } from './limit'

const { url, connection } = await testDatabase()

/** Counts what it asks of MySQL. */
class CountingGateway extends DatabaseGateway {
  statements = 0
  override transaction<T>(work: (tx: SqlTransaction) => Promise<T>, timeout?: number) {
    this.statements += 1
    return super.transaction(work, timeout)
  }
}

function counting(): CountingGateway {
  const gateway = new CountingGateway(url, 4)
  atEnd(() => gateway.close())
  return gateway
}

const [one, other] = [counting(), counting()]
const db = openGateway(url)

const takenOf = async (id: bigint) =>
  (await connection.query<{ taken: number }[]>('SELECT taken FROM Link WHERE id = ?', [id]))[0]?.taken
const allowed = (answers: boolean[]) => answers.filter((answer) => answer).length
const takeMany = (limit: ClickLimit, id: bigint, count: number) =>
  Promise.all(Array.from({ length: count }, () => limit.takeClick(String(id))))

describe('a limit of clicks', () => {
  it('of 100 lets exactly 100 of 2,000 through that come to two processes at once, in few statements', async () => {
    const { id } = await makeLink(db, { maxClicks: 100 })
    const limits = [new ClickLimit(one), new ClickLimit(other)]
    const before = one.statements + other.statements
    const answers = await Promise.all(limits.map((limit) => takeMany(limit, id, 1_000)))
    expect(allowed(answers.flat())).toBe(100)
    expect(await takenOf(id)).toBe(100)
    expect(one.statements + other.statements - before).toBeLessThanOrEqual(4)
  })

  it('is exact too where requests keep coming while statements are under way', async () => {
    const { id } = await makeLink(db, { maxClicks: 50 })
    const limits = [new ClickLimit(one), new ClickLimit(other)]
    const before = one.statements + other.statements
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, client) => {
        const own: boolean[] = []
        for (let i = 0; i < 20; i++) own.push((await limits[client % 2]?.takeClick(String(id))) ?? false)
        return own
      }),
    )
    expect(allowed(answers.flat())).toBe(50)
    expect(await takenOf(id)).toBe(50)
    expect(one.statements + other.statements - before).toBeLessThan(400)
  })

  it('is given to those who came first', async () => {
    const { id } = await makeLink(db, { maxClicks: 3 })
    const limit = new ClickLimit(one)
    expect(await takeMany(limit, id, 5)).toEqual([true, true, true, false, false])
    expect(await limit.takeClick(String(id))).toBe(false)
  })

  it('of one link does not touch another', async () => {
    const [a, b] = [await makeLink(db, { maxClicks: 1 }), await makeLink(db, { maxClicks: 2 })]
    const limit = new ClickLimit(one)
    const answers = await Promise.all([a, b, a, b, b].map(({ id }) => limit.takeClick(String(id))))
    expect(answers).toEqual([true, true, false, true, false])
    expect([await takenOf(a.id), await takenOf(b.id)]).toEqual([1, 2])
  })

  it('can be raised and lowered: what is taken counts', async () => {
    const { id } = await makeLink(db, { maxClicks: 2 })
    const limit = new ClickLimit(one)
    await takeMany(limit, id, 2)
    await connection.query('UPDATE Link SET maxClicks = 4 WHERE id = ?', [id])
    expect(allowed(await takeMany(limit, id, 5))).toBe(2)
    await connection.query('UPDATE Link SET maxClicks = 1 WHERE id = ?', [id])
    expect(allowed(await takeMany(limit, id, 5))).toBe(0)
    await eventually(async () => expect(await takenOf(id)).toBe(4))
  })

  it('that is not there takes nothing: a link without one, and no link', async () => {
    const { id } = await makeLink(db, { maxClicks: null })
    const limit = new ClickLimit(one)
    expect(await limit.takeClick(String(id))).toBe(false)
    expect(await takenOf(id)).toBe(0)
    expect(await limit.takeClick(String(nextId()))).toBe(false)
  })
})

describe('what is left', () => {
  it('is told without taking it', async () => {
    const [limited, free] = [await makeLink(db, { maxClicks: 1 }), await makeLink(db, { maxClicks: null })]
    const limit = new ClickLimit(one)
    expect(await limit.isClickLeft(String(limited.id))).toBe(true)
    expect(await limit.isClickLeft(String(limited.id))).toBe(true)
    expect(await takenOf(limited.id)).toBe(0)
    expect(await limit.takeClick(String(limited.id))).toBe(true)
    expect(await limit.isClickLeft(String(limited.id))).toBe(false)
    expect(await limit.isClickLeft(String(free.id))).toBe(true)
    expect(await limit.isClickLeft(String(nextId()))).toBe(false)
  })
})

describe('with MySQL away', () => {
  it('all who wait are told, none is let through, and the next are served when it is back', async () => {
    const { id } = await makeLink(db, { maxClicks: 10 })
    const proxy = await proxyTo(url)
    const limit = new ClickLimit(openGateway(proxy.url, 2))
    expect(await limit.takeClick(String(id))).toBe(true)
    await proxy.cut()
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => limit.takeClick(String(id))))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill('rejected'))
    expect(answers[0]).toMatchObject({ reason: { code: 'unavailable' } })
    expect(await takenOf(id)).toBe(1)
    await proxy.mend()
    await vi.waitFor(async () => expect(await limit.takeClick(String(id))).toBe(true), { timeout: 10_000 })
    expect(await takenOf(id)).toBe(2)
  })

  it('what is left is not known', async () => {
    const limit = new ClickLimit(openGateway(await closedPort(url), 1))
    await expect(limit.isClickLeft('1')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a click whose taking was given up', () => {
  const PATIENCE = 300
  /** A limit that comes to MySQL by way of a proxy, and has already let one click through. */
  async function behindProxy(maxClicks: number) {
    const { id } = await makeLink(db, { maxClicks })
    const proxy = await proxyTo(url)
    const limit = new ClickLimit(openGateway(proxy.url, 2), PATIENCE)
    expect(await limit.takeClick(String(id))).toBe(true)
    return { id, proxy, limit }
  }
  /** All that is left can be had, and no more. */
  async function expectLeft(id: bigint, count: number) {
    const answers = await takeMany(new ClickLimit(one), id, count + 5)
    expect(allowed(answers)).toBe(count)
  }

  it('is not taken where its answer comes too late', async () => {
    const { id, proxy, limit } = await behindProxy(10)
    proxy.hold()
    await expect(limit.takeClick(String(id))).rejects.toMatchObject({ code: 'unavailable' })
    proxy.release()
    await expectLeft(id, 9)
  })

  it('is not taken where its statement waits for a lock and goes on afterwards', async () => {
    const { id, limit } = await behindProxy(10)
    const holder = await connectTo(url)
    atEnd(() => holder.end())
    await holder.beginTransaction()
    await holder.query('SELECT id FROM Link WHERE id = ? FOR UPDATE', [id])
    await expect(limit.takeClick(String(id))).rejects.toMatchObject({ code: 'unavailable' })
    await holder.commit()
    await expectLeft(id, 9)
  })

  it.each([
    ['COMMIT', 2],
    ['UPDATE', 1],
  ] as const)('is given back where %s took effect and nobody heard of it', async (statement, taken) => {
    const { id, proxy, limit } = await behindProxy(10)
    proxy.holdOnce(`\x03${statement}`)
    const answers = await Promise.allSettled([limit.takeClick(String(id))])
    expect(answers).toMatchObject([{ status: 'rejected', reason: { code: 'unavailable' } }])
    await eventually(async () => expect(await takenOf(id)).toBe(taken))
    proxy.release()
    await vi.waitFor(async () => expect(await takenOf(id)).toBe(1), { timeout: 15_000 })
    await expectLeft(id, 9)
  })

  it('is given back once only, though that takes several tries', async () => {
    const { id, proxy, limit } = await behindProxy(10)
    proxy.holdOnce('\x03COMMIT')
    await expect(takeMany(limit, id, 3)).rejects.toMatchObject({ code: 'unavailable' })
    await eventually(async () => expect(await takenOf(id)).toBe(4))
    await proxy.cut()
    proxy.holdOnce('\x03COMMIT')
    await proxy.mend()
    proxy.release()
    await vi.waitFor(async () => expect(await takenOf(id)).toBe(1), { timeout: 15_000 })
    proxy.release()
    await expectLeft(id, 9)
  })

  it('leaves nothing behind of those that were answered', async () => {
    const { id, limit } = await behindProxy(50)
    for (let i = 0; i < 20; i++) await limit.takeClick(String(id))
    const rows = await connection.query<{ n: bigint }[]>('SELECT COUNT(*) AS n FROM ClickTake')
    expect(Number(rows[0]?.n)).toBeLessThan(20)
  })
})

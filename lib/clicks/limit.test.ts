import { describe, expect, it, vi } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { makeLink, openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { closedPort, proxyTo } from '@/lib/testing/proxy'
import { ClickLimit } from './limit'

const { url, connection } = await testDatabase()

/** Counts its statements. */
class CountingGateway extends DatabaseGateway {
  statements = 0
  override execute(sql: string, ...values: unknown[]) {
    this.statements += 1
    return super.execute(sql, ...values)
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
  Promise.all(Array.from({ length: count }, () => limit.take(String(id))))

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
        for (let i = 0; i < 20; i++) own.push((await limits[client % 2]?.take(String(id))) ?? false)
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
    expect(await limit.take(String(id))).toBe(false)
  })

  it('of one link does not touch another', async () => {
    const [a, b] = [await makeLink(db, { maxClicks: 1 }), await makeLink(db, { maxClicks: 2 })]
    const limit = new ClickLimit(one)
    const answers = await Promise.all([a, b, a, b, b].map(({ id }) => limit.take(String(id))))
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
    expect(await takenOf(id)).toBe(4)
  })

  it('that is not there takes nothing: a link without one, and no link', async () => {
    const { id } = await makeLink(db, { maxClicks: null })
    const limit = new ClickLimit(one)
    expect(await limit.take(String(id))).toBe(false)
    expect(await takenOf(id)).toBe(0)
    expect(await limit.take(String(nextId()))).toBe(false)
  })
})

describe('what is left', () => {
  it('is told without taking it', async () => {
    const [limited, free] = [await makeLink(db, { maxClicks: 1 }), await makeLink(db, { maxClicks: null })]
    const limit = new ClickLimit(one)
    expect(await limit.left(String(limited.id))).toBe(true)
    expect(await limit.left(String(limited.id))).toBe(true)
    expect(await takenOf(limited.id)).toBe(0)
    expect(await limit.take(String(limited.id))).toBe(true)
    expect(await limit.left(String(limited.id))).toBe(false)
    expect(await limit.left(String(free.id))).toBe(true)
    expect(await limit.left(String(nextId()))).toBe(false)
  })
})

describe('with MySQL away', () => {
  it('all who wait are told, none is let through, and the next are served when it is back', async () => {
    const { id } = await makeLink(db, { maxClicks: 10 })
    const proxy = await proxyTo(url)
    const limit = new ClickLimit(openGateway(proxy.url, 2))
    expect(await limit.take(String(id))).toBe(true)
    await proxy.cut()
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => limit.take(String(id))))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill('rejected'))
    expect(answers[0]).toMatchObject({ reason: { code: 'unavailable' } })
    expect(await takenOf(id)).toBe(1)
    await proxy.mend()
    await vi.waitFor(async () => expect(await limit.take(String(id))).toBe(true), { timeout: 10_000 })
    expect(await takenOf(id)).toBe(2)
  })

  it('what is left is not known', async () => {
    const limit = new ClickLimit(openGateway(await closedPort(url), 1))
    await expect(limit.left('1')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

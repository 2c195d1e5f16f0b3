import { afterAll, describe, expect, it, vi } from 'vitest'
import { insertLinks } from '@/lib/links/insert'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { closedPort, proxyTo } from '@/lib/testing/proxy'
import { openDatabase } from './client'
import { isRetryable, isUniqueViolation, isUnreachable, mysqlErrorNumber, retryTransaction } from './errors'
import { SqlGateway } from './sql-gateway'

const { url, connection } = await testDatabase()
const database = openDatabase(url, 4)
afterAll(() => database.$disconnect())

/** What `work` fails with. */
async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('this should have failed')
}

describe('a unique violation', () => {
  const link = linkRow()
  const same = { ...linkRow(), fullShortUrl: link.fullShortUrl }
  const ways = {
    create: () => database.link.create({ data: same }),
    createMany: () => database.link.createMany({ data: [same] }),
    'plain SQL': () => insertLinks(database, [same]),
    'a transaction': () => database.$transaction([insertLinks(database, [same])]),
    'an interactive transaction': () => database.$transaction((tx) => tx.link.createMany({ data: [same] })),
  }

  it.each(Object.keys(ways) as (keyof typeof ways)[])('by %s is known, with the index that refused', async (way) => {
    await database.link.deleteMany()
    await insertLinks(database, [link])
    const error = await errorOf(ways[way]())
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'Link_fullShortUrl_key')).toBe(true)
    expect(isUniqueViolation(error, 'Domain_host_key')).toBe(false)
    expect(isRetryable(error)).toBe(false)
    expect(isUnreachable(error)).toBe(false)
  })

  it('of the primary key is not taken for one of the code', async () => {
    await database.link.deleteMany()
    await insertLinks(database, [link])
    for (const work of [
      insertLinks(database, [linkRow({ id: link.id })]),
      database.link.create({ data: linkRow({ id: link.id }) }),
    ]) {
      const error = await errorOf(work)
      expect(isUniqueViolation(error)).toBe(true)
      expect(isUniqueViolation(error, 'Link_fullShortUrl_key')).toBe(false)
    }
  })

  it('of a code that spells the name of the index is still told apart', async () => {
    await database.deletedLink.deleteMany()
    const gone = deletedRow(linkRow({ code: 'Link_fullShortUrl_key' }))
    await database.deletedLink.create({ data: gone })
    const error = await errorOf(database.deletedLink.create({ data: { ...gone, id: gone.id + 1n } }))
    expect(isUniqueViolation(error, 'DeletedLink_fullShortUrl_key')).toBe(true)
  })
})

it.each([
  ['answers nothing, since it is cut off', 1047],
  ['was cut off while it committed', 1180],
])('a node of a Galera cluster that %s counts as away', (_, number) => {
  expect(isUnreachable({ errno: number })).toBe(true)
  const cause = { kind: 'mysql', code: number, originalCode: String(number) }
  expect(isUnreachable({ code: 'P2010', meta: { driverAdapterError: { cause } } })).toBe(true)
  expect(isRetryable({ errno: number })).toBe(false)
})

describe('a transaction that lost a lock', () => {
  it('to a real deadlock (1213) may be run again, and then both are done', async () => {
    const [a, b] = [linkRow(), linkRow()]
    await insertLinks(database, [a, b])
    const errors: unknown[] = []
    let waiting = 2
    let meet: () => void
    const bothHoldOne = new Promise<void>((resolve) => {
      meet = resolve
    })
    const lockBoth = (first: bigint, second: bigint) => async () => {
      try {
        await database.$transaction(async (tx) => {
          await tx.$executeRaw`UPDATE Link SET clicks = clicks + 1 WHERE id = ${first}`
          waiting -= 1
          if (waiting === 0) meet()
          await bothHoldOne
          await tx.$executeRaw`UPDATE Link SET clicks = clicks + 1 WHERE id = ${second}`
        })
      } catch (error) {
        errors.push(error)
        throw error
      }
    }
    await Promise.all([retryTransaction(lockBoth(a.id, b.id)), retryTransaction(lockBoth(b.id, a.id))])
    expect(errors).toHaveLength(1)
    expect(errors.every(isRetryable)).toBe(true)
    expect(errors.some(isUnreachable)).toBe(false)
    const rows = await database.link.findMany({ where: { id: { in: [a.id, b.id] } } })
    expect(rows.map(({ clicks }) => clicks)).toEqual([2n, 2n])
  })

  it.each(['a Prisma call', 'plain SQL'])('to a lock wait timeout (1205) by %s may be run again', async (way) => {
    const link = linkRow()
    await insertLinks(database, [link])
    await connection.beginTransaction()
    await connection.query('SELECT id FROM Link WHERE id = ? FOR UPDATE', [link.id])
    const error = await errorOf(
      database.$transaction(async (tx) => {
        await tx.$executeRaw`SET innodb_lock_wait_timeout = 1`
        if (way === 'plain SQL') await tx.$executeRaw`UPDATE Link SET clicks = 1 WHERE id = ${link.id}`
        else await tx.link.updateMany({ where: { id: link.id }, data: { clicks: 1n } })
      }),
    )
    await connection.rollback()
    expect(isRetryable(error)).toBe(true)
    expect(isUnreachable(error)).toBe(false)
  })

  it('to a change since it first read (1020) may be run again, where the server refuses that', async () => {
    const link = linkRow()
    await insertLinks(database, [link])
    const variables = await connection.query<unknown[]>("SHOW VARIABLES LIKE 'innodb_snapshot_isolation'")
    const raise = () =>
      database.$transaction(async (tx) => {
        if (variables.length > 0) await tx.$executeRaw`SET innodb_snapshot_isolation = ON`
        await tx.$queryRaw`SELECT clicks FROM Link WHERE id = ${link.id}`
        await connection.query('UPDATE Link SET clicks = clicks + 1 WHERE id = ?', [link.id])
        await tx.$queryRaw`SELECT clicks FROM Link WHERE id = ${link.id} FOR UPDATE`
      })
    // MySQL takes the newest row instead.
    if (variables.length === 0) return void (await raise())
    const error = await errorOf(raise())
    expect([mysqlErrorNumber(error), isRetryable(error), isUnreachable(error)]).toEqual(['1020', true, false])
  })

  it('is given up after five attempts, and other errors at once', async () => {
    const work = vi.fn(() => Promise.reject(Object.assign(new Error('deadlock'), { code: 'P2034' })))
    await expect(retryTransaction(work)).rejects.toThrow('deadlock')
    expect(work).toHaveBeenCalledTimes(5)
    const other = vi.fn(() => Promise.reject(new Error('no')))
    await expect(retryTransaction(other)).rejects.toThrow('no')
    expect(other).toHaveBeenCalledTimes(1)
  })
})

describe('a server out of reach', () => {
  it('at whose port nobody listens is known', async () => {
    const away = openDatabase(await closedPort(url), 1)
    expect(isUnreachable(await errorOf(away.$queryRaw`SELECT 1`))).toBe(true)
    expect(isUnreachable(await errorOf(away.link.findMany()))).toBe(true)
    expect(isUnreachable(await errorOf(away.$transaction([away.link.deleteMany()])))).toBe(true)
    await away.$disconnect()
  })

  it('is one that has no connection left, too', async () => {
    const narrow = openDatabase(url, 1)
    await narrow.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`
      const errors = await Promise.all([
        errorOf(narrow.link.findMany()),
        errorOf(narrow.$transaction([narrow.link.deleteMany()])),
        errorOf(narrow.$transaction((other) => other.link.deleteMany())),
      ])
      expect(errors.map(isUnreachable)).toEqual([true, true, true])
    })
    await narrow.$disconnect()
  })

  it('that is lost in the middle of a query is known', async () => {
    const proxy = await proxyTo(url)
    const client = openDatabase(proxy.url, 1)
    await client.$queryRaw`SELECT 1`
    const failed = errorOf(client.$queryRaw`SELECT SLEEP(20)`)
    await eventually(async () => {
      const rows = await connection.query<unknown[]>(
        "SELECT 1 FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT SLEEP(20)%'",
      )
      expect(rows).toHaveLength(1)
    })
    await proxy.cut()
    expect(isUnreachable(await failed)).toBe(true)
    await client.$disconnect()
  })

  it('is one that ended a transaction in which no statement came, too', async () => {
    const gateway = new SqlGateway(url, 1)
    const standStill = gateway.transaction(async (tx) => {
      const [own] = await tx.rows<{ id: bigint }>('SELECT CONNECTION_ID() AS id', [])
      const isOpen = () => connection.query<unknown[]>('SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = ?', [own?.id])
      await vi.waitFor(async () => expect(await isOpen()).toHaveLength(0), { timeout: 20_000, interval: 50 })
      return tx.rows('SELECT 1', [])
    }, 25_000)
    await expect(standStill).rejects.toMatchObject({ code: 'unavailable' })
    expect(await gateway.rows('SELECT 1 AS one')).toHaveLength(1)
    await gateway.close()
  })

  it('is not confused with one that refuses a query', async () => {
    const error = await errorOf(database.$queryRaw`SELECT * FROM Nowhere`)
    expect(isUnreachable(error)).toBe(false)
    expect(isRetryable(error)).toBe(false)
    expect(isUniqueViolation(error)).toBe(false)
    expect(mysqlErrorNumber(error)).toBe('1146')
  })

  it.each([undefined, null, 'text', 7, new Error('x')])('has nothing to do with %s', (value) => {
    expect([isUnreachable(value), isRetryable(value), isUniqueViolation(value)]).toEqual([false, false, false])
  })
})

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { testDatabase } from '@/lib/testing/database'
import { SqlGateway } from './sql-gateway'

const { url } = await testDatabase()

it('a search that takes too long is ended by the server, and waits for no scan', async () => {
  const db = new SqlGateway(url, 10)
  onTestFinished(() => db.close())
  const scans = Promise.allSettled(Array.from({ length: 5 }, () => db.scan('SLEEP(1)')))
  const begun = performance.now()
  expect(await db.search('1 AS one')).toHaveLength(1)
  expect(performance.now() - begun).toBeLessThan(900)
  // Sleeps that are ended early answer 1 on one of the servers, so it has to be work.
  const endless = 'SUM(SHA2(CONCAT(a.n, b.n), 256) > c.n) AS n FROM (SELECT SLEEP(0) AS n UNION SELECT 1) AS a, '
  const columns = '(SELECT COLUMN_NAME AS n FROM information_schema.COLUMNS) AS'
  await expect(db.search(`${endless} ${columns} b, ${columns} c, ${columns} d`)).rejects.toMatchObject({ code: 'unavailable' })
  // By SHOW: MySQL's table of processes fails while any of them runs a statement with bytes in it. A server answers that it
  // ended a statement a moment before its list says so; this one would go on for hours.
  await vi.waitFor(async () => {
    const all = await db.rows<{ Info: string | null }>('SHOW FULL PROCESSLIST')
    expect(all.filter(({ Info }) => Info?.includes('SHA2(CONCAT('))).toEqual([])
  })
  expect(db.breakerState).toBe('closed')
  await scans
})

describe('queries that take seconds', () => {
  it('of one who asks for many hold up those of another by one at most, and refuse none of theirs', async () => {
    const db = new SqlGateway(url, 10)
    onTestFinished(() => db.close())
    const done: string[] = []
    const query = (name: string) => db.asker.run(name, () => db.scan('SLEEP(0.1)').finally(() => done.push(name)))
    const many = Promise.allSettled(Array.from({ length: 15 }, () => query('many')))
    await Promise.all([query('few'), query('few')])
    expect(done.filter((name) => name === 'many').length).toBeLessThanOrEqual(4)
    await many
  })

  it('of one who asks for too many are refused, and of no other', async () => {
    const db = new SqlGateway(url, 10)
    onTestFinished(() => db.close())
    const many = db.asker.run('many', () => Promise.allSettled(Array.from({ length: 60 }, () => db.scan('SLEEP(0.02)'))))
    const others = ['a', 'b', 'c'].map((name) => db.asker.run(name, () => db.scan('SLEEP(0.02)')))
    await expect(Promise.all(others)).resolves.toHaveLength(3)
    const refused = (await many).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused.length).toBeGreaterThan(0)
    for (const reason of refused) expect(reason).toMatchObject({ code: 'unavailable' })
  })
})

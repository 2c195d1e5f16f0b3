import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '@/lib/testing/database'
import { SqlGateway } from './sql-gateway'

const { url } = await testDatabase()

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

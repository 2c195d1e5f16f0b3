import { expect, it } from 'vitest'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { SILENT } from '@/lib/testing/links'
import { ScopeCounter } from './counting'
import { keyOf } from './scope'

const { url, connection } = await testDatabase()
const db = openGateway(url)

it('accounts take turns, however much one of them waits for', async () => {
  const rows = (ownerId: string, count: number, dueAt: string) =>
    Array.from({ length: count }, (_, i) => [...keyOf({ ownerId, kind: 'label', subject: BigInt(i + 1) }), dueAt])
  await connection.batch(
    `INSERT INTO ScopeSum (ownerId, kind, subject, dueAt, askedAt, top, nextTop) VALUES (?, ?, ?, ?, UTC_TIMESTAMP(3), '', '')`,
    [...rows('greedy', 30, '2026-01-01'), ...rows('modest', 2, '2026-01-02'), ...rows('last', 1, '2026-01-03')],
  )
  const turns: string[] = []
  const watched = new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'change') return typeof value === 'function' ? value.bind(target) : value
      return (sql: string, ...values: unknown[]) => {
        if (sql.includes('COALESCE(nextId')) turns.push(String(values[1]))
        return target.change(sql, ...values)
      }
    },
  })
  await new ScopeCounter(watched, SILENT).run()
  expect(turns.slice(0, 6)).toEqual(['greedy', 'modest', 'last', 'greedy', 'modest', 'greedy'])
  expect(turns).toHaveLength(33)
})

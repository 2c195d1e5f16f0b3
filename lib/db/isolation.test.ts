import { expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { refused, scriptedDatabase } from '@/lib/testing/scripted-database'
import { uncaughtErrors } from '@/lib/testing/uncaught'
import { openDatabase } from './client'
import { SqlGateway } from './sql-gateway'

const { url } = await testDatabase()

const LEVEL = 'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ'
const scriptedUrl = (port: number) => `mysql://terse:password@127.0.0.1:${port}/terse`

/** What Terse asks by, at a pool of one connection. */
function waysTo(url: string) {
  const [gateway, prisma] = [new SqlGateway(url, 1), openDatabase(url, 1)]
  atEnd(() => Promise.all([gateway.close(), prisma.$disconnect()]))
  return {
    'a statement': (sql: string) => gateway.rows<object>(sql),
    'a transaction': (sql: string) => gateway.transaction((tx) => tx.rows<object>(sql, [])),
    "a statement of Prisma's": (sql: string) => prisma.$queryRawUnsafe<object[]>(sql),
    "a transaction of Prisma's": (sql: string) => prisma.$transaction((tx) => tx.$queryRawUnsafe<object[]>(sql)),
  }
}
const WAYS = Object.keys(waysTo(url)) as (keyof ReturnType<typeof waysTo>)[]

it.each(WAYS)('%s runs at the level it was written for, whatever the server’s default is', async (way) => {
  const heard = new Map<object, string[]>()
  const { port } = await scriptedDatabase({
    answer: (sql, socket) => {
      heard.set(socket, [...(heard.get(socket) ?? []), sql])
      return undefined
    },
  })
  const ask = waysTo(scriptedUrl(port))[way]
  for (let i = 0; i < 3; i++) await ask('SELECT 1')
  expect(heard.size).toBeGreaterThan(0)
  for (const [first, ...others] of heard.values()) {
    expect(first).toBe(LEVEL)
    expect(others).not.toContain(LEVEL)
  }
})

it('the level is that of the session again after a transaction that had its own', async () => {
  const ways = waysTo(url)
  await ways['a transaction']('SELECT 1')
  const variable = (await ways['a statement'](
    "SHOW VARIABLES WHERE Variable_name IN ('tx_isolation', 'transaction_isolation')",
  )) as {
    Value: string
  }[]
  expect(new Set(variable.map(({ Value }) => Value))).toEqual(new Set(['REPEATABLE-READ']))
})

it('a connection that is refused its level runs nothing, and another takes its place', async () => {
  const uncaught = uncaughtErrors()
  let refusals = 0
  const { port } = await scriptedDatabase({
    answer: (sql) => (sql === LEVEL && refusals++ === 0 ? refused(1047, '08S01', 'not prepared') : undefined),
  })
  const { 'a statement': ask } = waysTo(scriptedUrl(port))
  await eventually(() => ask('SELECT 1'))
  await eventually(() => ask('SELECT 1'))
  expect(refusals).toBeGreaterThan(1)
  expect(uncaught).toEqual([])
})

/**
 * Holds every statement that the other tests made against a database in use: none may read a table from end to end.
 * Run by `npm test -- plans`, after the tests whose statements were noted (lib/testing/statements.ts).
 */

import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '@/lib/testing/database'
import { fillDatabase, SMALL_TABLES } from '@/lib/testing/filled-database'
import { recordedStatements, shapeOf } from '@/lib/testing/statements'
import { ASKED_BY_TESTS, WHOLE_TABLE } from '@/lib/testing/whole-table'
import { READ_TIMEOUT } from './sql-gateway'

/** One answer may look through a window of 5,000 links; a table here has four times as many rows. */
const MOST_READS = 6_000

/**
 * A statement that the server itself ends after a time, of which only a few run at once (`scan` in lib/db/sql-gateway.ts).
 * `search` is not meant: it is held to its plan.
 */
const SCAN = new RegExp(`max_statement_time=(?!${READ_TIMEOUT / 1000} FOR)`)

const folder = process.env.TEST_STATEMENTS_OF
if (!folder) throw new Error('TEST_STATEMENTS_OF is not set; run this with `npm test -- plans`')
const statements = recordedStatements(folder).filter((sql) => {
  if (SCAN.test(sql)) return false
  const text = withoutComments(sql)
  if (!/^(SELECT|UPDATE|DELETE)\b/i.test(text) || !/\b(FROM|UPDATE)\b/i.test(text)) return false
  // The marker of a restore is there for as long as that takes, and has one row at most.
  if (/information_schema|_prisma_migrations|_terse_restore/.test(text)) return false
  return !ASKED_BY_TESTS.some((test) => test.test(shapeOf(text)))
})

const { connection } = await testDatabase()
await fillDatabase(connection)
await connection.query('SET SESSION wait_timeout = 600')
// From MySQL 9 on, EXPLAIN answers a text unless it is told otherwise; MariaDB has the table alone, and no such variable.
await connection.query("SET SESSION explain_format = 'TRADITIONAL'").catch(() => {})
afterAll(() => connection.query('ROLLBACK'))

/** Rows that this connection has read so far. */
async function reads(): Promise<number> {
  const rows = await connection.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler_read%'")
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
}

/** Real tables that the server would read from end to end. */
async function scanned(sql: string): Promise<string[]> {
  const rows = await connection.query<{ table: string | null; type: string | null; Extra: string | null }[]>(
    `EXPLAIN ${withoutComments(sql)}`,
  )
  return rows.flatMap(({ table, type }) => (type === 'ALL' && table !== null && !table.startsWith('<') ? [table] : []))
}

/** Rows that the statement reads; what it changes is undone. */
async function measure(sql: string): Promise<number> {
  await connection.query('START TRANSACTION')
  try {
    const before = await reads()
    await connection.query(sql)
    return (await reads()) - before
  } finally {
    await connection.query('ROLLBACK')
  }
}

describe('no statement reads a table from end to end', () => {
  it('of those that were noted', () => expect(statements.length).toBeGreaterThan(0))

  it.each(statements.map((sql) => [shapeOf(withoutComments(sql)), sql] as const))('%s', async (shape, sql) => {
    if (WHOLE_TABLE.some(({ statement }) => statement.test(shape))) return
    const tables = (await scanned(sql)).filter((table) => !isSmall(table, sql))
    expect({ tables, reads: Math.max((await measure(sql)) - MOST_READS, 0) }).toEqual({ tables: [], reads: 0 })
  })
})

/** EXPLAIN gives a table by the name that the statement gave it. */
function isSmall(alias: string, sql: string): boolean {
  return Object.keys(SMALL_TABLES).some(
    (name) => alias === name || new RegExp(`\\b${name}\\b\`? (?:AS )?\`?${alias}\\b`, 'i').test(sql),
  )
}

function withoutComments(sql: string): string {
  return sql
    .replace(/\/\*.*?\*\/\s*/gs, ' ')
    .replace(/^\s*(SELECT)\s+/, '$1 ')
    .trim()
}

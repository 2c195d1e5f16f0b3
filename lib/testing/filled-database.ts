import type { Connection } from 'mariadb'
import { firstIdAt } from '@/lib/db/id'
import { DAY } from '@/lib/tools/time'
import { readPrismaSchema, type SchemaColumn } from './prisma-schema'

/** Rows of each table. Well above what one answer may look through. */
export const ROWS = 20_000
const FEW = 100
const MONTH = 28 * DAY
const ID_STEP = (firstIdAt(Date.now()) - firstIdAt(Date.now() - MONTH)) / BigInt(ROWS)
/** Tables that stay small by what they are for, and so may be read whole. */
export const SMALL_TABLES: Readonly<Record<string, string>> = {
  Domain: 'an operator adds each by hand, and proves that it is theirs',
  LinkCountChange: 'what went, came back or changed hands in half a minute: the counter of links empties it',
  CountedTo: 'four rows: how far each counter is',
  IdNode: 'one row a node, and an id has room for 1,024 of them',
  EventOutbox: 'what webhooks were not told yet: emptied within seconds',
  SearchBlock: 'one row for some 16,000 links',
}

/** Columns whose rows are not all different: what nearly all rows of a table in use look like. */
const USUAL: Record<string, string> = {
  'ClickRollup.dimension': 'n % 15',
  'ClickRollup.span': '24',
  'DeletedLink.domainId': '1 + n % 50',
  'FreedHandle.handle': 'n',
  'Job.state': "'done'",
  'Link.domainId': '1 + n % 50',
  'Link.preview': 'NULL',
  'Link.routing': `IF(n % 50 = 0, '{"path":"append","query":"add"}', NULL)`,
  'Link.state': "'active'",
  'Report.state': "'dismissed'",
  'User.banned': '0',
  'Webhook.dueAt': 'NULL',
  'User.removal': 'NULL',
  'User.role': "'user'",
  'BlockRule.kind': "ELT(1 + n % 4, 'host', 'suffix', 'word', 'client')",
}

/** Numbers from 0 to 99,999. */
const NUMBERS = Array.from({ length: 5 }, (_, i) => {
  const digits = Array.from({ length: 10 }, (_, d) => `SELECT ${d}${d === 0 ? ' AS d' : ''}`).join(' UNION ALL ')
  return `(${digits}) AS t${i}`
}).join(' CROSS JOIN ')
const NUMBER = 't0.d + 10 * t1.d + 100 * t2.d + 1000 * t3.d + 10000 * t4.d'

/** Fills every table of the schema with rows as a busy server has them: of the last month, in order, and nothing due. */
export async function fillDatabase(connection: Connection): Promise<void> {
  for (const { name, columns } of readPrismaSchema()) {
    await connection.query(`DELETE FROM \`${name}\``)
    const values = columns.map((column) => USUAL[`${name}.${column.name}`] ?? usualValue(column)).join(', ')
    const names = columns.map((column) => `\`${column.name}\``).join(', ')
    const count = name in SMALL_TABLES ? FEW : ROWS
    await connection.query(
      `INSERT INTO \`${name}\` (${names}) SELECT ${values} FROM (SELECT 1 + ${NUMBER} AS n FROM ${NUMBERS}) AS numbers WHERE n <= ${count} ORDER BY n`,
    )
    await connection.query(`ANALYZE TABLE \`${name}\``)
  }
}

/** An SQL expression for the value in row `n`. */
function usualValue({ name, type }: SchemaColumn): string {
  const size = Number(/\((\d+)\)/.exec(type)?.[1] ?? 0)
  if (type.startsWith('varchar')) return `LEFT(CONCAT(LPAD(n, ${Math.min(size, 8)}, '0'), '-of-${name.slice(0, 20)}'), ${size})`
  if (type.startsWith('binary')) return `UNHEX(LPAD(HEX(n), ${size * 2}, '0'))`
  if (type.startsWith('datetime')) {
    const isDue = /expire|until|endsAt/i.test(name)
    return isDue ? 'UTC_TIMESTAMP(3) + INTERVAL 30 DAY' : `UTC_TIMESTAMP(3) - INTERVAL 2 * (${ROWS} - n) MINUTE`
  }
  // A text is JSON too, as many of these columns hold: MySQL refuses a statement with a JSON function of anything else.
  if (/text|blob/.test(type)) return `CONCAT('"text ', n, REPEAT(' and more', 60), '"')`
  if (type === 'tinyint(1)') return '0'
  if (type === 'tinyint' || type === 'smallint') return 'n % 100'
  // Ids grow with the time at which they were made (lib/db/id.ts).
  if (type === 'bigint' && /^id$|Id$/.test(name)) return `${firstIdAt(Date.now() - MONTH)} + n * ${ID_STEP}`
  return 'n'
}

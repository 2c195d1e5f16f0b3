import type { Transaction } from '@/lib/db/client'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { type Link, Prisma } from '@/lib/db/generated/client'
import { type Cell, literal } from '@/lib/db/literal'
import type { SqlTransaction } from '@/lib/db/sql'
import { sqlTime } from '@/lib/db/time'
import { isTerseError } from '@/lib/errors'
import { Together } from '@/lib/tools/together'
import type { Permitted } from './permit'

const COLUMNS = Object.values(Prisma.LinkScalarFieldEnum)
const INSERT = `INSERT INTO Link (${COLUMNS.map((column) => `\`${column}\``).join(', ')}) VALUES `
/**
 * Changes are found again by the database's time (lib/redirect/trust.ts), which a process knows only by asking. So its own
 * stands, unless it is behind by more than clocks that are in step ever are.
 */
const updatedAt = (value: string) => `GREATEST(CAST(${value} AS DATETIME(3)), UTC_TIMESTAMP(3) - INTERVAL 10 SECOND)`

/** A row of values as SQL. @param written how the value of a column is written */
const rowOf = (written: (column: keyof Link) => string) =>
  `(${COLUMNS.map((column) => (column === 'updatedAt' ? updatedAt(written(column)) : written(column))).join(',')})`
const ROW = rowOf(() => '?')

/**
 * The one statement that inserts whole rows, all or none. In plain SQL, since planning a `createMany` of this
 * width costs more than MySQL needs to run it (docs/decisions/0008-plain-sql.md).
 */
export function insertStatement(links: readonly Permitted<Link>[]): { sql: string; values: unknown[] } {
  return {
    sql: INSERT + links.map(() => ROW).join(', '),
    values: links.flatMap((link) => COLUMNS.map((column) => plainValue(link[column]))),
  }
}

/** Runs it. */
export function insertLinks(
  client: Pick<Transaction, '$executeRawUnsafe'>,
  links: readonly Permitted<Link>[],
): Prisma.PrismaPromise<number> {
  const { sql, values } = insertStatement(links)
  return client.$executeRawUnsafe(sql, ...values)
}

/** The same among the statements of a transaction in plain SQL: what many rows take. The driver would be slow at the values. */
export async function insertManyLinks(tx: SqlTransaction, links: readonly Permitted<Link>[]): Promise<void> {
  const rows = links.map((link) => rowOf((column) => literal(plainValue(link[column]))))
  await tx.run(INSERT + rows.join(','), [])
}

/** A value of a column. Times as MySQL writes them, in UTC whatever zone the connection is in. */
export function plainValue(value: Link[keyof Link]): Cell {
  return value instanceof Date ? sqlTime(value.getTime()) : value
}

/** Links that one statement inserts: an address has 8 kB at most, and a packet room for 16 MB. */
const MOST = 200

/**
 * Inserts links of one turn of the event loop by one statement: Prisma's part of a statement costs more processor time than a row
 * does. `add` throws what MySQL has against the row; TerseError 'unavailable', after which it may be there.
 */
export const insertsTogether = (db: DatabaseGateway) =>
  new Together<Permitted<Link>>({
    most: MOST,
    work: async (links) => {
      await db.write((client) => insertLinks(client, links))
      return []
    },
    isRefusal: (error) => !isTerseError(error),
  })

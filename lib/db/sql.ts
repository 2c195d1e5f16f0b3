import type { Pool, PoolConnection, TypeCastFunction } from 'mariadb'
import { type Cell, literal } from './literal'
import { openPool } from './open'

/** The driver would read a DATETIME in this process's time zone; ours are UTC. */
const typeCast: TypeCastFunction = (column, next) => {
  if (column.type !== 'DATETIME') return next()
  const text = column.string()
  return text === null ? null : new Date(`${text.replace(' ', 'T')}Z`)
}

/**
 * How long the server waits for the next statement of a transaction, in seconds. A process that stands still, or a machine that
 * is gone, holds rows that others need: its connection is closed, by which all that it did is undone, while they still wait
 * (`WRITE_TIMEOUT` in sql-gateway.ts). By a variable that both servers know, and that needs no privilege.
 */
const STILL = 4

/** What a statement did. */
export interface Changed {
  /** How many rows it changed. */
  rows: number
  /** What it told LAST_INSERT_ID. */
  id: number
}

interface RawChange {
  affectedRows: number
  insertId: bigint | number
}

const changedBy = ({ affectedRows, insertId }: RawChange): Changed => ({ rows: affectedRows, id: Number(insertId) })

/**
 * Plain SQL for the few statements that redirects stand on. They go past Prisma, whose query engine takes
 * 80 MB of a process that only redirects, and half of its time (docs/decisions/0008-plain-sql.md).
 */
export class SqlPool {
  private readonly pool: Pool

  constructor(databaseUrl: string, size: number) {
    this.pool = openPool(databaseUrl, size, { minimumIdle: 1, typeCast })
  }

  /** The rows of a SELECT; 64-bit integers as bigint, times as Date. `values` may hold no Date. */
  rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.pool.query<Row[]>(sql, [...values])
  }

  async execute(sql: string, values: readonly unknown[]): Promise<Changed> {
    return changedBy(await this.pool.query<RawChange>(sql, [...values]))
  }

  /**
   * A transaction that sees what others have committed (READ COMMITTED), so that it can be run again after a
   * conflict and then knows. Its connection is given up when anything fails. The server ends it when no statement comes for
   * `STILL`. Statements may be sent without waiting for those before: a deadlock ends the transaction, and what comes after
   * it is then not committed each for itself, as it would be with autocommit.
   * @param isGivenUp asked last of all: when it says yes nothing is committed, however late the statements end
   */
  async transaction<T>(work: (tx: SqlTransaction) => Promise<T>, isGivenUp: () => boolean): Promise<T> {
    const connection = await this.pool.getConnection()
    try {
      // Sent together.
      await Promise.all([
        connection.query(`SET SESSION wait_timeout = ${STILL}, autocommit = 0`),
        connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED'),
        connection.beginTransaction(),
      ])
      const result = await work(new SqlTransaction(connection))
      if (isGivenUp()) throw new Error('given up before it was committed')
      // In the pool it may lie for as long as the server allows.
      await Promise.all([connection.commit(), connection.query('SET SESSION wait_timeout = DEFAULT, autocommit = 1')])
      await connection.release()
      return result
    } catch (error) {
      // Its state is not known, and it may hang: the next caller gets another.
      connection.destroy()
      throw error
    }
  }

  close(): Promise<void> {
    return this.pool.end()
  }
}

/** Statements of one transaction. */
export class SqlTransaction {
  constructor(private readonly connection: PoolConnection) {}

  rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.connection.query<Row[]>(sql, values.length === 0 ? undefined : [...values])
  }

  async run(sql: string, values: readonly unknown[]): Promise<Changed> {
    return changedBy(await this.connection.query<RawChange>(sql, values.length === 0 ? undefined : [...values]))
  }

  /** One statement for all rows, whose cells are found by the names of the columns. Does nothing without rows. */
  async insert<Column extends string>(
    table: string,
    columns: readonly Column[],
    rows: readonly Readonly<Record<Column, Cell>>[],
    tail = '',
  ): Promise<void> {
    if (rows.length > 0) await this.connection.query(insertText(table, columns, rows, tail))
  }
}

/** One statement that inserts all rows, of which there is at least one. @param tail what it ends with: `ON DUPLICATE KEY …` */
export function insertText<Column extends string>(
  table: string,
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, Cell>>[],
  tail = '',
): string {
  let values = ''
  for (const row of rows) {
    let cells = ''
    for (const column of columns) cells += cells === '' ? literal(row[column]) : `,${literal(row[column])}`
    values += values === '' ? `(${cells})` : `,(${cells})`
  }
  const names = columns.map((column) => `\`${column}\``).join(',')
  return `INSERT INTO ${table} (${names}) VALUES ${values} ${tail}`
}

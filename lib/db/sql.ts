import { createPool, type Pool, type TypeCastFunction } from 'mariadb'
import { CONNECTION_COLLATION, parseDatabaseUrl } from './client'

/** The driver would read a DATETIME in this process's time zone; ours are UTC. */
const typeCast: TypeCastFunction = (column, next) => {
  if (column.type !== 'DATETIME') return next()
  const text = column.string()
  return text === null ? null : new Date(`${text.replace(' ', 'T')}Z`)
}

/**
 * Plain SQL for the few statements that redirects stand on. They go past Prisma, whose query engine takes
 * 80 MB of a process that only redirects, and half of its time (docs/decisions/0008-plain-sql.md).
 */
export class SqlPool {
  private readonly pool: Pool

  constructor(databaseUrl: string, size: number) {
    this.pool = createPool({
      ...parseDatabaseUrl(databaseUrl),
      connectionLimit: size,
      minimumIdle: 1,
      acquireTimeout: 1_500,
      connectTimeout: 1_500,
      // MySQL 8.4's default authentication asks for its key over a connection without TLS.
      allowPublicKeyRetrieval: true,
      collation: CONNECTION_COLLATION,
      typeCast,
    })
  }

  /** The rows of a SELECT; 64-bit integers as bigint, times as Date. `values` may hold no Date. */
  rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.pool.query<Row[]>(sql, [...values])
  }

  /** How many rows a statement changed. */
  async change(sql: string, values: readonly unknown[]): Promise<number> {
    const { affectedRows } = await this.pool.query<{ affectedRows: number }>(sql, [...values])
    return affectedRows
  }

  close(): Promise<void> {
    return this.pool.end()
  }
}

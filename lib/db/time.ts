import type { Transaction } from './client'
import type { SqlGateway } from './sql-gateway'

/** The database’s time in SQL: the clocks of processes differ. */
export const NOW = 'UTC_TIMESTAMP(3)'

/**
 * A time, in ms since 1970 UTC, as DATETIME(3) columns hold it. Plain SQL takes no Date: the driver would write it in this
 * process's zone.
 */
export const sqlTime = (at: number) => new Date(at).toISOString().slice(0, 23).replace('T', ' ')

/** The database's time, in ms since 1970: the one clock that all processes share. @throws TerseError 'unavailable' */
export async function databaseNow(db: Pick<SqlGateway, 'rows'>): Promise<number> {
  const [row] = await db.rows<{ now: Date }>(`SELECT ${NOW} AS now`)
  if (!row) throw new Error('the database told no time')
  return row.now.getTime()
}

/** The database's time, by which changes are found again (lib/redirect/trust.ts): the clocks of processes differ. */
export async function databaseTime(client: Pick<Transaction, '$queryRaw'>): Promise<Date> {
  const [row] = await client.$queryRaw<{ now: Date }[]>`SELECT UTC_TIMESTAMP(3) AS now`
  if (!row) throw new Error('the database told no time')
  return row.now
}

/**
 * Whether a time has come by the database's clock that lay at most so many seconds ahead when it was written, as SQL. One that is
 * twice as far ahead was written before the clock was set back, or by the clock of another server: it would last for as long as
 * the clocks are apart.
 */
export const hasCome = (column: string, longest: number) =>
  `(${column} IS NULL OR ${column} <= ${NOW} OR ${column} > ${NOW} + INTERVAL ${2 * longest} SECOND)`

import { setTimeout as delay } from 'node:timers/promises'

/** Everything the project knows about the shape of Prisma's and the driver's errors. */

interface DriverCause {
  originalCode?: string
  code?: number | string
  kind?: string
  constraint?: { index?: string }
}

interface PrismaErrorShape {
  code?: string
  message?: string
  meta?: { code?: string; driverAdapterError?: { cause?: DriverCause } }
  cause?: DriverCause
  /** The driver's own errors have the number here. */
  errno?: number
}

const shape = (error: unknown): PrismaErrorShape => (typeof error === 'object' && error !== null ? error : {})

function driverCause(error: unknown): DriverCause {
  return shape(error).meta?.driverAdapterError?.cause ?? shape(error).cause ?? {}
}

/** The server's own number, such as '1062', or ''. */
export function mysqlErrorNumber(error: unknown): string {
  const cause = driverCause(error)
  return String(cause.originalCode ?? cause.code ?? shape(error).meta?.code ?? shape(error).errno ?? '')
}

/** True when a unique index refused a row; with `index`, only when it was that one. */
export function isUniqueViolation(error: unknown, index?: string): boolean {
  const { code } = shape(error)
  if (code !== 'P2002' && mysqlErrorNumber(error) !== '1062') return false
  if (index === undefined) return true
  // MySQL says 'Link.Link_code_key', MariaDB 'Link_code_key'; raw queries only have the message.
  const named = driverCause(error).constraint?.index ?? shape(error).message ?? ''
  return named.includes(index)
}

/**
 * True when a statement was refused for what its values are (SQLSTATE classes 22 and 23, and MySQL's own number for
 * text it cannot store), rather than for the state the server is in.
 */
export function isDataError(error: unknown): boolean {
  const { sqlState } = error as { sqlState?: string }
  return /^2[23]/.test(sqlState ?? '') || mysqlErrorNumber(error) === '1366'
}

/** The server's number for a statement that is longer than it takes, and the driver's. */
const TOO_LONG = new Set(['1153', '45046'])

/** True when a statement of many rows was refused for what some of them are: fewer of them may pass. */
export function isRowsRefused(error: unknown): boolean {
  return TOO_LONG.has(mysqlErrorNumber(error)) || (isDataError(error) && !isUniqueViolation(error))
}

/**
 * Deadlock (1213), lock wait timeout (1205), or a row that was changed since the transaction first read (1020, of MariaDB, which
 * since 11.6 refuses by itself to lock such a row): it may be run again. By the first, a Galera cluster also tells of another
 * node's transaction that came before, at any statement or at the commit.
 */
const RETRYABLE = new Set(['1213', '1205', '1020'])

/** True when a transaction lost to another, and may be run again. */
export function isRetryable(error: unknown): boolean {
  return shape(error).code === 'P2034' || RETRYABLE.has(mysqlErrorNumber(error))
}

/** True when the server ended a statement because it took longer than it may (MariaDB 1969, MySQL 3024). */
export function isStatementTimeout(error: unknown): boolean {
  const number = mysqlErrorNumber(error)
  return number === '1969' || number === '3024'
}

const UNREACHABLE = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'])
const UNREACHABLE_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'])

/**
 * How a Galera node answers everything while it is cut off from most others, or has not all data yet; and how, what it was
 * committing when it was cut off.
 */
const NOT_IN_CLUSTER = new Set(['1047', '1180'])

/** True when the server could not be reached or did not answer in time, rather than refused the query. */
export function isUnreachable(error: unknown): boolean {
  const { code, message = '' } = shape(error)
  if (code !== undefined && UNREACHABLE.has(code)) return true
  if (NOT_IN_CLUSTER.has(mysqlErrorNumber(error))) return true
  if (UNREACHABLE_KINDS.has(driverCause(error).kind ?? '')) return true
  return /pool timeout|ECONNREFUSED|ECONNRESET|EPIPE|socket.*(closed|ended|timeout)|connection.*(closed|timeout|refused)|server has gone away|shutdown in progress|disconnected by the server/i.test(
    message,
  )
}

/** Longest pause after the first conflict, in ms; it grows with each. Without one, those who met meet again. */
const PAUSE = 10

/** Runs `work` again, up to `attempts` times in all, while the database says that it may. */
export async function retryTransaction<T>(work: () => Promise<T>, attempts = 5): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error
      await delay(Math.random() * attempt * PAUSE)
    }
  }
}

/** MySQL answers, and cannot be used as it is set up, or as it was left. */
export class UnfitDatabase extends Error {}

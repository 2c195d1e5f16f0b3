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

/** Deadlock (1213) or lock wait timeout (1205): the transaction was rolled back and may be run again. */
export function isRetryable(error: unknown): boolean {
  const number = mysqlErrorNumber(error)
  return shape(error).code === 'P2034' || number === '1213' || number === '1205'
}

/** True when the server ended a statement because it took longer than it may (MariaDB 1969, MySQL 3024). */
export function isStatementTimeout(error: unknown): boolean {
  const number = mysqlErrorNumber(error)
  return number === '1969' || number === '3024'
}

const UNREACHABLE = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'])
const UNREACHABLE_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'])

/** True when the server could not be reached or did not answer in time, rather than refused the query. */
export function isUnreachable(error: unknown): boolean {
  const { code, message = '' } = shape(error)
  if (code !== undefined && UNREACHABLE.has(code)) return true
  if (UNREACHABLE_KINDS.has(driverCause(error).kind ?? '')) return true
  return /pool timeout|ECONNREFUSED|ECONNRESET|EPIPE|socket.*(closed|ended|timeout)|connection.*(closed|timeout|refused)|server has gone away|shutdown in progress|disconnected by the server/i.test(
    message,
  )
}

/** Runs `work` again, up to `attempts` times in all, while the database says that it may. */
export async function retryTransaction<T>(work: () => Promise<T>, attempts = 5): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error
    }
  }
}

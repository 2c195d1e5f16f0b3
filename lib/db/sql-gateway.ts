import { AsyncLocalStorage } from 'node:async_hooks'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Breaker, BreakerOpenError, type BreakerState } from '@/lib/tools/breaker'
import { TimeoutError, withTimeout } from '@/lib/tools/timeout'
import { BusyError, Turns } from '@/lib/tools/turns'
import { isStatementTimeout, isUnreachable } from './errors'
import { type Changed, SqlPool, type SqlTransaction } from './sql'

export const READ_TIMEOUT = 1_500
export const WRITE_TIMEOUT = 5_000
const TRANSACTION_TIMEOUT = 15_000
const SCAN_TIMEOUT = 8_000
/** Most connections of a pool must stay free for redirects. A page of statistics makes some ten scans. */
const SCANS = { atOnce: 3, atOnceEach: 2, mayWait: 200, mayWaitEach: 20 }
/** Searches are short, and many. A list and its total are two. */
const SEARCHES = { atOnce: 6, atOnceEach: 3, mayWait: 500, mayWaitEach: 100 }

/** True when MySQL did not answer, rather than refused. */
export function isOutage(error: unknown): boolean {
  return error instanceof TimeoutError || error instanceof BreakerOpenError || isUnreachable(error)
}

/**
 * The way to MySQL in plain SQL: a timeout and a breaker around every use, so that an outage is told at once and ends
 * by itself. Without Prisma, which takes 50 MB and is of no use to a process that only redirects, or only counts.
 */
export class SqlGateway {
  private readonly sql: SqlPool
  /** Who has the work under way done: an account, a manage token or a client. Unset for what the server does by itself. */
  readonly asker = new AsyncLocalStorage<string>()
  /** Operations under way. */
  inUse = 0
  private readonly scans = new Turns(SCANS)
  private readonly searches = new Turns(SEARCHES)
  private readonly breaker = new Breaker({ failures: 5, cooldown: 500, isFailure: isOutage })

  constructor(
    databaseUrl: string,
    poolSize: number,
    private readonly scanTimeout = SCAN_TIMEOUT,
  ) {
    this.sql = new SqlPool(databaseUrl, poolSize)
  }

  get breakerState(): BreakerState {
    return this.breaker.state
  }

  /** The rows of a SELECT. @throws TerseError 'unavailable' when MySQL does not answer; else what the query throws */
  rows<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
    return this.use(() => this.sql.rows<Row>(sql, values), READ_TIMEOUT)
  }

  /**
   * The rows of a SELECT that reads so much that it may take seconds. The server itself ends it when it takes too
   * long, so that nothing goes on unheard, and few run at once: those who ask take turns.
   * @param select what follows the word SELECT
   * @throws TerseError 'unavailable' also when it took too long, or too many wait
   */
  scan<Row>(select: string, ...values: unknown[]): Promise<Row[]> {
    return this.scanWithin<Row>(this.scanTimeout, select, ...values)
  }

  /** The same with another patience, in ms. */
  scanWithin<Row>(timeout: number, select: string, ...values: unknown[]): Promise<Row[]> {
    return this.inTurn<Row>(this.scans, timeout, select, values)
  }

  /**
   * The rows of a SELECT that looks through many rows for a few, in far less than a second as a rule. It takes turns and is ended
   * as a scan is, but waits for no scan.
   * @param select what follows the word SELECT
   * @throws TerseError 'unavailable' also when it took too long, or too many wait
   */
  search<Row>(select: string, ...values: unknown[]): Promise<Row[]> {
    return this.inTurn<Row>(this.searches, READ_TIMEOUT, select, values)
  }

  private async inTurn<Row>(turns: Turns, timeout: number, select: string, values: unknown[]): Promise<Row[]> {
    // Each server takes the other's way for a comment: MySQL has a hint, MariaDB a prefix.
    const limit = `/*M! SET STATEMENT max_statement_time=${timeout / 1000} FOR */`
    const sql = `${limit} SELECT /*+ MAX_EXECUTION_TIME(${timeout}) */ ${select}`
    try {
      return await turns.run(this.asker.getStore() ?? '', () =>
        this.use(() => this.sql.rows<Row>(sql, values), timeout + READ_TIMEOUT),
      )
    } catch (cause) {
      if (!isStatementTimeout(cause) && !(cause instanceof BusyError)) throw cause
      const why = say(cause instanceof BusyError ? 'api.system.busyQueries' : 'api.system.longQuery')
      throw new TerseError('unavailable', why, { retryAfter: 10, cause })
    }
  }

  /** How many rows a statement in plain SQL changed. @throws as `rows` */
  async change(sql: string, ...values: unknown[]): Promise<number> {
    return (await this.execute(sql, ...values)).rows
  }

  /** The same, with what it told LAST_INSERT_ID. @throws as `rows` */
  execute(sql: string, ...values: unknown[]): Promise<Changed> {
    return this.use(() => this.sql.execute(sql, values), WRITE_TIMEOUT)
  }

  /**
   * Several statements in plain SQL, all or none. When the time is over before they are done, none takes effect any more;
   * only what was being committed at that moment, or as the connection broke, may have.
   * @param timeout ms
   * @throws as `rows`
   */
  async transaction<T>(work: (tx: SqlTransaction) => Promise<T>, timeout = TRANSACTION_TIMEOUT): Promise<T> {
    let isGivenUp = false
    try {
      return await this.use(() => this.sql.transaction(work, () => isGivenUp), timeout)
    } finally {
      isGivenUp = true
    }
  }

  protected async use<T>(work: () => Promise<T>, timeout: number): Promise<T> {
    this.inUse += 1
    try {
      return await this.breaker.run(() => withTimeout(work(), timeout, 'MySQL'))
    } catch (error) {
      if (!isOutage(error)) throw error
      throw new TerseError('unavailable', say('api.system.database'), {
        retryAfter: 2,
        cause: error,
      })
    } finally {
      this.inUse -= 1
    }
  }

  async close(): Promise<void> {
    await this.sql.close()
  }
}

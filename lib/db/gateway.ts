import { TerseError } from '@/lib/errors'
import { Breaker, BreakerOpenError, type BreakerState } from '@/lib/tools/breaker'
import { TimeoutError, withTimeout } from '@/lib/tools/timeout'
import { type Database, openDatabase } from './client'
import { isUnreachable } from './errors'

const READ_TIMEOUT = 1_500
const WRITE_TIMEOUT = 5_000

/** True when MySQL did not answer, rather than refused. */
export function isOutage(error: unknown): boolean {
  return error instanceof TimeoutError || error instanceof BreakerOpenError || isUnreachable(error)
}

/** The way to MySQL: a timeout and a breaker around every use, so that an outage is told at once and ends by itself. */
export class DatabaseGateway {
  readonly client: Database
  /** Operations under way. */
  inUse = 0
  private readonly breaker = new Breaker({ failures: 5, cooldown: 500, isFailure: isOutage })

  constructor(databaseUrl: string, poolSize: number) {
    this.client = openDatabase(databaseUrl, poolSize)
  }

  get breakerState(): BreakerState {
    return this.breaker.state
  }

  /** @throws TerseError 'unavailable' when MySQL does not answer; else what the query throws */
  read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.use(work, READ_TIMEOUT)
  }

  /** As `read`, with the patience that a write deserves. */
  write<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.use(work, WRITE_TIMEOUT)
  }

  private async use<T>(work: (db: Database) => Promise<T>, timeout: number): Promise<T> {
    this.inUse += 1
    try {
      return await this.breaker.run(() => withTimeout(work(this.client), timeout, 'MySQL'))
    } catch (error) {
      if (!isOutage(error)) throw error
      throw new TerseError('unavailable', 'The database does not answer right now. Try again shortly.', {
        retryAfter: 2,
        cause: error,
      })
    } finally {
      this.inUse -= 1
    }
  }

  close(): Promise<void> {
    return this.client.$disconnect()
  }
}

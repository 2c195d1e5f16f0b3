import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { BusyError, Turns } from '@/lib/tools/turns'
import { type Database, openDatabase, type Transaction } from './client'
import { retryTransaction } from './errors'
import { READ_TIMEOUT, SqlGateway, WRITE_TIMEOUT } from './sql-gateway'

/** Transactions of one account that may wait for each other. */
const MAY_WAIT = 100

/** The way to MySQL, by Prisma too. */
export class DatabaseGateway extends SqlGateway {
  /** It connects, and loads its engine, when it is first used. */
  readonly client: Database
  private readonly accounts = new Turns({ atOnceEach: 1, mayWaitEach: MAY_WAIT })

  constructor(databaseUrl: string, poolSize: number, scanTimeout?: number) {
    super(databaseUrl, poolSize, scanTimeout)
    this.client = openDatabase(databaseUrl, poolSize)
  }

  /** @throws TerseError 'unavailable' when MySQL does not answer; else what the query throws */
  read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.use(() => work(this.client), READ_TIMEOUT)
  }

  /**
   * As `read`, with the patience that a write deserves, and again where the database ended it for another's sake.
   * @param work one statement or one transaction: what came before would be done twice
   */
  write<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.use(() => retryTransaction(() => work(this.client)), WRITE_TIMEOUT)
  }

  /** All of `work` or nothing. @throws as `write` */
  atomic<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.write((client) => client.$transaction(work))
  }

  /**
   * The same with an account locked, so that of many requests at once none passes a limit. Those of one account wait for each
   * other here, where they hold no connection.
   * @throws as `write`; TerseError 'rate_limited' when too many wait already
   */
  async atomicOf<T>(userId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const locked = async (tx: Transaction) => {
      await tx.$queryRaw`SELECT id FROM User WHERE id = ${userId} FOR UPDATE`
      return work(tx)
    }
    try {
      return await this.accounts.run(userId, () => this.atomic(locked))
    } catch (error) {
      if (error instanceof BusyError) throw new TerseError('rate_limited', say('api.request.busy'), { retryAfter: 1 })
      throw error
    }
  }

  override async close(): Promise<void> {
    await Promise.all([this.client.$disconnect(), super.close()])
  }
}

import { type Database, openDatabase, type Transaction } from './client'
import { retryTransaction } from './errors'
import { READ_TIMEOUT, SqlGateway, WRITE_TIMEOUT } from './sql-gateway'

/** The way to MySQL, by Prisma too. */
export class DatabaseGateway extends SqlGateway {
  /** It connects, and loads its engine, when it is first used. */
  readonly client: Database

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

  override async close(): Promise<void> {
    await Promise.all([this.client.$disconnect(), super.close()])
  }
}

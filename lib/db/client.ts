import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaClient } from './generated/client'
import { openPool } from './open'

export type Database = PrismaClient
/** What a transaction's callback is given. */
export type Transaction = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>

/** A Prisma client over a pool of `poolSize` connections. */
export function openDatabase(databaseUrl: string, poolSize: number): Database {
  // By itself, the adapter would make a pool of its own.
  const adapter: Pick<PrismaMariaDb, 'provider' | 'adapterName' | 'connect'> = {
    provider: 'mysql',
    adapterName: '@prisma/adapter-mariadb',
    connect: () => {
      const pool = openPool(databaseUrl, poolSize, { minimumIdle: Math.min(2, poolSize) })
      return new PrismaMariaDb(pool, { useTextProtocol: true, disposeExternalPool: true }).connect()
    },
  }
  return new PrismaClient({ adapter, errorFormat: 'minimal' })
}

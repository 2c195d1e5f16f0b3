import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { CONNECTION_COLLATION, parseDatabaseUrl } from './address'
import { PrismaClient } from './generated/client'

export type Database = PrismaClient
/** What a transaction's callback is given. */
export type Transaction = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>

/** A Prisma client over a pool of `poolSize` connections; waiting for one fails after 1.5 s. */
export function openDatabase(databaseUrl: string, poolSize: number): Database {
  const adapter = new PrismaMariaDb(
    {
      ...parseDatabaseUrl(databaseUrl),
      connectionLimit: poolSize,
      minimumIdle: Math.min(2, poolSize),
      acquireTimeout: 1_500,
      connectTimeout: 1_500,
      // MySQL 8.4's default authentication asks for its key over a connection without TLS.
      allowPublicKeyRetrieval: true,
      collation: CONNECTION_COLLATION,
    },
    { useTextProtocol: true },
  )
  return new PrismaClient({ adapter, errorFormat: 'minimal' })
}

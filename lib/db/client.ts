import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { poolOptions } from './address'
import { PrismaClient } from './generated/client'

export type Database = PrismaClient
/** What a transaction's callback is given. */
export type Transaction = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>

/** A Prisma client over a pool of `poolSize` connections. */
export function openDatabase(databaseUrl: string, poolSize: number): Database {
  const options = { ...poolOptions(databaseUrl, poolSize), minimumIdle: Math.min(2, poolSize) }
  const adapter = new PrismaMariaDb(options, { useTextProtocol: true })
  return new PrismaClient({ adapter, errorFormat: 'minimal' })
}

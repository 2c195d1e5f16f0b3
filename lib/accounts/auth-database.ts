import { APIError } from 'better-auth'
import type { Database } from '@/lib/db/client'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { isTerseError } from '@/lib/errors'
import { asText } from '@/lib/i18n/message'
import type { Handles } from '@/lib/ids/handles'
import { withHandle } from '@/lib/ids/handles'

/**
 * The client that better-auth is given, with what it leaves to chance decided by the database.
 *
 * Every user that is made gets a handle of the system, whatever handle was asked for: here and not where a sign-up begins,
 * since a refused insert leaves the transaction as it was, and only the insert is repeated, by whatever way the account is
 * made.
 *
 * Backup codes are exchanged for those that are left in one statement. Prisma's `update` reads first and writes then, so
 * that of two codes used at once one would come back.
 *
 * Each query goes by way of the gateway, and nothing else does: what better-auth does between them, hashing above all, may
 * take long while MySQL is well.
 */
export function authDatabase(db: DatabaseGateway, handles: Handles): Database {
  const decided = db.client.$extends({
    query: {
      user: {
        create: ({ args, query }) =>
          told(() => withHandle(handles, (handle) => query({ ...args, data: { ...args.data, handle } as typeof args.data }))),
      },
      twoFactor: {
        async update({ args, query }) {
          if (args.where.backupCodes === undefined) return query(args)
          const { where, data } = args
          const { count } = await told(() => db.write((client) => client.twoFactor.updateMany({ where, data })))
          // As Prisma says that there is no such row.
          if (count === 0) throw Object.assign(new Error('these backup codes were used meanwhile'), { code: 'P2025' })
          const byId = { id: where.id } as typeof where
          return told(() => db.read((client) => client.twoFactor.findUniqueOrThrow({ where: byId })))
        },
      },
    },
  })
  // Added last, it is nearest to the database: what is above has waits of its own.
  const guarded = decided.$extends({
    query: {
      $allOperations: ({ operation, args, query }) =>
        told(() => (READS.test(operation) ? db.read(() => query(args)) : db.write(() => query(args)))),
    },
  })
  return guarded as unknown as Database
}

const READS = /^(find|count|aggregate|groupBy)/

/** better-auth tells its own errors, and takes all others for the applicant's fault. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isTerseError(error)) throw error
    throw new APIError('SERVICE_UNAVAILABLE', { code: 'UNAVAILABLE', message: asText(error.said) })
  }
}

import { APIError } from 'better-auth'
import type { Database } from '@/lib/db/client'
import { isTerseError } from '@/lib/errors'
import type { Handles } from '@/lib/ids/handles'
import { withHandle } from './handle'

/**
 * The client that better-auth is given, with what it leaves to chance decided by the database.
 *
 * Every user that is made gets a handle of the system, whatever handle was asked for: here and not where a sign-up begins,
 * since a refused insert leaves the transaction as it was, and only the insert is repeated, by whatever way the account is
 * made.
 *
 * Backup codes are exchanged for those that are left in one statement. Prisma's `update` reads first and writes then, so
 * that of two codes used at once one would come back.
 */
export function authDatabase(db: Database, handles: Handles) {
  return db.$extends({
    query: {
      user: {
        async create({ args, query }) {
          try {
            return await withHandle(handles, (handle) => query({ ...args, data: { ...args.data, handle } as typeof args.data }))
          } catch (error) {
            if (!isTerseError(error)) throw error
            // better-auth tells its own errors, and takes all others for the applicant's fault.
            throw new APIError('SERVICE_UNAVAILABLE', { code: 'UNAVAILABLE', message: error.message })
          }
        },
      },
      twoFactor: {
        async update({ args, query }) {
          if (args.where.backupCodes === undefined) return query(args)
          const { count } = await db.twoFactor.updateMany({ where: args.where, data: args.data })
          // As Prisma says that there is no such row.
          if (count === 0) throw Object.assign(new Error('these backup codes were used meanwhile'), { code: 'P2025' })
          return db.twoFactor.findUniqueOrThrow({ where: { id: args.where.id } as typeof args.where })
        },
      },
    },
  })
}

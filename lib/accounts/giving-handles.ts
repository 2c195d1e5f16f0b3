import { APIError } from 'better-auth'
import type { Database } from '@/lib/db/client'
import { isTerseError } from '@/lib/errors'
import type { Handles } from '@/lib/ids/handles'
import { withHandle } from './handle'

/**
 * A client that gives every user it makes a handle of the system, whatever handle was asked for. Here and not where a
 * sign-up begins: a refused insert leaves the transaction as it was, so only the insert is repeated, by whatever way
 * the account is made.
 */
export function givingHandles(db: Database, handles: Handles) {
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
    },
  })
}

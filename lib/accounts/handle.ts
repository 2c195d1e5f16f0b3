import { randomInt } from 'node:crypto'
import type { Database } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import { TerseError } from '@/lib/errors'

/** What gives out handles. */
export interface HandleSource {
  /** A handle that no account had when it was drawn. */
  issue(): Promise<{ handle: string; wrapped: boolean }>
}

/** Handles by chance alone. */
export const randomHandles: HandleSource = {
  issue: async () => ({ handle: String(randomInt(10_000_000, 100_000_000)), wrapped: false }),
}

const ATTEMPTS = 10

/**
 * Runs `insert` with a new handle, and with another one while the unique index refuses it.
 * @throws TerseError 'unavailable' when no handle was free; else what `insert` throws
 */
export async function withHandle<T>(handles: HandleSource, insert: (handle: string) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { handle } = await handles.issue()
    try {
      return await insert(handle)
    } catch (error) {
      if (!isUniqueViolation(error, 'User_handle_key')) throw error
    }
  }
  throw new TerseError('unavailable', 'No handle was found for the account. Try again.', { retryAfter: 5 })
}

/**
 * A client that gives every user it makes a handle of the system, whatever handle was asked for. Here and not where a
 * sign-up begins: a refused insert leaves the transaction as it was, so only the insert is repeated, by whatever way
 * the account is made.
 */
export function givingHandles(db: Database, handles: HandleSource) {
  return db.$extends({
    query: {
      user: {
        create: ({ args, query }) =>
          withHandle(handles, (handle) => query({ ...args, data: { ...args.data, handle } as typeof args.data })),
      },
    },
  })
}

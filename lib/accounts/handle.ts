import { isUniqueViolation } from '@/lib/db/errors'
import type { Handles } from '@/lib/ids/handles'
import { insertUnique } from '@/lib/ids/system'

/** Gives out handles. */
export type HandleSource = Pick<Handles, 'source'>

/**
 * Runs `insert` with a new handle, and with another one while the unique index refuses it.
 * @throws TerseError 'unavailable' when no handle was free; else what `insert` throws
 */
export async function withHandle<T>(handles: HandleSource, insert: (handle: string) => Promise<T>): Promise<T> {
  let inserted: Promise<T> | undefined
  await insertUnique(handles.source(), async (handle) => {
    inserted = insert(handle)
    try {
      await inserted
      return true
    } catch (error) {
      if (isUniqueViolation(error, 'User_handle_key')) return false
      throw error
    }
  })
  return inserted as Promise<T>
}

import { isUniqueViolation } from '@/lib/db/errors'
import type { Handles } from '@/lib/ids/handles'
import { insertUnique } from '@/lib/ids/system'

/**
 * Runs `insert` with a new handle, and with another one while the unique index refuses it.
 * @throws TerseError 'unavailable' when no handle was free; else what `insert` throws
 */
export async function withHandle<T>(handles: Handles, insert: (handle: string) => Promise<T>): Promise<T> {
  const made: T[] = []
  await insertUnique(handles.source(), async (handle) => {
    try {
      made.push(await insert(handle))
      return true
    } catch (error) {
      if (!isUniqueViolation(error, 'User_handle_key')) throw error
      return false
    }
  })
  return made[0] as T
}

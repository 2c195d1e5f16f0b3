import { isUniqueViolation, retryTransaction } from '@/lib/db/errors'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'

/** How full one part of a system is, for the admin. */
export interface IdPart {
  /** Of handles the segment, from 0; of spoken numbers how many digits; of references and jobs the UTC day: `2026-11-22`. */
  part: string
  used: number
  /** null: without end. */
  capacity: number | null
  /** The last number that was given. */
  last: string | null
}

export interface IdState {
  name: 'handle' | 'spoken' | 'reference' | 'job'
  /** Empty when Redis could not be asked. */
  parts: IdPart[]
  /** Whether Redis could be asked. */
  up: boolean
}

/** A kind of numbers that Redis gives, as its reconciler sees it. */
export interface IdSystem {
  readonly name: IdState['name']
  /** Whether MySQL has numbers that Redis may not know of. @throws when Redis cannot be asked */
  isStale(): Promise<boolean>
  /** Tells Redis what MySQL has. Changes nothing where it knew. @throws when MySQL or Redis fails */
  resync(): Promise<void>
  /** Never throws. */
  state(): Promise<IdState>
}

/** Where numbers come from that are then inserted into MySQL: one at a time as text, or whatever its caller inserts at once. */
export interface NumberSource<N = string> {
  /** @param attempt 0, and one more after each number that was taken already */
  issue(attempt: number): Promise<N>
  /** Told of what MySQL had already, so that Redis learns of it and of what else it may have missed. */
  taken(number: N): Promise<void>
}

const ATTEMPTS = 10

/**
 * Inserts a row under a number of its own. MySQL's unique index is the final arbiter, whatever became of Redis.
 * @param index the unique index that knows the numbers which are taken
 * @param insert gives what was inserted; null when the number may not be used yet
 * @throws TerseError 'unavailable' when none was free; else what `insert` or the source throws
 */
export async function insertUnique<T, N = string>(
  source: NumberSource<N>,
  index: string,
  insert: (number: N) => Promise<T | null>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const number = await source.issue(attempt)
    // Inserts of one number at the same moment may be a deadlock to MySQL, and not yet a duplicate.
    const inserted = await retryTransaction(() => insert(number)).catch((error: unknown) => {
      if (!isUniqueViolation(error, index)) throw error
      return null
    })
    if (inserted !== null) return inserted
    await source.taken(number).catch(() => {
      // What cannot be mended now is left to the reconciler.
    })
  }
  throw new TerseError('unavailable', say('api.system.noNumber'), { retryAfter: 1 })
}

/** What `read` tells of a system, or that Redis did not answer. */
export async function readState(name: IdState['name'], read: () => Promise<IdPart[]>): Promise<IdState> {
  try {
    return { name, parts: await read(), up: true }
  } catch {
    return { name, parts: [], up: false }
  }
}

import { randomInt } from 'node:crypto'
import { retryTransaction } from '@/lib/db/errors'
import type { SqlTransaction } from '@/lib/db/sql'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Bitmap } from './bitmap'
import { type IdPart, type IdState, type IdSystem, insertUnique, type NumberSource, readState } from './system'

export const SEGMENTS = 9
/** Numbers in a segment: one bit each. */
export const SEGMENT_SIZE = 10_000_000
const SIZE = SEGMENTS * SEGMENT_SIZE
export const SEGMENT_KEYS = Array.from({ length: SEGMENTS }, (_, segment) => `{handles}:${segment}`)
/** How many are added to Redis, or taken out of quarantine, at a time: a script of so many takes about a millisecond. */
const BATCH = 2_000

/**
 * Public numbers of accounts: `(segment + 1) * 10,000,000 + position`, 8 digits. Redis holds a bitmap of each segment and gives a
 * free number near a random place (lib/ids/bitmap.ts). While it cannot, a random number is given and MySQL's unique index
 * decides.
 */
export class Handles implements IdSystem {
  readonly name = 'handle'
  private readonly bitmap: Bitmap

  constructor(
    redis: RedisGateway,
    private readonly db: SqlGateway,
    /** How long the number of a deleted account rests, in ms. */
    private readonly quarantine: number,
  ) {
    this.bitmap = new Bitmap(redis, { tag: '{handles}', size: SIZE, bits: SEGMENT_SIZE, shown: SEGMENTS })
  }

  /**
   * The next free handle, in one round trip. It is not in MySQL yet: the caller inserts it, and calls again when the
   * unique index refuses it (`source` does that).
   * @returns 8 digits, and whether the search came to the end of a segment and began again at its start
   * @throws TerseError 'unavailable' when all 90,000,000 are taken, or neither Redis nor MySQL can be asked
   */
  async issue(attempt = 0): Promise<{ handle: string; wrapped: boolean }> {
    const taken = await this.bitmap.take(1)
    if (taken === null) return { handle: await this.issueAlone(attempt), wrapped: false }
    const [position] = taken.positions
    if (position === undefined) throw new TerseError('unavailable', say('api.account.noHandle'))
    return { handle: handleOf(position), wrapped: taken.wrapped }
  }

  /** Handles for `insertUnique`, none of them in quarantine, whatever Redis may think. */
  source(): NumberSource {
    return {
      issue: async (attempt) => {
        for (;;) {
          const { handle } = await this.issue(attempt)
          if (!(await this.rests(handle))) return handle
          this.bitmap.markStale()
        }
      },
      // Its bit is set now. That MySQL had it says that others may be missing, which the reconciler sees to.
      taken: async () => this.bitmap.markStale(),
    }
  }

  /** Without Redis: in the first segment, or in any when that seems to be full. */
  private async issueAlone(attempt: number): Promise<string> {
    this.bitmap.markStale()
    for (;;) {
      const handle = String(SEGMENT_SIZE + randomInt(attempt < 5 ? SEGMENT_SIZE : SEGMENTS * SEGMENT_SIZE))
      if (!(await this.rests(handle))) return handle
    }
  }

  private async rests(handle: string): Promise<boolean> {
    const rows = await this.db.rows<{ freedAt: Date }>('SELECT freedAt FROM FreedHandle WHERE handle = ?', Number(handle))
    return rows.some(({ freedAt }) => freedAt.getTime() + this.quarantine > Date.now())
  }

  /** Puts back a handle that no account has and whose quarantine is over. @throws when Redis does not take it */
  async release(handle: string): Promise<void> {
    await this.releaseAll([Number(handle)])
  }

  private releaseAll(handles: number[]): Promise<void> {
    return this.bitmap.putBack(handles.map(positionOf))
  }

  /**
   * Ends the quarantine of handles whose time is over.
   * The bit is cleared before the row is gone: if the process dies in between, the row is still there to be found, and a
   * handle that was given meanwhile is then known by its account. The other way round the number would be lost.
   * @param now ms since 1970
   * @returns how many handles can be given again
   * @throws when MySQL or Redis fails; the rest follows next time
   */
  async sweepFreed(now = Date.now()): Promise<number> {
    if (!Number.isFinite(this.quarantine)) return 0
    for (let released = 0; ; ) {
      const { found, free } = await this.sweepSome(now - this.quarantine)
      released += free
      if (found < BATCH) return released
    }
  }

  private sweepSome(freedUntil: number): Promise<{ found: number; free: number }> {
    const sweep = async (tx: SqlTransaction) => {
      const rows = await tx.rows<{ handle: number }>(
        `SELECT handle FROM FreedHandle WHERE freedAt <= ? ORDER BY freedAt LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
        [sqlTime(freedUntil)],
      )
      if (rows.length === 0) return { found: 0, free: 0 }
      const handles = rows.map(({ handle }) => handle)
      const used = await tx.rows<{ handle: string }>('SELECT handle FROM User WHERE handle IN (?)', [handles.map(String)])
      const inUse = new Set(used.map(({ handle }) => Number(handle)))
      const free = handles.filter((handle) => !inUse.has(handle))
      if (free.length > 0) await this.releaseAll(free)
      await tx.run('DELETE FROM FreedHandle WHERE handle IN (?)', [handles])
      return { found: handles.length, free: free.length }
    }
    return retryTransaction(() => this.db.transaction(sweep))
  }

  isStale(): Promise<boolean> {
    return this.bitmap.isStale()
  }

  /** Sets the bit of every handle that an account has or that rests. */
  resync(): Promise<void> {
    return this.bitmap.resync(() => this.takenPositions())
  }

  private async *takenPositions(): AsyncGenerator<number[], void> {
    const restsFrom = Number.isFinite(this.quarantine) ? Date.now() - this.quarantine : -1
    yield* this.inBatches((after) =>
      this.db.rows(`SELECT handle FROM User WHERE handle > ? ORDER BY handle LIMIT ${BATCH}`, String(after).padStart(8, '0')),
    )
    yield* this.inBatches((after) =>
      this.db.rows(
        `SELECT handle FROM FreedHandle WHERE handle > ? AND freedAt > ? ORDER BY handle LIMIT ${BATCH}`,
        after,
        sqlTime(restsFrom),
      ),
    )
  }

  /** @param read the first handles that are greater than `after`, in order */
  private async *inBatches(read: (after: number) => Promise<{ handle: string | number }[]>): AsyncGenerator<number[], void> {
    for (let after = SEGMENT_SIZE - 1; ; ) {
      const handles = (await read(after)).map(({ handle }) => Number(handle))
      const last = handles.at(-1)
      if (last === undefined) return
      yield handles.map(positionOf)
      after = last
    }
  }

  state(): Promise<IdState> {
    return readState(this.name, async () => {
      const { last, used } = await this.bitmap.state(SEGMENTS)
      // Segments are filled in their order: what lies behind the first empty one is of no interest.
      const shown = Math.max(1, used.findLastIndex((count) => count > 0) + 1)
      const segmentOf = last === null ? -1 : Math.floor(last / SEGMENT_SIZE)
      return used.slice(0, shown).map(
        (count, segment): IdPart => ({
          part: String(segment),
          used: count,
          capacity: SEGMENT_SIZE,
          last: last !== null && segment === segmentOf ? handleOf(last) : null,
        }),
      )
    })
  }
}

/** Handles begin at 10000000. */
const handleOf = (position: number) => String(SEGMENT_SIZE + position)
const positionOf = (handle: number) => handle - SEGMENT_SIZE

/**
 * Runs `insert` with a new handle, and with another one while the unique index refuses it.
 * @throws TerseError 'unavailable' when no handle was free; else what `insert` throws
 */
export const withHandle = <T>(handles: Handles, insert: (handle: string) => Promise<T>): Promise<T> =>
  insertUnique<T>(handles.source(), 'User_handle_key', insert)

import { randomBytes } from 'node:crypto'

const RANDOM = 10
/** Ids whose randomness is asked of the system at once: one by one took 2 µs for each batch of clicks. */
const POOL = 400

/** Gives RANDOM bytes as hex digits, other ones each time. */
function pooledRandom(): () => string {
  let pool = Buffer.alloc(0)
  let used = 0
  return () => {
    if (used === pool.length) {
      pool = randomBytes(POOL * RANDOM)
      used = 0
    }
    used += RANDOM
    return pool.toString('hex', used - RANDOM, used)
  }
}

const random = pooledRandom()

/** Ids of batches, and of what is taken of a limit: 16 bytes as 32 hex digits, ms since 1970 in the first 12, the rest random. */
export const timedId = (now: number): string => timePart(now) + random()

const timePart = (time: number) => time.toString(16).padStart(12, '0')

/** When it was made, in ms since 1970. */
export const madeAt = (id: string): number => Number.parseInt(id.slice(0, 12), 16)

/** The smallest id that can have been made at `time`. */
export const firstTimedIdAt = (time: number): string => timePart(time).padEnd(32, '0')

import { randomInt } from 'node:crypto'

/**
 * Time-ordered 63-bit ids after Twitter's Snowflake: 41 bits of milliseconds since 2026, 10 bits drawn
 * at random for this process, 12 bits of sequence. Two processes that drew the same 10 bits could make
 * the same id within one millisecond; the primary key would refuse it and the caller tries again.
 */
const EPOCH = Date.UTC(2026, 0, 1)
const SEQUENCE_BITS = 12n
const NODE_BITS = 10n

export function createIdSource(now: () => number = Date.now, node: number = randomInt(1024)): () => bigint {
  let last = 0
  let sequence = 0
  return () => {
    // A clock that steps back must not repeat ids: stay at the latest millisecond seen.
    const time = Math.max(now(), last)
    sequence = time === last ? sequence + 1 : 0
    last = time
    if (sequence >= 4096) {
      last += 1
      sequence = 0
    }
    return (BigInt(last - EPOCH) << (SEQUENCE_BITS + NODE_BITS)) | (BigInt(node) << SEQUENCE_BITS) | BigInt(sequence)
  }
}

/** A new id, greater than every id this process made before. */
export const nextId = createIdSource()

/** The smallest id that can have been made at `time` (ms since 1970); 0 for times before the first. */
export function firstIdAt(time: number): bigint {
  return BigInt(Math.max(0, time - EPOCH)) << (SEQUENCE_BITS + NODE_BITS)
}

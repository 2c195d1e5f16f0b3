import { randomInt } from 'node:crypto'

/**
 * Time-ordered 63-bit ids after Twitter's Snowflake: 41 bits of milliseconds since 2026, 10 bits for the node, 12 bits of
 * sequence. A process of the app has its node and its time from MySQL (node-lease.ts), so that no two make the same id.
 */
const EPOCH = Date.UTC(2026, 0, 1)
const SEQUENCE_BITS = 12n
const NODE_BITS = 10n
export const NODES = 1 << Number(NODE_BITS)
export const SEQUENCES = 1 << Number(SEQUENCE_BITS)

/** @param time in ms since 1970 */
export function idAt(time: number, node: number, sequence: number): bigint {
  return (BigInt(time - EPOCH) << (SEQUENCE_BITS + NODE_BITS)) | (BigInt(node) << SEQUENCE_BITS) | BigInt(sequence)
}

/** How far MySQL's clock, whose time is in ids, and that of this machine are apart at most, in ms. */
export const CLOCKS_APART = 60_000

/** When an id was made, in ms since 1970. */
export const timeOf = (id: bigint): number => Number(id >> (SEQUENCE_BITS + NODE_BITS)) + EPOCH

/**
 * Ids of a node that nobody has reserved: two sources that draw the same one can make the same id within a millisecond. For tools
 * and tests, and for a caller that draws another when the database refuses one. No id comes twice from one source, whatever the
 * node.
 */
export function createIdSource(now: () => number = Date.now, node: number = randomInt(NODES)): (other?: number) => bigint {
  let last = 0
  let sequence = 0
  return (other = node) => {
    // A clock that steps back must not repeat ids: stay at the latest millisecond seen.
    const time = Math.max(now(), last)
    sequence = time === last ? sequence + 1 : 0
    last = time
    if (sequence >= SEQUENCES) {
      last += 1
      sequence = 0
    }
    return idAt(last, other, sequence)
  }
}

const KEY = Symbol.for('terse.ids')
/**
 * Those that make ids for this process; the last counts. On the global object, since the server bundle and Next.js's bundle each
 * hold a copy of this module, and a process has one node.
 */
const holder = globalThis as { [KEY]?: { first: () => bigint; others: (() => bigint)[] } }
holder[KEY] ??= { first: createIdSource(), others: [] }
const sources = holder[KEY]

/** Has `nextId` take its ids from `source`, until what is returned is called. */
export function takeIdsFrom(source: () => bigint): () => void {
  sources.others.push(source)
  return () => {
    sources.others = sources.others.filter((known) => known !== source)
  }
}

/** A new id. @throws TerseError 'unavailable' in a process of the app that has no node yet: it could write nothing either */
export const nextId = (): bigint => (sources.others.at(-1) ?? sources.first)()

/** The smallest id that can have been made at `time` (ms since 1970); 0 for times before the first. */
export function firstIdAt(time: number): bigint {
  return BigInt(Math.max(0, time - EPOCH)) << (SEQUENCE_BITS + NODE_BITS)
}

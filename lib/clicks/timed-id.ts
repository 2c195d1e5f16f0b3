import { randomBytes } from 'node:crypto'

/** Ids of batches, and of what is taken of a limit: 16 bytes as 32 hex digits, ms since 1970 in the first 12, the rest random. */
export const timedId = (now: number): string => timePart(now) + randomBytes(10).toString('hex')

const timePart = (time: number) => time.toString(16).padStart(12, '0')

/** When it was made, in ms since 1970. */
export const madeAt = (id: string): number => Number.parseInt(id.slice(0, 12), 16)

/** The smallest id that can have been made at `time`. */
export const firstTimedIdAt = (time: number): string => timePart(time).padEnd(32, '0')

import { HOUR } from './time'

/** How large a list that is taken in as a file may be, in MB of 2^20 bytes. */
export const LIST_MB = { 'text/plain': 5, 'text/csv': 256 } as const

/** How long a request may take to arrive, in ms: the largest list at 0.6 Mbit/s. Node's own limit of five minutes wants 7. */
export const LONGEST_REQUEST = HOUR

/** The forms of such a list. */
export type ListType = keyof typeof LIST_MB

export const bytesOf = (type: ListType) => LIST_MB[type] * 1024 * 1024

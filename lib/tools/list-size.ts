/** How large a list that is taken in as a file may be, in MB of 2^20 bytes. */
export const LIST_MB = { 'text/plain': 5, 'text/csv': 256 } as const

/** The forms of such a list. */
export type ListType = keyof typeof LIST_MB

export const bytesOf = (type: ListType) => LIST_MB[type] * 1024 * 1024

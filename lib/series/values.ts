/** What series are made of. The browser takes these too. */

export const SERIES_KINDS = ['cycle', 'counter', 'shuffled', 'bitmap'] as const
export type SeriesKind = (typeof SERIES_KINDS)[number]

/** How the day (UTC) stands in a number. */
export const DATE_PATTERNS = ['none', 'yyyy', 'yy', 'yyyyMM', 'yyMM', 'yyyyMMdd', 'yyMMdd', 'yyyy-MM-dd'] as const
export type DatePattern = (typeof DATE_PATTERNS)[number]

/** Check digits: Luhn's, and two of ISO/IEC 7064. */
export const CHECKS = ['none', 'luhn', 'mod11-10', 'mod97-10'] as const
export type Check = (typeof CHECKS)[number]

/** Kinds that begin again each day: their numbers tell the day. */
export const DAILY_KINDS: readonly SeriesKind[] = ['counter', 'shuffled']
/** Whether a pattern tells one day from all others. */
export const isWholeDay = (pattern: DatePattern): boolean => pattern.endsWith('dd')

/** The greatest number that a series may hold: 10 digits. */
export const MAX_NUMBER = 9_999_999_999
/** Positions of a cycle: one that rests takes some 100 bytes of Redis. */
export const MAX_CYCLE = 1_000_000
/** Numbers of a bitmap: all with up to 10 digits. */
export const MAX_BITMAP = 10_000_000_000
/** Numbers that are drawn, or links that are created, at once. */
export const MAX_DRAW = 10_000
/** Series that an account may have. */
export const MAX_SERIES = 100
/** In seconds: a minute to ten years. */
export const REST = { least: 60, most: 315_360_000 } as const
export const MAX_KEEP_DAYS = 3_660
/** Digits with which a shuffled series begins, and how many there may be of them. */
export const SHUFFLED_DIGITS = { least: 5, most: 7 } as const

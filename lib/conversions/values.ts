/** Conversions of one report. */
export const MOST_REPORTED = 100
/** Events that count for one click: what comes of a visit is a few, and each is a row. */
export const MOST_EVENTS = 100
/** Names, each with a currency, that have counts of their own among the conversions of one hour's clicks on a link. */
export const MOST_NAMES = 50

/** What became of one that was reported. */
export const OUTCOMES = ['counted', 'repeated', 'refused'] as const

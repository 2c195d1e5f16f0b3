/** What links are counted by. LinkCount has these numbers: never change them. */
export const SUBJECT = { all: 0, owner: 1, domain: 2, day: 3 } as const
export type Subject = keyof typeof SUBJECT

/**
 * The rows of CountedTo.
 * links: up to which id of a link the counts that are told hold all links, their generation, and when they were complete;
 * linksAgain: the same of those that will be told next; accountClicks: up to which link it was looked whether its account has its
 * clicks; recentClicks: when this was last done for the links that were clicked yesterday and today.
 */
export const COUNTER = { links: 1, linksAgain: 2, accountClicks: 3, recentClicks: 4 } as const

/** Up to which id LinkCount holds all links, as SQL. */
export const COUNTED_TO = `(SELECT lastId FROM CountedTo WHERE id = ${COUNTER.links})`

/** LinkCount as it is told, with its first condition, as SQL. */
export const TOLD_COUNTS = `LinkCount WHERE generation = (SELECT generation FROM CountedTo WHERE id = ${COUNTER.links})`

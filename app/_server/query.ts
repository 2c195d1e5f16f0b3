/** What a page was asked for with, after the question mark. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** One value of a name; undefined for none. */
export const oneOf = (given: string | string[] | undefined): string | undefined => (Array.isArray(given) ? given[0] : given)

/** What a page was asked for with, after the question mark. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** One value of a name; undefined for none. */
export const oneOf = (given: string | string[] | undefined): string | undefined => (Array.isArray(given) ? given[0] : given)

/** The path of a page and what it was asked for with, as an address. */
export function withQuery(path: string, given: Awaited<SearchParams>): string {
  const pairs = Object.entries(given).flatMap(([name, values]) => [values ?? []].flat().map((value) => [name, value]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

import type { RoutingFields } from './routing'

/** @param routing parsed, or as stored; null for none */
export const readRouting = (routing: string | RoutingFields | null | undefined): RoutingFields | null =>
  typeof routing === 'string' ? (JSON.parse(routing) as RoutingFields) : (routing ?? null)

/**
 * Every destination that a routing leads to, and the path of its field in the API: of a split that has a winner, only that.
 * @param routing parsed, or as stored; null for none
 */
export function routedUrls(routing: string | RoutingFields | null | undefined): { path: string; url: string }[] {
  const { rules = [], split } = readRouting(routing) ?? {}
  const { variants = [], winner } = split ?? {}
  const variantUrls = variants.map(({ url }, i) => ({ path: `routing.split.variants.${i}.url`, url }))
  return [
    ...rules.map(({ url }, i) => ({ path: `routing.rules.${i}.url`, url })),
    ...variantUrls.filter(({ url }) => winner === undefined || url === winner),
  ]
}

/** Where else a link can lead visitors than to its own destination: of a split that has a winner, only that. */
export const otherUrls = (own: string, routing: RoutingFields | null | undefined): string[] =>
  [...new Set(routedUrls(routing).map(({ url }) => url))].filter((url) => url !== own)

import type { Variant } from './split'

/** What people did with a destination. */
export interface Outcome {
  clicks: number
  visitors: number
  /** Clicks of which something was reported. */
  converted: number
}

/** Visitors that a destination needs to be compared: what fewer do is chance. */
export const FEWEST_VISITORS = 30

/**
 * How good a destination is, where conversions were reported: their clicks for each visitor. Else, as clicks and visitors by
 * themselves only mirror the weights, how often people come back on one day (docs/decisions/0042-routing.md, 0047).
 */
const meritBy = (compared: readonly { outcome: Outcome }[]) =>
  compared.some(({ outcome }) => outcome.converted > 0)
    ? ({ converted, visitors }: Outcome) => converted / visitors
    : ({ clicks, visitors }: Outcome) => clicks / visitors

/**
 * The destination that stays when a split ends: of those with enough visitors, the one with the most conversions per visitor, or
 * clicks where nothing was reported. Of two alike the first; and the first of all where none had enough.
 * @param outcomeOf what people did with a destination
 */
export function splitWinner(variants: readonly Variant[], outcomeOf: (url: string) => Outcome): string | undefined {
  const compared = variants
    .map(({ url }) => ({ url, outcome: outcomeOf(url) }))
    .filter(({ outcome }) => outcome.visitors >= FEWEST_VISITORS)
  const merit = meritBy(compared)
  const best = compared.reduce<(typeof compared)[number] | undefined>(
    (most, one) => (most && merit(most.outcome) >= merit(one.outcome) ? most : one),
    undefined,
  )
  return (best ?? variants[0])?.url
}

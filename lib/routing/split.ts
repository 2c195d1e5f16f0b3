import murmurhash from 'murmurhash'

/** One of the destinations of a split. `weight` is its share of the sum of all weights. */
export interface Variant {
  url: string
  weight: number
}

/** Destinations that visitors are split between. */
export interface Split {
  variants: Variant[]
  /** When it ends, in ISO 8601. Soon after, lib/links/split-ends.ts sets `winner`. If left out, it never ends. */
  endsAt?: string
  /** The variant that everyone gets instead. */
  winner?: string
}

/** Where a visitor goes. @param visitor the hash that identifies visitors for a day */
export const splitUrl = ({ variants, winner }: Split, linkId: string, visitor: string): string | undefined =>
  winner ?? variants[variantOf(variants, linkId, visitor)]?.url

/** When a winner is due, in ms since 1970; null if there never will be one, or there is one. */
export function endOf(split: Split | undefined): number | null {
  return split?.endsAt === undefined || split.winner !== undefined ? null : Date.parse(split.endsAt)
}

/**
 * Which variant a visitor gets: the same one all day, without a cookie, unless the weights change. The ID of the link goes into
 * the hash, so that each link splits its visitors independently.
 * @param visitor the hash that identifies visitors for a day
 * @returns its index
 */
export function variantOf(variants: readonly Variant[], linkId: string, visitor: string): number {
  const sum = variants.reduce((total, { weight }) => total + weight, 0)
  let left = (murmurhash.v3(`${linkId} ${visitor}`) / 2 ** 32) * sum
  const place = variants.findIndex(({ weight }) => {
    left -= weight
    return left < 0
  })
  return Math.max(place, 0)
}

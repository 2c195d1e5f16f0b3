import type { Rule } from '@/lib/routing/rules'

/** What other systems say of visitors that go elsewhere: by what their phone is, and by country. */
export interface Elsewhere {
  /** Rules that are ours already. */
  rules?: readonly Rule[]
  ios?: unknown
  android?: unknown
  geo?: unknown
  /** Destinations of a test, and when it ends. */
  split?: { variants: unknown; endsAt: unknown }
  /** Whether what a visitor adds to the query is added to the destination, and replaces what it has there. */
  query?: boolean
}

/** The same as a link's routing; undefined where everyone goes to its destination. */
export function routingOf({ rules: first = [], ios, android, geo, split, query }: Elsewhere): object | undefined {
  const byOs = (name: string, url: unknown) =>
    typeof url === 'string' && url !== '' ? [{ when: [{ of: 'os', in: [name] }], url }] : []
  const countries = typeof geo === 'object' && geo !== null ? Object.entries(geo as Record<string, unknown>) : []
  const byCountry = countries.flatMap(([country, url]) =>
    typeof url === 'string' && url !== '' ? [{ when: [{ of: 'country', in: [country.toUpperCase()] }], url }] : [],
  )
  const rules = [...first, ...byOs('iOS', ios), ...byOs('Android', android), ...byCountry]
  const ours = split && splitOf(split)
  if (rules.length === 0 && !query && !ours) return undefined
  return { ...(rules.length > 0 && { rules }), ...(ours && { split: ours }), ...(query && { query: 'override' }) }
}

/** Destinations that visitors are split between, until that ends; undefined where it has ended, or never began. */
function splitOf({ variants, endsAt }: NonNullable<Elsewhere['split']>): object | undefined {
  const end = typeof endsAt === 'string' ? Date.parse(endsAt) : Number.NaN
  if (!Array.isArray(variants) || variants.length === 0 || !(end > Date.now())) return undefined
  const weighed = variants.map((one: { url?: unknown; percentage?: unknown }) => ({ url: one?.url, weight: one?.percentage }))
  return { variants: weighed, endsAt: new Date(end).toISOString() }
}

/** What other systems say of visitors that go elsewhere: by what their phone is, and by country. */
export interface Elsewhere {
  ios?: unknown
  android?: unknown
  geo?: unknown
  /** Whether what a visitor adds to the query is added to the destination, and replaces what it has there. */
  query?: boolean
}

/** The same as a link's routing; undefined where everyone goes to its destination. */
export function routingOf({ ios, android, geo, query }: Elsewhere): object | undefined {
  const byOs = (name: string, url: unknown) =>
    typeof url === 'string' && url !== '' ? [{ when: [{ of: 'os', in: [name] }], url }] : []
  const countries = typeof geo === 'object' && geo !== null ? Object.entries(geo as Record<string, unknown>) : []
  const byCountry = countries.flatMap(([country, url]) =>
    typeof url === 'string' && url !== '' ? [{ when: [{ of: 'country', in: [country.toUpperCase()] }], url }] : [],
  )
  const rules = [...byOs('iOS', ios), ...byOs('Android', android), ...byCountry]
  if (rules.length === 0 && !query) return undefined
  return { ...(rules.length > 0 && { rules }), ...(query && { query: 'override' }) }
}

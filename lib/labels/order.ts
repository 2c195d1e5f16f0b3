const ORDER = new Intl.Collator('en', { numeric: true })

/** In the order in which people look for names: “Tag 2” before “Tag 10”. */
export const byName = (one: { name: string }, other: { name: string }): number => ORDER.compare(one.name, other.name)

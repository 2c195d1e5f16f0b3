/** Filters of a list by name: '' for one that is not set. And where the page begins. */
export type Filters<K extends string> = Record<K, string> & { cursor: string | null }

interface Reader<K extends string> {
  parse: (query: URLSearchParams) => Filters<K>
  write: (view: Filters<K>) => string
  /** The same for the API. */
  query: (view: Filters<K>) => Record<string, string>
  /** No filter set, and the first page. */
  none: Filters<K>
}

/** @param allowed whether a text may be the value of a filter: an address may have been typed by hand */
export function filtersOf<K extends string>(allowed: Record<K, (text: string) => boolean>): Reader<K> {
  const names = Object.keys(allowed) as K[]
  const values = (read: (name: K) => string) => Object.fromEntries(names.map((name) => [name, read(name)])) as Record<K, string>
  const query = (view: Filters<K>) => {
    const set = names.filter((name) => view[name] !== '').map((name) => [name, view[name]])
    return Object.fromEntries(view.cursor === null ? set : [...set, ['cursor', view.cursor]])
  }
  return {
    parse: (given) => {
      const read = (name: K) => {
        const text = (given.get(name) ?? '').trim()
        return allowed[name](text) ? text : ''
      }
      return { ...values(read), cursor: given.get('cursor')?.slice(0, 200) || null }
    },
    write: (view) => new URLSearchParams(query(view)).toString(),
    query,
    none: { ...values(() => ''), cursor: null },
  }
}

export const oneOf = (values: readonly string[]) => (text: string) => values.includes(text)
export const atMost = (length: number) => (text: string) => text.length <= length

import { type ListControl, useListView } from '@/app/_ui/data/list-view'

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

interface Narrowing<K extends string> {
  control: ListControl<Filters<K>>
  /** What the API is asked with. */
  query: Record<string, string>
  /** What the field of a filter takes. */
  field: (name: K) => { value: string; onChange: (value: string) => void }
  /** Takes all filters off; null: none is set. */
  clear: (() => void) | null
}

/** The filters that the address names. */
export function useFilters<K extends string>({ parse, write, query, none }: Reader<K>): Narrowing<K> {
  const control = useListView(parse, write)
  const { view, change } = control
  return {
    control,
    query: query(view),
    field: (name) => ({ value: view[name], onChange: (value) => change({ [name]: value } as Partial<Filters<K>>) }),
    clear: write({ ...view, cursor: null }) === '' ? null : () => change(none),
  }
}

export const oneOf = (values: readonly string[]) => (text: string) => values.includes(text)
export const atMost = (length: number) => (text: string) => text.length <= length

import { LRUCache } from 'lru-cache'

export interface MemoBounds {
  entries: number
  /** UTF-16 units of all keys together. Anyone can send long headers, each different from the last. */
  characters: number
}

/** `work`, which is pure, with its most recently used results kept within `bounds`. */
export function memo<T extends object>(work: (text: string) => T, bounds: MemoBounds): (text: string) => T {
  const known = memory<T>(bounds, work)
  return (text) => known.memo(text)
}

export function memory<T extends object>({ entries, characters }: MemoBounds, work?: (text: string) => T): LRUCache<string, T> {
  const bounds = { max: entries, maxSize: characters, sizeCalculation: (_: T, key: string) => key.length + 1 }
  return new LRUCache({ ...bounds, ...(work && { memoMethod: (text) => work(text) }) })
}

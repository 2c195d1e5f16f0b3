import { LRUCache } from 'lru-cache'

export interface MemoBounds {
  entries: number
  /** UTF-16 units of all keys together. Anyone can send long headers, each different from the last. */
  characters: number
}

/** `work`, which is pure, with its most recently used results kept within `bounds`. */
export function memo<T extends object>(work: (text: string) => T, bounds: MemoBounds): (text: string) => T {
  const known = memory<T>(bounds)
  return (text) => {
    const hit = known.get(text)
    if (hit) return hit
    const result = work(text)
    known.set(text, result)
    return result
  }
}

export function memory<T extends object>({ entries, characters }: MemoBounds): LRUCache<string, T> {
  return new LRUCache({ max: entries, maxSize: characters, sizeCalculation: (_, key) => key.length + 1 })
}

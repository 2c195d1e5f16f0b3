import { useSyncExternalStore } from 'react'
import { normalised } from '@/lib/tools/normalised'

/** What a page shows, under a name that somebody gave it. */
export interface SavedQuery {
  name: string
  /** As the address has it. */
  query: string
}

export interface SavedQueries {
  all: readonly SavedQuery[]
  /** Saves it, in place of one of the same name, large or small letters alike. @returns why it could not be saved, or null */
  save: (one: SavedQuery) => Promise<string | null>
  remove: (name: string) => Promise<string | null>
}

const MOST = 50
const NONE: readonly SavedQuery[] = []

/**
 * Queries with a name, kept by the browser: for who has no account. The oldest goes when there are too many.
 * @param key where they are in the browser's storage
 */
function browserQueries(key: string): () => SavedQueries {
  const listeners = new Set<() => void>()
  let text: string | null = null
  let parsed = NONE

  const read = () => {
    let found: string | null = null
    try {
      found = localStorage.getItem(key)
    } catch {
      // The browser refuses storage: they last as long as the page.
      return parsed
    }
    if (found !== text) [text, parsed] = [found, parseSaved(found)]
    return parsed
  }
  const write = (all: readonly SavedQuery[]) => {
    parsed = all
    try {
      text = JSON.stringify(all)
      localStorage.setItem(key, text)
    } catch {
      text = null
    }
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    // Another tab has changed them.
    window.addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', listener)
    }
  }
  const save = async (one: SavedQuery) => {
    write([...read().filter(({ name }) => fold(name) !== fold(one.name)), one].slice(-MOST))
    return null
  }
  const remove = async (name: string) => {
    write(read().filter((one) => one.name !== name))
    return null
  }
  return () => ({ all: useSyncExternalStore(subscribe, read, () => NONE), save, remove })
}

const fold = (name: string) => normalised('NFC', name).toLowerCase()

/** What a browser keeps under a name; none where it cannot be read. */
export function parseSaved(found: string | null): readonly SavedQuery[] {
  try {
    const all: unknown = JSON.parse(found ?? '[]')
    return Array.isArray(all) && all.length <= MOST && all.every(isSaved) ? all : NONE
  } catch {
    return NONE
  }
}

function isSaved(value: unknown): value is SavedQuery {
  const { name, query } = (value ?? {}) as Record<string, unknown>
  return typeof name === 'string' && name !== '' && name.length <= 60 && typeof query === 'string' && query.length <= 4_000
}

/** Filters of statistics. Who opens a link with its key has them too. */
export const useSegments = browserQueries('terse:segments')

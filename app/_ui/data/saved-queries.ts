import { useSyncExternalStore } from 'react'

/** What a page shows, under a name that somebody gave it. */
export interface SavedQuery {
  name: string
  /** As the address has it. */
  query: string
}

export interface SavedQueries {
  useAll: () => readonly SavedQuery[]
  /** Saves it, in place of one of the same name, large or small letters alike; the oldest goes when there are too many. */
  save: (one: SavedQuery) => void
  remove: (name: string) => void
}

const MOST = 50
const NONE: readonly SavedQuery[] = []

/**
 * Queries with a name, kept by the browser and not by the account: the server learns nothing of what one looks for. To pass one
 * on, pass on the address.
 * @param key where they are in the browser's storage
 */
function savedQueries(key: string): SavedQueries {
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
    if (found !== text) [text, parsed] = [found, parse(found)]
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
  return {
    useAll: () => useSyncExternalStore(subscribe, read, () => NONE),
    save: (one) => write([...read().filter(({ name }) => fold(name) !== fold(one.name)), one].slice(-MOST)),
    remove: (name) => write(read().filter((one) => one.name !== name)),
  }
}

const fold = (name: string) => name.normalize().toLowerCase()

function parse(found: string | null): readonly SavedQuery[] {
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
export const segments = savedQueries('terse:segments')

/** Searches, filters, orders and looks of the list of one's own links. */
export const linkViews = savedQueries('terse:link-views')

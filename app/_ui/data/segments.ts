import { useSyncExternalStore } from 'react'

/**
 * Filters of statistics that were given a name. Kept by the browser, not by the account: who opens a link with its key has
 * them too, and the server learns nothing of what one looks for. To pass one on, pass on the address.
 */

export interface Segment {
  name: string
  /** Filters and kind, as the address has them. */
  query: string
}

const KEY = 'terse:segments'
const MOST = 50
const listeners = new Set<() => void>()
const NONE: readonly Segment[] = []

let text: string | null = null
let parsed = NONE

function read(): readonly Segment[] {
  let found: string | null = null
  try {
    found = localStorage.getItem(KEY)
  } catch {
    // The browser refuses storage: segments last as long as the page.
    return parsed
  }
  if (found === text) return parsed
  text = found
  parsed = parse(found)
  return parsed
}

function parse(found: string | null): readonly Segment[] {
  try {
    const segments: unknown = JSON.parse(found ?? '[]')
    return Array.isArray(segments) && segments.length <= MOST && segments.every(isSegment) ? segments : NONE
  } catch {
    return NONE
  }
}

function isSegment(value: unknown): value is Segment {
  const { name, query } = (value ?? {}) as Record<string, unknown>
  return typeof name === 'string' && name !== '' && name.length <= 60 && typeof query === 'string' && query.length <= 4_000
}

function write(segments: readonly Segment[]): void {
  parsed = segments
  try {
    text = JSON.stringify(segments)
    localStorage.setItem(KEY, text)
  } catch {
    text = null
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab has changed them.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export const useSegments = () => useSyncExternalStore(subscribe, read, () => NONE)

/** Saves it, in place of one of the same name; the oldest goes when there are too many. */
export const saveSegment = (segment: Segment) =>
  write([...read().filter(({ name }) => name !== segment.name), segment].slice(-MOST))

export const deleteSegment = (name: string) => write(read().filter((segment) => segment.name !== name))

import { useSyncExternalStore } from 'react'
import { z } from 'zod'

/**
 * Filters of statistics that were given a name. Kept by the browser, not by the account: who opens a link with its key has
 * them too, and the server learns nothing of what one looks for. To pass one on, pass on the address.
 */

const Segment = z.object({
  name: z.string().min(1).max(60),
  /** Filters and kind, as the address has them. */
  query: z.string().max(4_000),
})
export type Segment = z.infer<typeof Segment>

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
    return z
      .array(Segment)
      .max(MOST)
      .parse(JSON.parse(found ?? '[]'))
  } catch {
    return NONE
  }
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

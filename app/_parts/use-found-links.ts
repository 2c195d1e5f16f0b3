import { useEffect, useState } from 'react'
import { countLinks, listLinks } from '@/app/_ui/data/links'
import type { LinkView } from '@/lib/links/schemas'

/** While somebody types, the server is not asked for each letter. */
const PAUSE_MS = 150
const MOST = 6
/** Requests in a row for rare words: the server answers after looking through so much. */
const MAX_STEPS = 10

export interface FoundLinks {
  /** Those of the last answer, until there is a newer one. */
  links: readonly LinkView[]
  /** What they were looked for by; '' before the first. */
  query: string
  failure: string | null
  /** There are more than these. */
  more: boolean
  /** How many there are; null until they are counted, and where there are too many for that. */
  total: number | null
}

const NOTHING: FoundLinks = { links: [], query: '', failure: null, more: false, total: null }

/** One's own links that match, a moment after typing pauses. Only the newest question is answered. */
export function useFoundLinks(query: string): FoundLinks {
  const [found, setFound] = useState(NOTHING)
  useEffect(() => {
    if (query === '') return setFound(NOTHING)
    const asking = new AbortController()
    const timer = setTimeout(() => void look(query, asking.signal, setFound), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [query])
  return found
}

async function look(query: string, signal: AbortSignal, tell: (found: FoundLinks) => void): Promise<void> {
  let links: LinkView[] = []
  let cursor: string | null = null
  for (let step = 1; step <= MAX_STEPS; step++) {
    const answer = await listLinks({ q: query, limit: String(MOST - links.length), ...(cursor && { cursor }) }, signal)
    if (signal.aborted) return
    if (!answer.ok) return tell({ links, query, failure: answer.failure.message, more: false, total: null })
    links = [...links, ...answer.value.rows]
    cursor = answer.value.nextCursor
    if (cursor === null || links.length === MOST) break
  }
  const found = { links, query, failure: null, more: cursor !== null, total: null }
  tell(found)
  if (!found.more) return
  const total = await countLinks({ q: query }, signal)
  if (!signal.aborted && total.ok && !total.value.more) tell({ ...found, total: total.value.count })
}

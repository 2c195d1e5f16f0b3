import { useCallback, useEffect, useState } from 'react'
import type { Failure } from '@/app/_ui/data/http'
import { listLinks } from '@/app/_ui/data/links'
import type { LinkView } from '@/lib/links/schemas'
import { type LinksView, listQuery } from './view'

export const PAGE = 25
/** Requests in a row for one page, before it is left to the reader whether to look on. */
const MAX_STEPS = 40

interface State {
  key: string | null
  links: LinkView[] | null
  nextCursor: string | null
  /** There is more to look through for this page. */
  looking: boolean
  failure: Failure | null
}

export interface LinkPageControl extends Omit<State, 'key'> {
  /** The links are those of another view; its own are on their way. */
  stale: boolean
  reload: () => void
  /** Puts the new state of a link in its place. */
  replace: (link: LinkView) => void
  remove: (id: string) => void
}

/**
 * A page of the account's links. The server answers after looking through so many links, with what it has found by
 * then, and this asks on until the page is full.
 */
export function useLinkPage(view: LinksView): LinkPageControl {
  const query = listQuery(view)
  const key = JSON.stringify(query)
  const [state, setState] = useState<State>({ key: null, links: null, nextCursor: null, looking: true, failure: null })
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the query, and `round` says when to read again
  useEffect(() => {
    const abort = new AbortController()
    const look = async () => {
      let links: LinkView[] = []
      let cursor = query.cursor ?? null
      for (let step = 1; ; step++) {
        const limit = String(PAGE - links.length)
        const result = await listLinks({ ...query, ...(cursor && { cursor }), limit }, abort.signal)
        if (abort.signal.aborted) return
        if (!result.ok) return setState((before) => ({ ...before, looking: false, failure: result.failure }))
        links = [...links, ...result.value.links]
        cursor = result.value.nextCursor
        const looking = cursor !== null && links.length < PAGE && step < MAX_STEPS
        setState({ key, links, nextCursor: cursor, looking, failure: null })
        if (!looking) return
      }
    }
    void look()
    return () => abort.abort()
  }, [key, round])

  const reload = useCallback(() => setRound((count) => count + 1), [])
  const change = useCallback((update: (links: LinkView[]) => LinkView[]) => {
    setState((before) => ({ ...before, links: before.links && update(before.links) }))
  }, [])
  const replace = useCallback(
    (link: LinkView) => change((links) => links.map((other) => (other.id === link.id ? link : other))),
    [change],
  )
  const remove = useCallback((id: string) => change((links) => links.filter((other) => other.id !== id)), [change])
  return { ...state, stale: state.key !== key, reload, replace, remove }
}

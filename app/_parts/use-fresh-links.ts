import { useEffect, useRef } from 'react'
import { getLink } from '@/app/_ui/data/api'
import { keyOf, markLost, type RecentLink, refreshRecent } from '@/app/_ui/data/recents'

/**
 * Asks the server once for each link that is shown, one at a time, so that clicks and states are of today.
 * Stops at the first sign of trouble: what is shown from memory is good enough.
 */
export function useFreshLinks(links: readonly RecentLink[]): void {
  const asked = useRef(new Set<string>())
  const names = links.map(keyOf).join('\n')
  const shown = useRef(links)
  shown.current = links

  // biome-ignore lint/correctness/useExhaustiveDependencies: `names` says when there are others to ask about
  useEffect(() => {
    const abort = new AbortController()
    const refresh = async () => {
      for (const link of shown.current) {
        if (asked.current.has(keyOf(link))) continue
        const result = await getLink(link, abort.signal)
        if (abort.signal.aborted) return
        asked.current.add(keyOf(link))
        if (result.ok) refreshRecent(result.value)
        else if (result.failure.kind === 'gone' || result.failure.kind === 'refused') markLost(link, result.failure.kind)
        else return
      }
    }
    void refresh()
    return () => abort.abort()
  }, [names])
}

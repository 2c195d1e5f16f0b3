import { useEffect, useRef, useState } from 'react'
import { type LiveState, listenToClicks } from '@/app/_ui/data/live'
import type { LinkAccess, ScopeAccess } from '@/app/_ui/data/stats'
import { useVisible } from '@/app/_ui/data/visible'

const THROTTLE_MS = 2_000

/**
 * Calls `onNews` when the link, or one of several, is clicked, at once but at most every two seconds. While the page is hidden
 * nothing listens: browsers allow a server only a handful of connections, and tabs left open would use them up.
 */
export function useLive(access: LinkAccess | ScopeAccess, onNews: () => void, isOffered = true): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  const visible = useVisible()
  const news = useRef(onNews)
  news.current = onNews
  const wasConnected = useRef(false)

  useEffect(() => {
    if (!visible || !isOffered) return
    const abort = new AbortController()
    const throttled = throttle(() => news.current())
    const onState = (next: LiveState) => {
      setState(next)
      if (next !== 'connected') return
      // What happened while nobody listened.
      if (wasConnected.current) throttled.call()
      wasConnected.current = true
    }
    void listenToClicks(access, { onState, onClicks: throttled.call }, abort.signal)
    return () => {
      abort.abort()
      throttled.cancel()
    }
  }, [access, visible, isOffered])
  return state
}

function throttle(call: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Number.NEGATIVE_INFINITY
  const run = () => {
    timer = undefined
    last = performance.now()
    call()
  }
  return {
    call: () => {
      timer ??= setTimeout(run, Math.max(0, last + THROTTLE_MS - performance.now()))
    },
    cancel: () => clearTimeout(timer),
  }
}

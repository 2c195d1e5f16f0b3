import { useCallback, useEffect, useState } from 'react'
import { getSystem } from '@/app/_ui/data/admin'
import { useVisible } from '@/app/_ui/data/visible'
import type { Failure } from '@/lib/forms/failure'
import type { SystemView } from '@/lib/overview/schemas'

const POLL_MS = 2000

export interface LiveSystem {
  value: SystemView | null
  failure: Failure | null
  /** When the value was read, by the clock of this browser, in ms. */
  seenAt: number | null
  /** The page is in sight, so that it asks. */
  asking: boolean
  /** Asks at once. */
  reload: () => void
}

/** The state of the system, asked for every two seconds while somebody looks. */
export function useSystem(): LiveSystem {
  const [state, setState] = useState<Pick<LiveSystem, 'value' | 'failure' | 'seenAt'>>({
    value: null,
    failure: null,
    seenAt: null,
  })
  const [round, setRound] = useState(0)
  const visible = useVisible()

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` says when to ask at once
  useEffect(() => {
    if (!visible) return
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      const result = await getSystem(abort.signal)
      if (abort.signal.aborted) return
      setState((before) =>
        result.ok ? { value: result.value, failure: null, seenAt: Date.now() } : { ...before, failure: result.failure },
      )
      timer = setTimeout(ask, POLL_MS)
    }
    void ask()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [visible, round])

  const reload = useCallback(() => setRound((count) => count + 1), [])
  return { ...state, asking: visible, reload }
}

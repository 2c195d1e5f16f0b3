import { type ComponentType, useEffect, useState } from 'react'
import { readWaiting } from './waiting'
import type { WaitingLinks } from './waiting-links'

/** Has the browser keep the front page, once this one is there. Only secure pages have workers. */
export function keepOffline(worker: string | null): void {
  const { serviceWorker } = navigator
  if (worker === null || !serviceWorker) return
  const register = () => void serviceWorker.register(worker, { scope: '/' }).catch(() => {})
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/** What shows and sends the URLs that wait: loaded once there are some, and a network. */
export function useWaiting(): ComponentType<Parameters<typeof WaitingLinks>[0]> | null {
  const [Waiting, setWaiting] = useState<typeof WaitingLinks | null>(null)
  useEffect(() => {
    const load = () => {
      if (!navigator.onLine || readWaiting().length === 0) return
      // It is tried again when the network is back once more.
      import('./waiting-links').then(
        (module) => setWaiting(() => module.WaitingLinks),
        () => {},
      )
    }
    load()
    addEventListener('online', load)
    return () => removeEventListener('online', load)
  }, [])
  return Waiting
}

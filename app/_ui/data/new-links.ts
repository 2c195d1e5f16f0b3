import { useEffect, useEffectEvent } from 'react'

/** Sent to the window when a link was created elsewhere than in the list of links. */
const CREATED = 'terse:created'

export const announceNewLink = () => window.dispatchEvent(new Event(CREATED))

/** Calls back when a link was created beside the list. */
export function useNewLinks(onCreated: () => void): void {
  const listen = useEffectEvent(onCreated)
  useEffect(() => {
    const heard = () => listen()
    window.addEventListener(CREATED, heard)
    return () => window.removeEventListener(CREATED, heard)
  }, [])
}

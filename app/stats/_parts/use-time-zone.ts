import { useEffect, useSyncExternalStore } from 'react'
import { choiceCookie } from '@/lib/tools/choice-cookie'
import { readersTimeZone, ZONE_COOKIE } from './times'

const never = () => () => undefined

/** The zone of the reader; in what the server writes the one that it knows of. @param served of what came with the page */
export function useTimeZone(served = 'UTC'): string {
  const timezone = useSyncExternalStore(never, readersTimeZone, () => served)
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that is supported
    document.cookie = choiceCookie(ZONE_COOKIE, encodeURIComponent(readersTimeZone()), location.protocol === 'https:')
  }, [])
  return timezone
}

import { useEffect } from 'react'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'
import { choiceCookie } from '@/lib/tools/choice-cookie'
import { readersTimeZone, ZONE_COOKIE } from './times'

/** The zone of the reader; in what the server writes the one that it knows of. @param served of what came with the page */
export function useTimeZone(served = 'UTC'): string {
  const inBrowser = useInBrowser()
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that is supported
    document.cookie = choiceCookie(ZONE_COOKIE, encodeURIComponent(readersTimeZone()), location.protocol === 'https:')
  }, [])
  return inBrowser ? readersTimeZone() : served
}

import { useRouter } from 'next/navigation'
import { useSyncExternalStore } from 'react'
import { isScheme, SCHEME_COOKIE, type Scheme } from '@/lib/brand/scheme'
import { choiceCookie } from '@/lib/tools/choice-cookie'

/**
 * The scheme of this page, and a way to choose another: seen at once, and kept for the pages to come.
 * @param sent as the server wrote the page
 */
export function useScheme(sent: Scheme): [Scheme, (scheme: Scheme) => void] {
  const router = useRouter()
  const scheme = useSyncExternalStore(onChange, shown, () => sent)
  const choose = (wanted: Scheme) => {
    document.documentElement.dataset.scheme = wanted
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that is supported
    document.cookie = choiceCookie(SCHEME_COOKIE, wanted, location.protocol === 'https:')
    // What the head says to the browser, such as the colour of its bars, is written by the server.
    router.refresh()
  }
  return [scheme, choose]
}

function onChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-scheme'] })
  return () => observer.disconnect()
}

function shown(): Scheme {
  const { scheme } = document.documentElement.dataset
  return isScheme(scheme) ? scheme : 'system'
}

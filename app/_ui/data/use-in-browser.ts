import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False for what the server writes, and for the very first look of the browser at it, which must be the same. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

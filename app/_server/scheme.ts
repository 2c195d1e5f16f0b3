import { cookies } from 'next/headers'
import { cache } from 'react'
import { isScheme, SCHEME_COOKIE, type Scheme } from '@/lib/brand/scheme'

/** The scheme that the reader of this page chose. */
export const pageScheme = cache(async (): Promise<Scheme> => {
  const chosen = (await cookies()).get(SCHEME_COOKIE)?.value
  return isScheme(chosen) ? chosen : 'system'
})

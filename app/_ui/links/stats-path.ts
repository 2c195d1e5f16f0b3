import { encodePath } from '@/lib/tools/encode-path'

interface Address {
  code: string
  shortUrl: string
  domain: string
}

/** The page with a link's statistics. In a browser only: the default domain is that of the page. */
export function statsPath({ code, shortUrl, domain }: Address): string {
  const path = `/stats/${encodePath(code)}`
  return new URL(shortUrl).origin === location.origin ? path : `${path}?${new URLSearchParams({ domain })}`
}

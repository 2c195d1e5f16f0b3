import { connection } from 'next/server'
import type { ShortHost } from '@/lib/domains/short-host'
import { unicodeHost } from '@/lib/net/shown-host'
import { runtime } from '@/lib/runtime'

/** The domains that a link can be created on, the default one first. */
export async function shortHosts(): Promise<ShortHost[]> {
  await connection()
  const { domains } = await runtime()
  return domains.hosts.map((domain) => {
    const url = domains.shortUrl(domain, '')
    return { domain, url, shown: unicodeHost(new URL(url).host) }
  })
}

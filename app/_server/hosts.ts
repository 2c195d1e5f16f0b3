import { connection } from 'next/server'
import type { ShortHost } from '@/lib/domains/short-host'
import { unicodeHost } from '@/lib/net/shown-host'
import { runtime } from '@/lib/runtime'
import { currentAccount } from './account'

/** The domains that one can create links on, the default one first: without an account, that alone (lib/links/permit.ts). */
export async function shortHosts(): Promise<ShortHost[]> {
  await connection()
  const { domains } = await runtime()
  const hosts = (await currentAccount()) ? domains.hosts : [domains.defaultHost]
  return hosts.map((domain) => {
    const url = domains.shortUrl(domain, '')
    const shown = unicodeHost(new URL(url).host)
    return { domain, url, shown, ...domains.codeRules(domain), ...(domains.isFolded(domain) && { ignoresCase: true as const }) }
  })
}

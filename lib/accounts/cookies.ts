import type { Config } from '@/lib/config'
import { isHttps } from '@/lib/net/host'

/** Names of the cookies of accounts, and how they are read. */

const PREFIX = 'terse'

/** The full name of a cookie, as better-auth is told to write it. */
export const cookieName = (
  { BASE_URL }: Pick<Config, 'BASE_URL'>,
  name: 'session_token' | 'two_factor' | 'device' | 'confirmed',
) => `${isHttps(BASE_URL) ? '__Secure-' : ''}${PREFIX}.${name}`

/**
 * The cookies of a request that can be read in one way only. One that came twice is left out: we might read the first of
 * the two and better-auth the second, and each would judge another session. So is one with a quotation mark.
 */
export function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>()
  const twice = new Set<string>()
  for (const pair of (header ?? '').split(';')) {
    const [, name = '', value = ''] = /^\s*([^\s=;,"]+)=([^\s;,"]*)\s*$/.exec(pair) ?? []
    if (name === '') continue
    if (cookies.has(name)) twice.add(name)
    cookies.set(name, value)
  }
  for (const name of twice) cookies.delete(name)
  return cookies
}

/** Set where an address was confirmed, for the page that says so: anyone can open that. */
export const confirmedCookie = (config: Pick<Config, 'BASE_URL'>) => {
  const secure = isHttps(config.BASE_URL) ? '; Secure' : ''
  return `${cookieName(config, 'confirmed')}=1; Max-Age=600; Path=/verify; HttpOnly; SameSite=Lax${secure}`
}

/** As a browser sends them. */
export const writeCookies = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

import { parseUrl } from '@/lib/tools/url'
import type { ClickFacts } from '../click'
import { cut, tidy, WIDTH } from './text'

export type Referrer = Pick<ClickFacts, 'referrer' | 'referrerUrl'>

const NONE: Referrer = { referrer: '', referrerUrl: '' }

/**
 * Where a click came from: the host of the page, in punycode and without `www.`, or the package of the Android
 * app; and the URL as sent, without what may be secret: user, password and fragment. Both empty for any
 * other scheme (a `file:` path names its owner) and for what is no URL.
 */
export function referrerOf(header: string): Referrer {
  const sent = tidy(header)
  const url = parseUrl(sent)
  if (url === null) return NONE
  const referrer = hostOf(url)
  if (referrer === '') return NONE
  return { referrer: cut(referrer, WIDTH.referrer), referrerUrl: cut(withoutSecrets(url, sent), WIDTH.referrerUrl) }
}

function hostOf(url: URL): string {
  // A package name's case is its own: com.Slack
  if (url.protocol === 'android-app:') return /^\w+(\.\w+)+$/.test(url.hostname) ? url.hostname : ''
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return ''
  const host = url.hostname.replace(/\.$/, '')
  // www.com is a site of its own
  return host.replace(/^www\.(?=.+\.)/, '')
}

function withoutSecrets(url: URL, sent: string): string {
  if (url.username === '' && url.password === '') return sent.replace(/#.*/s, '')
  // Browsers read http:user@host and http:\\user@host too, so only the parser knows where the password ends
  url.username = ''
  url.password = ''
  url.hash = ''
  return url.href
}

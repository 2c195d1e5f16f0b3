import {
  codeText,
  MOST_TURNS,
  markOf,
  markText,
  OFFLINE_PREFIX,
  type OfflineKey,
  offlineKeyEnd,
  ownOf,
  readOfflineKey,
} from '../../../lib/codes/offline.js'
import { linkDestination } from '../../../lib/links/link-destination.js'
import { normaliseHost } from '../../../lib/net/host.js'

/** What the code of a link depends on. */
export interface OfflineLink {
  /** The offline key: it was shown with its API key (Settings → API keys), and holds all that is needed. */
  key: string
  url: string
  /** The default domain at the time of the key, unless given. */
  domain?: string | undefined
  /** 1, unless given; up to 20 give other codes for the same URL. */
  turn?: number | undefined
}

export interface OfflineCode {
  /** The destination as the link will have it. */
  url: string
  code: string
  domain: string
  shortUrl: string
  turn: number
}

/** Wrong input of `offlineCode`. */
export class OfflineError extends Error {}

/**
 * Which code a link will get, with no server asked: the same for the same link each time. Claim it later by creating a link with
 * this URL, domain and code, in the account of the key.
 * @throws OfflineError for what is no whole offline key, no destination, no domain, or no turn
 */
export async function offlineCode({ key, url, domain, turn = 1 }: OfflineLink): Promise<OfflineCode> {
  const held = await wholeKey(key.trim())
  if (!Number.isInteger(turn) || turn < 1 || turn > MOST_TURNS)
    throw new OfflineError(`A turn is a number from 1 to ${MOST_TURNS}.`)
  const destination = linkDestination(url)
  if (!destination.ok)
    throw new OfflineError(`“${url}” isn’t a destination. It has to be a whole URL, such as https://example.com/.`)
  const host = domain === undefined ? held.domain : hostOf(domain)
  const own = ownOf(await hmac(held.secret, codeText({ host, url: destination.href, turn })))
  const code = own + markOf(await hmac(held.mark, markText(host, own)))
  return { url: destination.href, code, domain: host, shortUrl: `${originOf(held, host)}/${code}`, turn }
}

/** A key with a typing error would make codes that nobody can claim, and they would be printed. */
async function wholeKey(key: string): Promise<OfflineKey> {
  if (!key.startsWith(OFFLINE_PREFIX)) {
    const isApiKey = key.startsWith('terse_')
    throw new OfflineError(isApiKey ? 'That’s an API key. Use the offline key that was shown with it.' : 'That’s no offline key.')
  }
  const held = readOfflineKey(key)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key.slice(0, -9))))
  if (!held || !key.endsWith(offlineKeyEnd(hash))) throw new OfflineError('The offline key isn’t whole. Copy all of it.')
  return held
}

function hostOf(domain: string): string {
  try {
    return normaliseHost(new URL(`https://${domain}`).host)
  } catch {
    throw new OfflineError(`“${domain}” isn’t a domain.`)
  }
}

/** As the server writes the addresses of its links. */
function originOf({ base }: OfflineKey, host: string): string {
  const url = new URL(base)
  return host === url.hostname ? base : `${url.protocol}//${host}`
}

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))
}

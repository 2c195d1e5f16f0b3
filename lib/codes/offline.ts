/**
 * Codes that are made without the server, by whoever has an offline key of it (docs/decisions/0058-offline-codes.md): what the
 * server and the client (packages/cli) both work out. Nothing here asks anyone for anything, or needs Node.
 */

/** Digits and small letters that nobody takes for another, and no vowels, so that no words come of it. */
const ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
/**
 * Of a code so many characters are its own, and the rest its mark. Who has a key of their own can look for a destination that has
 * the code of somebody else's: each character takes 28 times as long.
 */
const OWN = 12
const MARK = 3
const SHAPE = new RegExp(`^[${ALPHABET}]{${OWN + MARK}}$`, 'i')

/** How many codes a URL has on a domain, by one key. */
export const MOST_TURNS = 20

/** What begins an offline key. */
export const OFFLINE_PREFIX = 'terse_off_'

/** What an offline key holds. */
export interface OfflineKey {
  /** The origin of BASE_URL, and the default domain at that time. */
  base: string
  domain: string
  /** Of the API key: its codes are made with it. 32 bytes. */
  secret: Uint8Array<ArrayBuffer>
  /** Of the server: it knows codes that were made offline by it, whoever made them. 16 bytes. */
  mark: Uint8Array<ArrayBuffer>
}

/** What a code is for. */
export interface OfflineLink {
  /** The domain, as `normaliseHost` writes it. */
  host: string
  /** The destination, as links store it. */
  url: string
  /** 1 to MOST_TURNS. */
  turn: number
}

/** What the code of a link is made of, by HMAC-SHA-256 under the secret of its key. No part can hold a line break. */
export const codeText = ({ host, url, turn }: OfflineLink): string => `terse code 1\n${host}\n${turn}\n${url}`

/** What the mark of a code is made of, by HMAC-SHA-256 under the server's. @param own the beginning of the code */
export const markText = (host: string, own: string): string => `terse mark 1\n${host}\n${own}`

/** The beginning of a code. @param mac of `codeText` */
export const ownOf = (mac: Uint8Array): string => digits(mac, OWN)

/** The end of a code. @param mac of `markText` */
export const markOf = (mac: Uint8Array): string => digits(mac, MARK)

/** The two parts of a code that could have been made offline, however it is written; null for any other. */
export function partsOf(code: string): { own: string; mark: string } | null {
  if (!SHAPE.test(code)) return null
  const small = code.toLowerCase()
  return { own: small.slice(0, OWN), mark: small.slice(OWN) }
}

function digits(mac: Uint8Array, count: number): string {
  let number = mac.subarray(0, 16).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (let i = 0; i < count; i++) {
    text += ALPHABET.charAt(Number(number % BigInt(ALPHABET.length)))
    number /= BigInt(ALPHABET.length)
  }
  return text
}

/** An offline key without the end by which it is known to be whole. */
export function offlineKeyBody({ base, domain, secret, mark }: OfflineKey): string {
  const bytes = new TextEncoder().encode(JSON.stringify([base, domain, base64url(secret), base64url(mark)]))
  return OFFLINE_PREFIX + base64url(bytes)
}

/**
 * The end of an offline key: one that lost or changed a character would make codes that nobody can claim.
 * @param hash SHA-256 of the body
 */
export const offlineKeyEnd = (hash: Uint8Array): string => `_${base64url(hash.subarray(0, 6))}`

/** What an offline key says; null for what is none. Whether it is whole its end tells: the last 9 characters. */
export function readOfflineKey(key: string): OfflineKey | null {
  try {
    const text = new TextDecoder().decode(fromBase64url(key.slice(OFFLINE_PREFIX.length, -9)))
    const [base, domain, secret, mark] = JSON.parse(text) as [string, string, string, string]
    return { base: new URL(base).origin, domain, secret: fromBase64url(secret), mark: fromBase64url(mark) }
  } catch {
    return null
  }
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

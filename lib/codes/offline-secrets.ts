import { createHash, createHmac, hkdfSync } from 'node:crypto'
import {
  codeText,
  MOST_TURNS,
  markOf,
  markText,
  type OfflineKey,
  type OfflineLink,
  offlineKeyBody,
  offlineKeyEnd,
  ownOf,
  partsOf,
} from './offline'

/**
 * What the server knows of codes that were made offline. Nothing of it is stored: all follows from its secret and the IDs of API
 * keys.
 */

const derived = (secret: string, use: string, length: number) => new Uint8Array(hkdfSync('sha256', secret, '', use, length))
const mac = (key: Uint8Array, text: string): Uint8Array => createHmac('sha256', key).update(text).digest()

const secretOf = (appSecret: string, keyId: string) => derived(appSecret, `offline codes 1:${keyId}`, 32)
const markKeyOf = (appSecret: string) => derived(appSecret, 'offline codes mark 1', 16)

/** The offline key of an API key. @param of where links are: the origin of BASE_URL, and the default domain */
export function offlineKeyOf(appSecret: string, keyId: string, of: Pick<OfflineKey, 'base' | 'domain'>): string {
  const body = offlineKeyBody({ ...of, secret: secretOf(appSecret, keyId), mark: markKeyOf(appSecret) })
  return body + offlineKeyEnd(createHash('sha256').update(body).digest())
}

/** Whether a code was made by an offline key of this server. Of others of this shape, 1 in 22,000 is taken for one. */
export function isMadeOffline(appSecret: string, host: string, code: string): boolean {
  const parts = partsOf(code)
  return parts !== null && markOf(mac(markKeyOf(appSecret), markText(host, parts.own))) === parts.mark
}

/**
 * Whether one of these API keys made a code for this link, at any turn.
 * @param code which `isMadeOffline`
 * @param keyIds up to 100, some 10 ms of work
 */
export function isCodeOf(appSecret: string, keyIds: readonly string[], link: Omit<OfflineLink, 'turn'>, code: string): boolean {
  const parts = partsOf(code)
  // In capitals it is another code where these make a difference, and none that was printed.
  if (parts === null || code !== parts.own + parts.mark) return false
  return keyIds.some((id) => {
    const secret = secretOf(appSecret, id)
    return Array.from({ length: MOST_TURNS }, (_, i) => i + 1).some(
      (turn) => ownOf(mac(secret, codeText({ ...link, turn }))) === parts.own,
    )
  })
}

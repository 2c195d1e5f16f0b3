import { isCodeShaped, normalCode } from '@/lib/codes/custom'

/** More than the longest code can take, each character percent-encoded. */
const MAX_PATH_LENGTH = 128 * 12 + 2

export type CodePath = { kind: 'code'; code: string; preview: boolean } | { kind: 'not-found' } | { kind: 'malformed' }

/**
 * The code that a request path names: without the leading slash, one trailing slash and the `+` that asks
 * for the preview, decoded and in NFC.
 * @param path as it came, without the query
 */
export function parsePath(path: string): CodePath {
  if (path.length > MAX_PATH_LENGTH) return { kind: 'not-found' }
  let code = path.slice(1)
  const preview = code.endsWith('+')
  if (preview || code.endsWith('/')) code = code.slice(0, -1)
  // Node reads bytes as latin1; what was sent unencoded was UTF-8.
  if (/[\u0080-\u00ff]/.test(code)) code = normalCode(Buffer.from(code, 'latin1').toString())
  if (code.includes('%')) {
    try {
      code = normalCode(decodeURIComponent(code))
    } catch {
      return { kind: 'malformed' }
    }
  }
  return isCodeShaped(code) ? { kind: 'code', code, preview } : { kind: 'not-found' }
}

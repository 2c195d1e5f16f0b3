import { isCodeShaped, normalCode } from '@/lib/codes/custom'

/** More than the longest code can take, each character percent-encoded. */
const MAX_PATH_LENGTH = 128 * 12 + 10

/** What ends the path of a link's QR code. */
const PICTURE = /\.qr(\.png)?$/

export type PictureFormat = 'svg' | 'png'

/**
 * `picture`: it asks for the QR code of the link; left out otherwise.
 * `literal`: the code that the path spells as it is, which a link may have that was called so elsewhere.
 */
export type CodePath =
  | { kind: 'code'; code: string; preview: boolean; picture?: PictureFormat; literal?: string }
  | { kind: 'not-found' }
  | { kind: 'malformed' }

/**
 * The code that a request path names: without the leading slash, one trailing slash and the `+` that asks
 * for the preview, or the `.qr` that asks for its picture, decoded and in NFC.
 * @param path as it came, without the query
 */
export function parsePath(path: string): CodePath {
  if (path.length > MAX_PATH_LENGTH) return { kind: 'not-found' }
  const preview = path.endsWith('+')
  const spelled = decoded(preview || path.endsWith('/') ? path.slice(1, -1) : path.slice(1))
  if (spelled === null) return { kind: 'malformed' }
  const picture = preview ? null : PICTURE.exec(spelled)
  const code = picture ? spelled.slice(0, picture.index) : spelled
  if (!isCodeShaped(code)) return isCodeShaped(spelled) ? { kind: 'code', code: spelled, preview: false } : { kind: 'not-found' }
  if (!preview && !picture) return { kind: 'code', code, preview }
  const literal = preview ? `${code}+` : spelled
  return { kind: 'code', code, preview, ...(picture && { picture: picture[1] ? 'png' : 'svg' }), literal }
}

/** A code as it stands in a path; null for what cannot be decoded. */
function decoded(path: string): string | null {
  // Node reads bytes as latin1; what was sent unencoded was UTF-8.
  const text = /[\u0080-\u00ff]/.test(path) ? normalCode(Buffer.from(path, 'latin1').toString()) : path
  if (!text.includes('%')) return text
  try {
    return normalCode(decodeURIComponent(text))
  } catch {
    return null
  }
}

/** A code at the beginning of a path, and what stands behind it, with its slash and as it came. */
export interface CodeAbove {
  code: string
  extra: string
  /** The path ends with the `+` that asks for the preview: who checks a link must not be led by it. */
  preview: boolean
}

/** Segments of the longest code that a path may stand behind. */
export const MOST_SEGMENTS_ABOVE = 4

/** Of what stands behind a code. */
const MAX_EXTRA_LENGTH = 2_048

/**
 * The codes that a path may stand behind, the longest first. Spoken codes are not among them: tries of those are counted.
 * A path that leads upwards has none, as it could lead out of the destination's own.
 * @param asked the path as it came, without the query
 * @param isSpoken of the domain that it came to
 */
export function codesAbove(asked: string, isSpoken: (code: string) => boolean): CodeAbove[] {
  const preview = asked.endsWith('+')
  const path = preview ? asked.slice(0, -1) : asked
  if (UPWARDS.test(path)) return []
  const found: CodeAbove[] = []
  let end = path.indexOf('/', 1)
  for (let n = 0; n < MOST_SEGMENTS_ABOVE && end !== -1 && end <= MAX_PATH_LENGTH; n++, end = path.indexOf('/', end + 1)) {
    const code = decoded(path.slice(1, end))
    if (code === null || !isCodeShaped(code)) break
    const extra = path.slice(end)
    if (extra === '/' && !preview) continue
    if (extra.length <= MAX_EXTRA_LENGTH && !isSpoken(code)) found.unshift({ code, extra, preview })
  }
  return found
}

/** `.` and `..` between slashes, as browsers read them, and as servers do that decode a path first or cut it at a semicolon. */
const UPWARDS = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\;]|%2f|%5c|%3b|$)/i

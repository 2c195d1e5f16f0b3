import { parseUrl } from './url'

export interface LabelLink {
  label: string
  /** An absolute URL, or a path of this site. */
  url: string
}

const MOST = 6
const LONGEST = 40
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** Reads `Imprint=https://example.com/imprint,Privacy=/privacy`. @throws Error that says which part is wrong, and why */
export function parseLabelLinks(text: string): LabelLink[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length > MOST) throw new Error(`has ${parts.length} links; ${MOST} are the most`)
  return parts.map(parsePart)
}

function parsePart(part: string): LabelLink {
  const at = part.indexOf('=')
  const label = part.slice(0, Math.max(at, 0)).trim()
  const url = part.slice(at + 1).trim()
  if (label === '') throw new Error(`“${part}” needs a label and an address, such as Privacy=https://example.com/privacy`)
  if (label.length > LONGEST || /\p{Cc}/u.test(label)) throw new Error(`“${label}” is no label of up to ${LONGEST} characters`)
  if (/^\/(?!\/)\S*$/.test(url)) return { label, url }
  const parsed = parseUrl(url)
  if (!parsed || !SCHEMES.has(parsed.protocol)) {
    throw new Error(`“${url}” is no address: use https://…, mailto:… or a path that begins with /`)
  }
  return { label, url: parsed.href }
}

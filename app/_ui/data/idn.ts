/**
 * Host names as people read them. Browsers convert Unicode to punycode but offer no way back, so the
 * decoder of RFC 3492, section 6.2, is here.
 */

const BASE = 36
const T_MIN = 1
const T_MAX = 26

/** `xn--mnchen-3ya.de` as `münchen.de`. A label that could pass for another one stays as it is. */
export function unicodeHost(host: string): string {
  const shown = host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decodeLabel(label.slice(4)) ?? label) : label))
    .join('.')
  // Only what leads back to the very same host may stand for it.
  return URL.canParse(`http://${shown}`) && new URL(`http://${shown}`).host === host ? shown : host
}

/** A URL for reading: no scheme, a Unicode host, no lone slash at the end. Not for copying. */
export function readableUrl(href: string): string {
  if (!URL.canParse(href)) return href
  const url = new URL(href)
  const rest = `${decode(url.pathname)}${url.search}${url.hash}`
  return `${unicodeHost(url.host)}${rest === '/' ? '' : rest}`
}

function decode(path: string): string {
  try {
    // Percent-encoded characters that would read as something else are left as they are.
    return /%(2f|3f|23|25|[01][0-9a-f]|7f)/i.test(path) ? path : decodeURI(path)
  } catch {
    return path
  }
}

function decodeLabel(input: string): string | undefined {
  const end = input.lastIndexOf('-')
  const output = end > 0 ? [...input.slice(0, end)].map((char) => char.charCodeAt(0)) : []
  let n = 128
  let i = 0
  let bias = 72
  for (let at = end > 0 ? end + 1 : 0; at < input.length; ) {
    const start = i
    let weight = 1
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(input.charCodeAt(at++))
      if (digit === undefined) return undefined
      i += digit * weight
      const t = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (digit < t) break
      weight *= BASE - t
    }
    const length = output.length + 1
    bias = adapt(i - start, length, start === 0)
    n += Math.floor(i / length)
    i %= length
    if (n > 0x10ffff) return undefined
    output.splice(i++, 0, n)
  }
  const label = String.fromCodePoint(...output)
  return mixesScripts(label) ? undefined : label
}

function digitOf(char: number): number | undefined {
  if (char >= 48 && char <= 57) return char - 22
  const letter = (char | 32) - 97
  return letter >= 0 && letter < 26 ? letter : undefined
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + 38))
}

/** Scripts whose letters pass for one another: `аpple` with a Cyrillic `а`, or a word all in such letters. */
function mixesScripts(label: string): boolean {
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]
  return scripts.filter((script) => script.test(label)).length > 1 || /^[асеорхуіјѕԁһӏԛԝ-]+$/u.test(label)
}

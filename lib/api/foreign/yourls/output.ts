/** What YOURLS answers: fields, some of them lists of fields. `simple` is the whole of an answer in that format. */
export interface Output {
  simple: string
  /** As in its own answers: the HTTP status, too. */
  statusCode?: string
  errorCode?: string
  [name: string]: Value | undefined
}
type Value = string | number | null | { readonly [name: string]: Value | undefined }

/** A function by name, as YOURLS has it: nothing that could be more than that. */
const CALLBACK = /^[A-Za-z0-9_$.]{1,128}$/
/** An escaped character could be read as the character. */
const ESCAPED = /\\?u[0-9a-f]{4}/i

/**
 * An answer in the format that was asked for: `json`, `jsonp`, `xml`, or else the text alone.
 * @param format as it was sent; nothing means XML
 */
export function outputIn(format: string | undefined, callback: string | undefined, { simple, ...output }: Output): Response {
  const status = Number(output.statusCode || output.errorCode || 200)
  const send = (type: string, text: string, code = status) => {
    const body = Buffer.from(text)
    const headers = {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Length': String(body.length),
      'Cache-Control': 'no-store',
    }
    return new Response(body, { status: code, headers })
  }
  switch (format ?? 'xml') {
    case 'json':
      return send('application/json', JSON.stringify(output))
    case 'jsonp':
      if (callback === undefined || !CALLBACK.test(callback) || ESCAPED.test(callback)) {
        return send('application/json', JSON.stringify({ errorCode: '400', error: 'Invalid callback parameter' }), 400)
      }
      // The comment keeps the answer from being taken for anything but a script.
      return send('application/javascript', `/**/${callback}(${scriptOf({ ...output, callback })})`)
    case 'xml':
      return send('application/xml', `<?xml version="1.0" encoding="UTF-8"?>\n<result>${xmlOf(output)}</result>\n`)
    default:
      return send('text/plain', simple)
  }
}

/** JSON in which nothing ends a line of a script, or the script. */
export const scriptOf = (value: unknown) =>
  JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The names are ours, and letters all of them. */
function xmlOf(fields: { readonly [name: string]: Value | undefined }): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<${name}>${typeof value === 'object' && value !== null ? xmlOf(value) : xmlText(value)}</${name}>`)
    .join('')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Text without what XML 1.0 has no way to write. */
const xmlText = (value: unknown) =>
  String(value ?? '')
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

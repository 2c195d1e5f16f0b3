/** How much of a page is looked through for the name of its encoding, as browsers do (HTML, 13.2.3.2). */
const SNIFFED = 1_024

/** Marks at the beginning of a text that tell its encoding, whatever else is said. */
const MARKS: readonly [bytes: readonly number[], name: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
]

/** The text of an HTML page, in whatever encoding it says it has. @param contentType its header */
export function textOf(body: Uint8Array, contentType: string): string {
  const marked = MARKS.find(([bytes]) => bytes.every((byte, i) => body[i] === byte))?.[1]
  const sent = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1]
  const decoder = decoderOf(marked) ?? decoderOf(sent) ?? decoderOf(namedIn(body))
  if (decoder) return decoder.decode(body)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(wholeCharacters(body))
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}

/** The encoding that the page names, which is none of two bytes a letter: its name could not have been read then. */
function namedIn(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, SNIFFED)).toString('latin1')
  const name = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s;"'/>]+)/i.exec(head)?.[1]
  return name !== undefined && /^utf-?16/i.test(name) ? 'utf-8' : name
}

/** undefined for an encoding that is not known. */
function decoderOf(name: string | undefined): TextDecoder | undefined {
  try {
    return name === undefined ? undefined : new TextDecoder(name)
  } catch {
    return undefined
  }
}

/** Without a character of UTF-8 that was cut off at the end. */
function wholeCharacters(body: Uint8Array): Uint8Array {
  let end = body.length
  while (end > 0 && body.length - end < 3 && ((body[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1
  return end > 0 && (body[end - 1] ?? 0) >= 0xc0 ? body.subarray(0, end - 1) : body
}

import { Breath } from './breath'

/** Bytes that are made text of at a stretch. */
const PIECE = 65_536

/** Bytes that are no text in the encoding that their beginning tells. */
export class EncodingError extends Error {}

/**
 * The text of a file as it comes, in pieces of up to 64 kB and in short stretches. It is UTF-8, or UTF-16 by its byte order
 * mark or by the zeros between its first letters. What is not ASCII alone and no UTF-8 where that ends is taken for
 * Windows-1252, which spreadsheets write.
 * @param onGuess is told some of the text that was taken for Windows-1252: other encodings look the same
 * @throws EncodingError where a file that began as UTF-8 goes on as something else
 */
export async function* textOf(
  bytes: AsyncIterable<Uint8Array>,
  onGuess?: (sample: string) => void,
): AsyncGenerator<string, void> {
  const breath = new Breath()
  let decode: Decode | null = null
  for await (const gathered of inPieces(bytes)) {
    decode ??= decoderOf(gathered, onGuess)
    for (let from = 0; from < gathered.length; from += PIECE) {
      const text = decode(gathered.subarray(from, from + PIECE), false)
      if (text !== '') yield text
      if (breath.isDue) await breath.pause()
    }
  }
  const rest = decode?.(new Uint8Array(), true) ?? ''
  if (rest !== '') yield rest
}

/** The same bytes, no piece but the last shorter than `PIECE`: who reads them may copy what it holds with each. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length < PIECE) continue
    yield chunks.length === 1 ? chunk : Buffer.concat(chunks, length)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks, length)
}

type Decode = (bytes: Uint8Array, isLast: boolean) => string

function decoderOf([first, second]: Uint8Array, onGuess?: (sample: string) => void): Decode {
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return strict('utf-16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second)) return strict('utf-16be')
  return utf8OrWindows(onGuess)
}

function strict(encoding: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (bytes, isLast) => {
    try {
      return decoder.decode(bytes, { stream: !isLast })
    } catch {
      throw new EncodingError()
    }
  }
}

/** What Windows-1252 has from 0x80 to 0x9f; else it is Latin-1, as which Node decodes all of it. */
const FROM_80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const windows1252: Decode = (bytes) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => FROM_80[character.charCodeAt(0) - 0x80] ?? character)

/** What a cell or a text of JSON ends with, or what cannot be shown. */
const CELL_END = /[\p{Cc},;"]/u
/** Characters of a sample, on each side of the first that tells. */
const SAMPLE = 20

/** The words around the first letter that is not ASCII. */
function sampleOf(text: string): string {
  const at = text.search(/\P{ASCII}/u)
  const before =
    text
      .slice(Math.max(at - SAMPLE, 0), at)
      .split(CELL_END)
      .at(-1) ?? ''
  const [after = ''] = text.slice(at, at + SAMPLE).split(CELL_END)
  return (before + after).trim()
}

const isAscii = (bytes: Uint8Array) => bytes.every((byte) => byte < 0x80)

/** As long as all is ASCII, both are possible. */
function utf8OrWindows(onGuess?: (sample: string) => void): Decode {
  const utf8 = strict('utf-8')
  let known: Decode | null = null
  return (bytes, isLast) => {
    if (known) return known(bytes, isLast)
    if (isAscii(bytes)) return utf8(bytes, isLast)
    try {
      const text = utf8(bytes, isLast)
      known = utf8
      return text
    } catch {
      known = windows1252
      const text = known(bytes, isLast)
      onGuess?.(sampleOf(text))
      return text
    }
  }
}

import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'

const MB = 1024 * 1024

/**
 * A file as it was before it was packed by gzip, which its first two bytes tell; any other as it is.
 * @param most bytes that it may have unpacked: a few packed ones can become any number
 * @throws TerseError 'payload_too_large', 'bad_request' for what begins as gzip and is none; what `bytes` throws
 */
export async function* unpacked(bytes: AsyncIterable<Uint8Array>, most = Infinity): AsyncGenerator<Uint8Array, void> {
  const pieces = bytes[Symbol.asyncIterator]()
  const head = await headOf(pieces)
  const all = joined(head, pieces)
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* all
  const gunzip = createGunzip()
  // What goes wrong is thrown where it is read.
  pipeline(Readable.from(all, { objectMode: false }), gunzip, () => {})
  let size = 0
  try {
    for await (const chunk of gunzip) {
      size += chunk.length
      if (size > most) throw new TerseError('payload_too_large', say('api.request.tooLarge', { most: most / MB, unit: 'MB' }))
      yield chunk
    }
  } catch (error) {
    if (!/^Z_/.test(String((error as { code?: unknown }).code))) throw error
    throw new TerseError('bad_request', say('api.import.gzip'), { cause: error })
  }
}

/** The first two bytes at least, where there are as many. */
async function headOf(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array()
  while (head.length < 2) {
    const { value, done } = await pieces.next()
    if (done) break
    head = head.length === 0 ? value : Buffer.concat([head, value])
  }
  return head
}

async function* joined(head: Uint8Array, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    if (head.length > 0) yield head
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
  } finally {
    await pieces.return?.()
  }
}

/** The beginning of a file of which only the beginning is there, unpacked as far as that goes. @param most bytes of it */
export async function unpackedBeginning(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const chunks: Uint8Array[] = []
  let size = 0
  const gunzip = createGunzip()
  gunzip.end(bytes)
  try {
    for await (const chunk of gunzip) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= most) break
    }
  } catch {
    // It ends where the beginning does.
  }
  return Buffer.concat(chunks).subarray(0, most)
}

import type { z } from 'zod'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Breath } from '@/lib/tools/breath'
import { bytesOf, type ListType } from '@/lib/tools/list-size'
import { validate } from '@/lib/tools/validate'

export const MAX_BODY = 64 * 1024

/**
 * The request's body as `schema` wants it.
 * @throws TerseError 'unsupported_media_type', 'payload_too_large', 'bad_request' or 'validation_failed'
 */
export async function readBody<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  const type = typeOf(request)
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new TerseError('unsupported_media_type', say('api.request.json'))
  }
  return validate(schema, jsonOf(await readText(request)))
}

/** @throws TerseError 'bad_request' */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TerseError('bad_request', say('api.request.notJson'))
  }
}

/**
 * A list, sent as `type`.
 * @throws TerseError 'unsupported_media_type', 'payload_too_large' or 'bad_request'
 */
export function readList(request: Request, type: ListType): Promise<string> {
  if (typeOf(request) !== type) throw new TerseError('unsupported_media_type', say('api.request.listType', { type }))
  return readText(request, bytesOf(type))
}

/** The media type of the body, '' for none. */
export const typeOf = (request: Request) => request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''

/**
 * The body as text, given up as soon as it is longer than allowed, whatever Content-Length said.
 * @throws TerseError 'payload_too_large' or 'bad_request'
 */
export async function readText(request: Request, most = MAX_BODY): Promise<string> {
  const tooLarge = () => new TerseError('payload_too_large', say('api.request.tooLarge', { most: most / 1024 }))
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > most) throw tooLarge()
  let bytes: ArrayBuffer | Buffer | null
  try {
    // No more comes than was said, and what comes at once is read at once: a stream costs ten times as much.
    bytes = length !== null ? await request.arrayBuffer() : await readStream(request, most)
  } catch (cause) {
    throw new TerseError('bad_request', say('api.request.cutOff'), { cause })
  }
  if (bytes === null) throw tooLarge()
  return textOf(bytes)
}

/** @returns null when there is more than `most` bytes of it */
async function readStream(request: Request, most: number): Promise<Buffer | null> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > most) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

/** Bytes that are made text of at a stretch: some ms. */
const STRETCH = 1024 * 1024

async function textOf(bytes: ArrayBuffer | Buffer): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const breath = new Breath()
  const all = new Uint8Array(bytes)
  let text = ''
  try {
    for (let from = 0; from < all.length; from += STRETCH) {
      text += decoder.decode(all.subarray(from, from + STRETCH), { stream: true })
      if (breath.isDue) await breath.pause()
    }
    return text + decoder.decode()
  } catch {
    throw new TerseError('bad_request', say('api.request.utf8'))
  }
}

import type { z } from 'zod'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Breath } from '@/lib/tools/breath'
import { levelsOf, MOST_LEVELS } from '@/lib/tools/json-levels'
import { LIST_MB, type ListType } from '@/lib/tools/list-size'
import { validate } from '@/lib/tools/validate'

export const MAX_BODY = 64 * 1024

/**
 * The request's body as `schema` wants it; undefined where none was sent and none is needed.
 * @throws TerseError 'unsupported_media_type', 'payload_too_large', 'bad_request' or 'validation_failed'
 */
export async function readBody<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  const type = typeOf(request)
  if (type === '' && isEmpty(request)) {
    const none = schema.safeParse(undefined)
    if (none.success) return none.data
  }
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new TerseError('unsupported_media_type', say('api.request.json'))
  }
  return validate(schema, jsonOf(await readText(request)))
}

const isEmpty = ({ headers }: Request) => Number(headers.get('content-length') ?? 0) === 0 && !headers.has('transfer-encoding')

/** @throws TerseError 'bad_request' */
export function jsonOf(text: string): unknown {
  if (levelsOf(text) > MOST_LEVELS) throw new TerseError('bad_request', say('api.request.tooDeep', { most: MOST_LEVELS }))
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
export function readList(request: Request, type: ListType, megabytes: number = LIST_MB[type]): Promise<string> {
  if (typeOf(request) !== type) throw new TerseError('unsupported_media_type', say('api.request.listType', { type }))
  return readText(request, megabytes * 1024 * 1024)
}

/** A body that is a file. */
export interface FileBody {
  /** Its media type is one of these. */
  types: readonly string[]
  kilobytes: number
  /** What one may be called, for the documentation. */
  example: string
}

/**
 * A file as it came; what it holds is for who uses it to find out.
 * @throws TerseError 'unsupported_media_type', 'payload_too_large' or 'bad_request'
 */
export function readFile(request: Request, { types, kilobytes }: Omit<FileBody, 'example'>): Promise<Uint8Array> {
  if (!types.includes(typeOf(request))) {
    throw new TerseError('unsupported_media_type', say('api.request.fileType', { types: types.join(', ') }))
  }
  return readBytes(request, kilobytes * 1024)
}

/** A body that is read as it comes. */
export interface Upload {
  /** Its media type. */
  type: string
  /** Throws TerseError 'payload_too_large' or 'bad_request' where it has more than it may, or is cut off. */
  bytes: AsyncIterable<Uint8Array>
}

/** Types of a body that is read as it comes, and how large it may be. */
export interface UploadTypes {
  types: readonly string[]
  megabytes: number
}

/**
 * A body that may be larger than memory should hold: refused at once when it says that it is too large, else as soon as it is.
 * @throws TerseError 'unsupported_media_type' or 'payload_too_large'
 */
export function uploadOf(request: Request, { types, megabytes }: UploadTypes): Upload {
  const type = typeOf(request)
  if (!types.includes(type)) {
    throw new TerseError('unsupported_media_type', say('api.request.fileType', { types: types.join(', ') }))
  }
  const most = megabytes * 1024 * 1024
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most)
  async function* bytes() {
    const reader = request.body?.getReader()
    try {
      for (let size = 0; reader; ) {
        const { done, value } = await reader.read().catch((cause: unknown) => {
          throw new TerseError('bad_request', say('api.request.cutOff'), { cause })
        })
        if (done) return
        size += value.length
        if (size > most) throw tooLarge(most)
        yield value
      }
    } finally {
      // What is left of it is wanted no more.
      await reader?.cancel().catch(() => {})
    }
  }
  return { type, bytes: bytes() }
}

/** Says how many bytes are the most, in the largest unit that has none left over. */
function tooLarge(most: number): TerseError {
  const megabytes = most / 1024 / 1024
  const said = Number.isInteger(megabytes) ? { most: megabytes, unit: 'MB' } : { most: most / 1024, unit: 'KB' }
  return new TerseError('payload_too_large', say('api.request.tooLarge', said))
}

/** The media type of the body, '' for none. */
export const typeOf = (request: Request) => request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''

/**
 * The body as text, given up as soon as it is longer than allowed, whatever Content-Length said.
 * @throws TerseError 'payload_too_large' or 'bad_request'
 */
export async function readText(request: Request, most = MAX_BODY): Promise<string> {
  return textOf(await readBytes(request, most))
}

/** The same as bytes. */
async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > most) throw tooLarge(most)
  let bytes: ArrayBuffer | Buffer | null
  try {
    // No more comes than was said, and what comes at once is read at once: a stream costs ten times as much.
    bytes = length !== null ? await request.arrayBuffer() : await readStream(request, most)
  } catch (cause) {
    throw new TerseError('bad_request', say('api.request.cutOff'), { cause })
  }
  if (bytes === null) throw tooLarge(most)
  return new Uint8Array(bytes)
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

async function textOf(all: Uint8Array): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const breath = new Breath()
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

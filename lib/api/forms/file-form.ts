import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { TerseError } from '@/lib/errors'
import { MOST_COLUMNS } from '@/lib/forms/import'
import { say } from '@/lib/i18n/message'
import { MAX_BODY } from '../body'

/** A file of a form, read as it comes. */
export interface SentFile {
  name: string
  bytes: Readable
  /** It has so many bytes at least, by what the browser said of the whole. */
  atLeast: number
}

/** What a page sent that has a field for a file. */
export interface FileForm {
  /** The fields before the file: those behind it are not waited for. */
  data: FormData
  /** null: none was chosen. */
  file: SentFile | null
}

const MULTIPART = 'multipart/form-data'
/** Fields of columns are many (lib/forms/import.ts). */
const FIELDS = 2 * MOST_COLUMNS + 20
const LIMITS = { fields: FIELDS, fieldSize: 4_096, files: 1, parts: FIELDS + 1, headerSize: 8_192 }

export const isFileForm = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.toLowerCase().startsWith(MULTIPART) ?? false

/**
 * Reads a form up to its file, of which memory holds no more than what is on its way to who reads it.
 * @throws TerseError 'bad_request' for what is no such form, or was cut off
 */
export function readFileForm(request: IncomingMessage): Promise<FileForm> {
  return new Promise((resolve, reject) => {
    const data = new FormData()
    const unreadable = (cause?: unknown) => new TerseError('bad_request', say('api.request.fileForm'), { cause })
    const parser = parserOf(request)
    if (parser === null) return reject(unreadable())
    let file: Readable | null = null
    const fail = (cause?: unknown) => {
      const error = unreadable(cause)
      request.unpipe(parser)
      file?.destroy(error)
      reject(error)
    }
    parser.on('field', (name, value) => data.append(name, value))
    parser.on('file', (_field, bytes, name) => {
      // A field for a file that was left empty is sent as a file without a name.
      if (!name) return void bytes.resume()
      file = bytes
      const atLeast = Math.max(0, Number(request.headers['content-length'] ?? 0) - MAX_BODY)
      resolve({ data, file: { name, bytes, atLeast } })
    })
    parser.on('finish', () => resolve({ data, file: null }))
    parser.on('error', fail)
    request.on('close', () => {
      if (!request.complete) fail()
    })
    request.pipe(parser)
  })
}

/** Lets go what nobody read of a form, and waits until all of it was sent: a connection that is answered before is cut off. */
export async function letGo(request: IncomingMessage, form: FileForm | null): Promise<void> {
  form?.file?.bytes.resume()
  if (!form?.file) request.resume()
  await finished(request).catch(() => {})
}

/** null for a form without a boundary between its parts. */
function parserOf({ headers }: IncomingMessage) {
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits: LIMITS })
  } catch {
    return null
  }
}

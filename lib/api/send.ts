import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'

const pack = promisify(gzip)

/**
 * Sends a web Response to node's, in gzip where the client takes it, as Next.js does. One that states its length is whole and
 * sent at once. Any other is sent as it is made, no faster than the client reads, and let go of when the client leaves.
 * @param onFault hears of a body that broke off, as its client does by the end of the connection
 */
export async function send(
  response: Response,
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
  onFault: (error: Error) => void,
): Promise<void> {
  for (const [name, value] of response.headers) {
    if (name === 'set-cookie') outgoing.appendHeader(name, value)
    else outgoing.setHeader(name, value)
  }
  outgoing.statusCode = response.status
  const { body } = response
  if (body === null) return void outgoing.end()
  const mayPack = isPackable(response.headers)
  if (mayPack) outgoing.appendHeader('Vary', 'Accept-Encoding')
  if (method === 'HEAD') {
    await body.cancel()
    return void outgoing.end()
  }
  const packs = mayPack && takesGzip(headers['accept-encoding'])
  const length = response.headers.get('content-length')
  if (length !== null) {
    let bytes = Buffer.from(await response.arrayBuffer())
    if (packs) {
      bytes = await pack(bytes)
      outgoing.setHeader('Content-Encoding', 'gzip').setHeader('Content-Length', bytes.length)
    }
    return void outgoing.end(bytes)
  }
  if (packs) outgoing.setHeader('Content-Encoding', 'gzip')
  const ended = (error: NodeJS.ErrnoException | null) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onFault(error)
  }
  const made = Readable.fromWeb(body as import('node:stream/web').ReadableStream)
  if (packs) pipeline(made, createGzip(), outgoing, ended)
  else pipeline(made, outgoing, ended)
}

const isPackable = (headers: Headers) =>
  /^text\/|json/.test(headers.get('content-type') ?? '') && !/no-transform/.test(headers.get('cache-control') ?? '')

const takesGzip = (accepted: string | string[] | undefined) =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(accepted ?? ''))

import { open } from './outbound'
import type { AddressSources } from './resolve'

export { PrivateAddressError } from './outbound'

export interface FetchOptions extends AddressSources {
  /** Ends all of it: how long it may take. */
  signal: AbortSignal
  /** Bytes of the answer that are read; the rest is left. */
  maxBytes: number
  /** What kinds of answers are asked for. */
  accept?: string
  /** For tests: lets it reach this machine. */
  allowPrivate?: boolean
}

export interface PublicAnswer {
  status: number
  /** Where a redirect leads, as it was written. */
  location: string | null
  /** Of an answer with 200, as much as may be read; else empty. */
  body: Buffer
}

/** The text at a URL that someone named. @throws as `readPublic`; Error for an answer other than 200 */
export async function fetchPublic(url: URL, options: FetchOptions): Promise<string> {
  const { status, body } = await readPublic(url, { accept: 'text/plain', ...options })
  if (status !== 200) throw new Error(`it answered ${status}`)
  return body.toString('utf8')
}

/**
 * What a URL that someone named answers, asked by the rules of lib/net/outbound.ts but for its port. No redirect is followed, and
 * nothing is unpacked.
 * @throws PrivateAddressError; Error when there is no answer in time
 */
export async function readPublic(url: URL, options: FetchOptions): Promise<PublicAnswer> {
  const { signal, maxBytes, accept = '*/*', allowPrivate = false, ...sources } = options
  const allow = allowPrivate ? ('all' as const) : []
  const response = await open(url, { signal, headers: { Accept: accept } }, { ...sources, allow })
  const { statusCode: status = 0, headers } = response
  const chunks: Buffer[] = []
  let size = 0
  try {
    if (status !== 200) return { status, location: headers.location ?? null, body: Buffer.alloc(0) }
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxBytes) break
    }
    return { status, location: null, body: Buffer.concat(chunks).subarray(0, maxBytes) }
  } finally {
    response.destroy()
  }
}

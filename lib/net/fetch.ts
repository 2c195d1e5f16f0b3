import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { publicAddress } from './address'
import { type AddressSources, addressesOf } from './resolve'

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

/** The address is not one of the public internet. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
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
 * What a URL that someone named answers, asked such that it cannot be used to look into the network that this process is
 * in: the address that was checked is the one that is connected to, so a name that changes its mind helps nothing, and no
 * redirect is followed.
 * @throws PrivateAddressError; Error when there is no answer in time
 */
export function readPublic(url: URL, options: FetchOptions): Promise<PublicAnswer> {
  const { signal, maxBytes, accept = '*/*', allowPrivate = false } = options
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address is never looked up; what localhost leads to needs no looking up (RFC 6761, 6.3).
  const isPrivate = isIP(host) !== 0 ? publicAddress(host) === null : /(^|\.)localhost\.?$/.test(host)
  if (isPrivate && !allowPrivate) return Promise.reject(new PrivateAddressError(`${host} is not a public address`))
  const get = url.protocol === 'https:' ? https.get : http.get
  return new Promise((resolve, reject) => {
    const request = get(
      url,
      {
        agent: false,
        signal,
        lookup: allowPrivate ? undefined : publicOnly(signal, options),
        headers: { Accept: accept, 'User-Agent': 'Terse' },
      },
      (response) => {
        const { statusCode: status = 0, headers } = response
        if (status !== 200) {
          request.destroy()
          return resolve({ status, location: headers.location ?? null, body: Buffer.alloc(0) })
        }
        const chunks: Buffer[] = []
        let size = 0
        const done = () => {
          request.destroy()
          resolve({ status, location: null, body: Buffer.concat(chunks).subarray(0, maxBytes) })
        }
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          if (size >= maxBytes) done()
        })
        response.on('end', done)
        response.on('error', reject)
      },
    )
    request.on('error', reject)
  })
}

/** A lookup that fails when any address of the name is not public. */
function publicOnly(signal: AbortSignal, sources: AddressSources): LookupFunction {
  return async (hostname, options, callback) => {
    const found = await addressesOf(hostname, signal, sources).catch((error: NodeJS.ErrnoException) => error)
    if (found instanceof Error) return callback(found, [])
    const refused = found.find(({ address }) => publicAddress(address) === null)
    const [first] = found
    if (refused || !first) {
      const reason = `${hostname} leads to ${refused?.address ?? 'no address'}, which is not public`
      return callback(new PrivateAddressError(reason), [])
    }
    if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  }
}

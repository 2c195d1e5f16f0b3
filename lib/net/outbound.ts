import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { isRedirect } from '@/lib/tools/redirects'
import { withDeadline } from '@/lib/tools/timeout'
import { parseUrl } from '@/lib/tools/url'
import { inRanges, publicAddress, type Ranges } from './address'
import { type AddressSources, addressesOf } from './resolve'

/**
 * Which ports of a host may be reached. `web`: 80 and 443, where pages are. `open`: these and all from 1024, since receivers of
 * webhooks are programs of their owners, often at 8080 or 8443. Below are other services, such as mail, that get nothing from us.
 */
export type Ports = 'open' | 'web'

export interface OutboundRequest {
  method?: 'GET' | 'HEAD' | 'POST'
  /** A `Host` among them stands in for that of the URL, also for the certificate. */
  headers?: Readonly<Record<string, string>>
  /** Sent with a POST. */
  body?: string
  /** For all of it, in ms: looking up, connecting, redirects, reading. */
  timeout: number
  /** Bytes of the body that are read, once it is unpacked; the rest is left. 0: it is not looked at. */
  maxBytes: number
  ports: Ports
  /** How many redirects of a GET are followed; without any, a redirect is an answer like others. */
  redirects?: number
  /** Called with each URL before it is asked, those of redirects too. What it throws ends it. */
  guard?: (url: URL) => void
  /** Ends it early. */
  signal?: AbortSignal
}

export interface OutboundAnswer {
  /** What answered: where redirects led in the end. */
  url: URL
  status: number
  /** Names in lower case. */
  headers: IncomingMessage['headers']
  /** Unpacked. */
  body: Buffer
  /** There was more than `maxBytes`. */
  isCut: boolean
}

/** Why a URL is not asked at all. */
export type Refusal = 'credentials' | 'encoding' | 'port' | 'private' | 'redirects' | 'scheme'

/** We do not ask this URL, whoever wants us to. */
export class RefusedError extends Error {
  override readonly name: string = 'RefusedError'

  constructor(
    readonly refusal: Refusal,
    message: string,
  ) {
    super(message)
  }
}

/** The address is not one of the public internet. */
export class PrivateAddressError extends RefusedError {
  override readonly name = 'PrivateAddressError'

  constructor(message: string) {
    super('private', message)
  }
}

/** What went wrong, for those who are to read it. */
export type OutboundFailure = Refusal | 'certificate' | 'connection' | 'name' | 'other' | 'timeout'

interface Sources extends AddressSources {
  /** Ranges that are reached although they are not public, at any port; `all`: every address. */
  allow: Ranges | 'all'
}

/**
 * Asks URLs that strangers named, such that it cannot be used to look into the network this process is in: http and https alone,
 * addresses of the public internet alone, in whatever notation. An address is checked within the lookup of the very connection,
 * so a name that changes its mind helps nothing; so is each redirect. What cannot be checked is not asked.
 */
export class Outbound {
  /** @param allow FETCH_ALLOW: private ranges that may be reached all the same */
  constructor(
    private readonly allow: Ranges = [],
    private readonly sources: AddressSources = {},
  ) {}

  /** @throws RefusedError; Error when there is no answer in time (`failureOf` says which) */
  fetch(from: URL, request: OutboundRequest): Promise<OutboundAnswer> {
    return withDeadline((signal) => this.follow(from, request, signal), request.timeout, 'asking', request.signal)
  }

  private async follow(from: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const { redirects = 0, method = 'GET' } = request
    let url = from
    for (let hops = 0; ; hops++) {
      request.guard?.(url)
      this.check(url, request.ports)
      const response = await open(url, { ...request, method, signal }, { ...this.sources, allow: this.allow })
      const next = method === 'GET' && redirects > 0 ? redirectOf(response, url) : null
      if (!next) return { url, ...(await answerOf(response, request.maxBytes)) }
      response.destroy()
      if (hops === redirects) throw new RefusedError('redirects', `more than ${redirects} redirects`)
      url = next
    }
  }

  /**
   * Whether a URL would be asked as things are: looks its name up, and connects to nothing.
   * @param timeout in ms
   * @throws as `fetch`
   */
  async probe(url: URL, ports: Ports, timeout: number): Promise<void> {
    this.check(url, ports)
    const host = bareHost(url)
    if (isIP(host) !== 0 || isLocalhost(host)) return requireReachable(url, this.allow)
    const found = await withDeadline((signal) => addressesOf(host, signal, this.sources), timeout, 'looking up')
    requireAll(host, found, this.allow)
  }

  /** What can be told without looking anything up. @throws RefusedError */
  private check(url: URL, ports: Ports): void {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new RefusedError('scheme', `${url.protocol} is not http(s)`)
    if (url.username !== '' || url.password !== '') throw new RefusedError('credentials', 'the URL has a user name or password')
    requireReachable(url, this.allow)
    const isOpen = url.port === '' || url.port === '80' || url.port === '443' || (ports === 'open' && Number(url.port) >= 1_024)
    if (!isOpen && !inRanges(bareHost(url), this.allow)) throw new RefusedError('port', `port ${url.port} is not one to ask`)
  }
}

interface Opening {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
  signal: AbortSignal
}

/** The connection ended, or became something else, before there was an answer. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly code = 'ECONNRESET'
}

/**
 * Asks once, and gives the answer before its body was read.
 * @throws PrivateAddressError; Error without an answer, or when the signal ends it
 */
export async function open(url: URL, opening: Opening, sources: Sources): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, signal } = opening
  // A literal address is never looked up, and what localhost leads to is known.
  requireReachable(url, sources.allow)
  const ask = url.protocol === 'https:' ? https.request : http.request
  return new Promise((resolve, reject) => {
    const request = ask(
      url,
      {
        method,
        agent: false,
        signal,
        lookup: checkedLookup(signal, sources),
        headers: {
          Accept: '*/*',
          'User-Agent': 'Terse',
          ...headers,
          ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
        },
      },
      resolve,
    )
    request.on('error', reject)
    // Neither an answer nor an error: the host switches to another protocol, which nobody asked for.
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new NoAnswerError('it switches protocols'))
    })
    request.on('close', () => reject(new NoAnswerError('it closed the connection without an answer')))
    request.end(body)
  })
}

/** Reads the body, as much of it as may be. */
async function answerOf(response: IncomingMessage, maxBytes: number): Promise<Omit<OutboundAnswer, 'url'>> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    if (maxBytes > 0) {
      for await (const chunk of unpacked(response)) {
        chunks.push(chunk)
        size += chunk.length
        if (size > maxBytes) break
      }
    }
  } finally {
    // Closes the connection, also where there is more.
    response.destroy()
  }
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: size > maxBytes }
}

const UNPACKERS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress } as const

/** The body as it was before it was packed; a little at a time, however much a small body unpacks to. */
function unpacked(response: IncomingMessage): Readable {
  const { statusCode, headers } = response
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  const isEmpty = statusCode === 204 || statusCode === 304 || headers['content-length'] === '0'
  if (encoding === '' || encoding === 'identity' || isEmpty) return response
  const unpacker = UNPACKERS[encoding as keyof typeof UNPACKERS]
  if (!unpacker) throw new RefusedError('encoding', `the answer is packed in an unknown way: ${encoding.slice(0, 40)}`)
  return pipeline(response, unpacker(), () => {})
}

/** Where an answer leads on; null where it does not. */
function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | null {
  return location !== undefined && isRedirect(statusCode) ? parseUrl(location, from) : null
}

const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')
/** What it leads to needs no looking up (RFC 6761, 6.3). */
const isLocalhost = (host: string) => /(^|\.)localhost\.?$/.test(host)
const LOCALHOST = { address: '127.0.0.1', family: 4 } as const

const isReachable = (address: string, allow: Sources['allow']) =>
  allow === 'all' || publicAddress(address) !== null || inRanges(address, allow)

/** Refuses a host whose address is known as it stands. @throws PrivateAddressError */
function requireReachable(url: URL, allow: Sources['allow']): void {
  const host = bareHost(url)
  const address = isLocalhost(host) ? LOCALHOST.address : host
  if (isIP(address) !== 0 && !isReachable(address, allow)) throw new PrivateAddressError(`${host} is not a public address`)
}

/** @throws PrivateAddressError when any address of a name is not public: which of them would be connected to is chance */
function requireAll(name: string, found: readonly { address: string }[], allow: Sources['allow']): void {
  const refused = found.find(({ address }) => !isReachable(address, allow))
  if (!refused && found.length > 0) return
  throw new PrivateAddressError(`${name} leads to ${refused?.address ?? 'no address'}, which is not public`)
}

/** The lookup of one connection, which gives what it has checked and nothing else. */
function checkedLookup(signal: AbortSignal, { allow, ...sources }: Sources): LookupFunction {
  return async (hostname, options, callback) => {
    try {
      const found = isLocalhost(hostname) ? [LOCALHOST] : await addressesOf(hostname, signal, sources)
      requireAll(hostname, found, allow)
      const [first = LOCALHOST] = found
      if (options.all) callback(null, [...found])
      else callback(null, first.address, first.family)
    } catch (error) {
      callback(error as Error, [])
    }
  }
}

const UNKNOWN_NAME = /^(ENOTFOUND|ENODATA|EAI_|ESERVFAIL|EREFUSED|EBADNAME|EFORMERR|ECANCELLED|ENONAME)/
const NO_CONNECTION = /^(ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|EADDR|HPE_|EPROTO|UND_)/
const NO_TRUST = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_)/

/** What went wrong, by an error of `fetch` or `probe`. */
export function failureOf(error: unknown): OutboundFailure {
  if (error instanceof RefusedError) return error.refusal
  const { name = '', code = '', errors = [] } = error as { name?: string; code?: string; errors?: unknown[] }
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR' || code === 'ETIMEDOUT') return 'timeout'
  if (UNKNOWN_NAME.test(code)) return 'name'
  if (NO_TRUST.test(code)) return 'certificate'
  if (NO_CONNECTION.test(code)) return 'connection'
  // Several addresses were tried, and none took us.
  return errors.length > 0 ? failureOf(errors[0]) : 'other'
}

/** Asks by HEAD, and by GET where the other server does not know or not allow that. @throws as `Outbound.fetch` */
export async function headOrGet(
  outbound: Outbound,
  url: URL,
  request: Omit<OutboundRequest, 'method' | 'body'>,
): Promise<OutboundAnswer> {
  const head = await outbound.fetch(url, { ...request, method: 'HEAD' })
  const isRefused = head.status === 405 || head.status === 501
  return isRefused ? outbound.fetch(url, { ...request, method: 'GET' }) : head
}

/** How soon, and how late, another server is asked again that says when, in seconds. */
const AGAIN = { least: 1, most: 60 }

/** In how many seconds the other server wants to be asked again, within reason. A date counts as nothing said. */
export function retryAfterOf({ headers }: Pick<OutboundAnswer, 'headers'>, otherwise = 5): number {
  return Math.min(AGAIN.most, Math.max(AGAIN.least, Number(headers['retry-after']) || otherwise))
}

import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { atEnd } from './cleanup'

/**
 * As much of S3 as a nightly copy asks for, by the words of Amazon’s documentation, with its own check of each signature and of
 * what was signed: no package that is maintained checks them and runs on Node 20.
 */

/** The key that is let in. */
export const S3_KEY = { region: 'us-east-1', keyId: 'TESTKEY', secret: 'the secret of the tests' }

/** Names of one page of a list. */
const PAGE = 2
/** Bytes of each part but the last one. */
const LEAST_PART = 5 * 2 ** 20

interface Answer {
  status: number
  body?: string | Buffer
  tag?: string
}

const failed = (status: number, code: string): Answer => ({ status, body: `<Error><Code>${code}</Code></Error>` })
const md5 = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export class TestBucket {
  readonly objects = new Map<string, Buffer>()
  readonly uploads = new Map<string, Map<number, Buffer>>()
  origin = ''

  private constructor(readonly name: string) {}

  /** A server with one bucket, closed at the end of the file. */
  static async open(name: string): Promise<TestBucket> {
    const bucket = new TestBucket(name)
    const server = createServer(async (request, response) => {
      const body = await buffer(request)
      const {
        status,
        body: said = '',
        tag,
      } = isSigned(request, body) ? bucket.answer(request, body) : failed(403, 'SignatureDoesNotMatch')
      response.writeHead(status, tag ? { etag: tag } : {}).end(said)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd(() => void server.close())
    bucket.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return bucket
  }

  private answer({ method, url = '' }: IncomingMessage, body: Buffer): Answer {
    const { pathname, searchParams: query } = new URL(url, 'http://host')
    const [, bucket, ...rest] = pathname.split('/')
    if (bucket !== this.name) return failed(404, 'NoSuchBucket')
    const key = decodeURIComponent(rest.join('/'))
    const upload = query.get('uploadId')
    if (upload !== null) return this.answerUpload(method ?? '', upload, key, Number(query.get('partNumber')), body)
    if (method === 'POST' && query.has('uploads')) {
      const id = `${randomUUID()}+&`
      this.uploads.set(id, new Map())
      return { status: 200, body: `<UploadId>${xml(id)}</UploadId>` }
    }
    if (method === 'GET' && key === '') return this.list(query)
    if (method === 'PUT') {
      this.objects.set(key, body)
      return { status: 200, tag: md5(body) }
    }
    if (method === 'DELETE') {
      this.objects.delete(key)
      return { status: 204 }
    }
    return failed(405, 'MethodNotAllowed')
  }

  private answerUpload(method: string, id: string, key: string, part: number, body: Buffer): Answer {
    const parts = this.uploads.get(id)
    if (!parts) return failed(404, 'NoSuchUpload')
    if (method === 'PUT') {
      parts.set(part, body)
      return { status: 200, tag: md5(body) }
    }
    this.uploads.delete(id)
    if (method === 'DELETE') return { status: 204 }
    const named = Array.from(
      body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g),
      ([, n, tag]) => [Number(n), tag] as const,
    )
    const chosen = named.map(([n, tag]) => ({ bytes: parts.get(n) ?? Buffer.alloc(0), tag }))
    // What goes wrong here is told after the answer began.
    if (chosen.some(({ bytes, tag }) => md5(bytes) !== tag)) return { ...failed(200, 'InvalidPart') }
    if (chosen.slice(0, -1).some(({ bytes }) => bytes.length < LEAST_PART)) return { ...failed(200, 'EntityTooSmall') }
    this.objects.set(key, Buffer.concat(chosen.map(({ bytes }) => bytes)))
    return { status: 200, body: '<CompleteMultipartUploadResult/>' }
  }

  private list(query: URLSearchParams): Answer {
    const all = [...this.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
    const from = Number(query.get('continuation-token') ?? 0)
    const keys = all.slice(from, from + PAGE).map((key) => `<Contents><Key>${xml(key)}</Key></Contents>`)
    const next = from + PAGE < all.length ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : ''
    return { status: 200, body: `<ListBucketResult>${keys.join('')}${next}</ListBucketResult>` }
  }
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

const SIGNED = /^AWS4-HMAC-SHA256 Credential=(\w+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** Signature Version 4, from the headers of a request. */
function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const [, keyId, scope = '', names = '', signature = ''] = SIGNED.exec(headers.authorization ?? '') ?? []
  const payload = String(headers['x-amz-content-sha256'])
  if (keyId !== S3_KEY.keyId || payload !== sha256(body)) return false
  const { pathname, searchParams } = new URL(url, 'http://host')
  const path = pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
  const query = Array.from(searchParams, ([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const textOf = (name: string) =>
    String(headers[name] ?? '')
      .trim()
      .replace(/ +/g, ' ')
  const signed = names
    .split(';')
    .map((name) => `${name}:${textOf(name)}\n`)
    .join('')
  const request = [method, path, query, signed, names, payload].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((so, part) => hmac(so, part), `AWS4${S3_KEY.secret}`)
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))
}

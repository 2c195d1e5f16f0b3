import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { AwsClient } from 'aws4fetch'
import type { BucketUrl } from '@/lib/tools/bucket-url'
import { encodePath } from '@/lib/tools/encode-path'
import type { CopyTarget } from './copy-target'
import type { Holder } from './write-file'

/** Bytes that are sent at a time, and held: S3 takes 5 MB at least and 10,000 parts, so a file can have 160 GB. */
const PART = 16 * 2 ** 20
/** For one request, in ms. */
const PATIENCE = 120_000
/** Tries again of a request that the other side could not answer. */
const RETRIES = 3

export interface S3Access {
  region: string
  keyId: string
  secret: string
}

/** What a bucket answered in place of what was asked. Its message has no secret, since none is sent. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
}

/** A bucket of Amazon S3, or of anything that speaks its protocol. */
export class S3Target implements CopyTarget {
  private readonly client: AwsClient

  constructor(
    private readonly at: BucketUrl,
    { region, keyId, secret }: S3Access,
    private readonly partSize = PART,
  ) {
    const names = { accessKeyId: keyId, secretAccessKey: secret }
    this.client = new AwsClient({ ...names, region, service: 's3', retries: RETRIES, initRetryMs: 200 })
  }

  async put(name: string, pieces: AsyncIterable<string>, signal: AbortSignal, holder?: Holder): Promise<number> {
    const parts = inParts(Readable.from(pieces).compose(createGzip()), this.partSize)
    const first = await parts.next()
    const begin = first.done ? Buffer.alloc(0) : first.value
    // What fits into one part needs no more than one request.
    if (begin.length < this.partSize) {
      await holder?.confirm()
      await this.ask(signal, 'PUT', name, '', begin)
      return begin.length
    }
    return await this.putParts(name, [begin, parts], signal, holder)
  }

  /** The object is there once all parts are: a broken off one is nothing but parts, which are given up. */
  private async putParts(
    name: string,
    [first, rest]: [Buffer, AsyncIterable<Buffer>],
    signal: AbortSignal,
    holder: Holder | undefined,
  ): Promise<number> {
    const begun = await (await this.ask(signal, 'POST', name, 'uploads=')).text()
    const upload = /<UploadId>([^<]+)<\/UploadId>/.exec(begun)?.[1]
    if (upload === undefined) throw new S3Error('the bucket began no upload in parts')
    const query = `uploadId=${encodeURIComponent(unescaped(upload))}`
    try {
      const tags: string[] = []
      let bytes = 0
      const send = async (part: Buffer) => {
        const { headers } = await this.ask(signal, 'PUT', name, `partNumber=${tags.length + 1}&${query}`, part)
        tags.push(headers.get('etag') ?? '')
        bytes += part.length
      }
      await send(first)
      for await (const part of rest) await send(part)
      const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('')
      const body = Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`)
      await holder?.confirm()
      // What failed after the answer began is told within it.
      const answer = await (await this.ask(signal, 'POST', name, query, body)).text()
      if (answer.includes('<Error>')) throw new S3Error(`the bucket did not put the parts together: ${codeIn(answer)}`)
      return bytes
    } catch (error) {
      await this.ask(AbortSignal.timeout(PATIENCE), 'DELETE', name, query).catch(() => {})
      throw error
    }
  }

  async list(signal: AbortSignal): Promise<string[]> {
    const names: string[] = []
    for (let from = ''; ; ) {
      const query = new URLSearchParams({ 'list-type': '2', prefix: this.at.prefix, ...(from && { 'continuation-token': from }) })
      const text = await (await this.ask(signal, 'GET', null, query.toString())).text()
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) names.push(unescaped(key).slice(this.at.prefix.length))
      from = unescaped(/<NextContinuationToken>([^<]+)</.exec(text)?.[1] ?? '')
      if (from === '') return names
    }
  }

  async remove(name: string, signal: AbortSignal): Promise<void> {
    await this.ask(signal, 'DELETE', name, '')
  }

  /** @throws S3Error for any answer but a good one; what `fetch` throws */
  private async ask(signal: AbortSignal, method: string, name: string | null, query: string, body?: Buffer): Promise<Response> {
    const { origin, bucket, prefix } = this.at
    const path = name === null ? bucket : `${bucket}/${prefix}${name}`
    const url = `${origin}/${encodePath(path)}${query && `?${query}`}`
    const response = await this.client.fetch(url, {
      method,
      // Signed too, so that the other side refuses what was changed on the way.
      headers: {
        'X-Amz-Content-Sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
      ...(body && { body: new Uint8Array(body) }),
    })
    if (response.ok) return response
    const text = await response.text().catch(() => '')
    throw new S3Error(`${method} of ${name ?? 'the bucket'} was answered ${response.status} ${codeIn(text)}`.trimEnd())
  }
}

/** What went wrong, in S3's own short words. */
const codeIn = (text: string): string => /<Code>([\w.]{1,60})<\/Code>/.exec(text)?.[1] ?? ''

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** Bytes in parts of a size, the last one of what is left. */
async function* inParts(bytes: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = []
  let length = 0
  for await (const some of bytes) {
    held.push(some)
    length += some.length
    while (length >= size) {
      const all = Buffer.concat(held)
      yield all.subarray(0, size)
      held = [all.subarray(size)]
      length -= size
    }
  }
  if (length > 0) yield Buffer.concat(held)
}

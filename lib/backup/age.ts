import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'

/*
 * The age format, version 1, with a passphrase: https://c2sp.org/age. Files made here open with `age --decrypt`, and files of age
 * here. Node's own ciphers do the work, so that a large database is encrypted at their speed and in constant memory.
 */

const VERSION = 'age-encryption.org/v1'
/** log2 of scrypt's work factor: a second of work and 256 MB. One that asks for over 1 GB, or next to none, is not opened. */
export const WORK = 18
const LEAST_WORK = 10
const MOST_WORK = 20
const CHUNK = 64 * 1024
const TAG = 16
const NONCE = 16
/** A header with one passphrase has some 150 bytes. */
const MOST_HEADER = 1_024

const CIPHER = 'chacha20-poly1305'

/** A backup that cannot be read: wrong passphrase, altered, cut off, or of another kind. Its message is one line. */
export class UnreadableBackup extends Error {
  override readonly name = 'UnreadableBackup'
}

type Bytes = AsyncIterable<Buffer>

/** The bytes of an age file that holds `source`. @param work log2 of scrypt's factor */
export async function* encrypt(passphrase: string, source: Bytes, work = WORK): AsyncGenerator<Buffer> {
  const fileKey = randomBytes(16)
  yield await makeHeader(passphrase, fileKey, work)
  const nonce = randomBytes(NONCE)
  yield nonce
  const key = payloadKey(fileKey, nonce)
  let counter = 0
  for await (const { chunk, isLast } of inChunks(source, CHUNK)) yield seal(key, chunkNonce(counter++, isLast), chunk)
}

/**
 * What an age file holds. Each piece is known to be unaltered when it is given, and the end to be the end.
 * @throws UnreadableBackup
 */
export async function* decrypt(passphrase: string, source: Bytes): AsyncGenerator<Buffer> {
  const reader = new Reader(source)
  const fileKey = await openHeader(passphrase, await reader.header())
  const nonce = await reader.take(NONCE)
  if (nonce.length < NONCE) throw new UnreadableBackup(DAMAGED)
  const key = payloadKey(fileKey, nonce)
  let counter = 0
  for await (const { chunk, isLast } of inChunks(reader.rest(), CHUNK + TAG)) {
    const plain = open(key, chunkNonce(counter++, isLast), chunk)
    // Only an empty file ends in an empty chunk.
    if (!plain || (plain.length === 0 && counter > 1)) throw new UnreadableBackup(DAMAGED)
    yield plain
  }
}

const DAMAGED = 'the file is damaged: it was cut off or altered'
const NO_BACKUP = 'the file is not a backup of Terse'

async function makeHeader(passphrase: string, fileKey: Buffer, work: number): Promise<Buffer> {
  const salt = randomBytes(16)
  const wrapped = seal(await wrapKey(passphrase, salt, work), Buffer.alloc(12), fileKey)
  const text = `${VERSION}\n-> scrypt ${base64(salt)} ${work}\n${base64(wrapped)}\n---`
  return Buffer.from(`${text} ${base64(headerMac(fileKey, text))}\n`)
}

/** @returns the key of the file. @throws UnreadableBackup */
async function openHeader(passphrase: string, header: string): Promise<Buffer> {
  const parts = /^age-encryption\.org\/v1\n-> scrypt ([\w+/]{22}) ([1-9]\d?)\n([\w+/]{43})\n--- ([\w+/]{43})\n$/.exec(header)
  if (!parts) throw new UnreadableBackup(`${NO_BACKUP}, or was altered`)
  const [, salt = '', work = '', wrapped = '', mac = ''] = parts
  if (Number(work) < LEAST_WORK || Number(work) > MOST_WORK) {
    const opened = `Terse opens those with 2^${LEAST_WORK} to 2^${MOST_WORK}`
    throw new UnreadableBackup(`the file was encrypted with a scrypt work of 2^${work}; ${opened}. Encrypt it again`)
  }
  const key = await wrapKey(passphrase, Buffer.from(salt, 'base64'), Number(work))
  const fileKey = open(key, Buffer.alloc(12), Buffer.from(wrapped, 'base64'))
  if (!fileKey) throw new UnreadableBackup('the passphrase is wrong, or the file was altered')
  const expected = headerMac(fileKey, header.slice(0, header.lastIndexOf('---') + 3))
  if (!timingSafeEqual(expected, Buffer.from(mac, 'base64'))) throw new UnreadableBackup(DAMAGED)
  return fileKey
}

const runScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

function wrapKey(passphrase: string, salt: Buffer, work: number): Promise<Buffer> {
  const N = 2 ** work
  const label = Buffer.from(`${VERSION}/scrypt`)
  return runScrypt(passphrase, Buffer.concat([label, salt]), 32, { N, r: 8, p: 1, maxmem: 2 * 128 * 8 * N })
}

const headerMac = (fileKey: Buffer, text: string) =>
  createHmac('sha256', derive(fileKey, '', 'header'))
    .update(text)
    .digest()

const payloadKey = (fileKey: Buffer, nonce: Buffer) => derive(fileKey, nonce, 'payload')

const derive = (key: Buffer, salt: Buffer | string, use: string) => Buffer.from(hkdfSync('sha256', key, salt, use, 32))

/** Unpadded, as age writes it. */
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** The number of a chunk, and whether it is the last: a chunk that is moved, left out or cut off does not open. */
function chunkNonce(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(counter, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function seal(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG })
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** @returns null when it was not sealed so */
function open(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | null {
  if (sealed.length < TAG) return null
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG })
  decipher.setAuthTag(sealed.subarray(-TAG))
  const plain = decipher.update(sealed.subarray(0, -TAG))
  try {
    decipher.final()
    return plain
  } catch {
    return null
  }
}

/** Pieces of `size` bytes; the last is not empty unless all is. */
async function* inChunks(source: Bytes, size: number): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of source) {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    while (rest.length > size) {
      yield { chunk: rest.subarray(0, size), isLast: false }
      rest = rest.subarray(size)
    }
  }
  yield { chunk: rest, isLast: true }
}

/** Takes the first bytes of a file apart from the others. */
class Reader {
  private readonly source: AsyncIterator<Buffer>
  private held: Buffer = Buffer.alloc(0)

  constructor(source: Bytes) {
    this.source = source[Symbol.asyncIterator]()
  }

  /** The lines up to the one with the header's own code. @throws UnreadableBackup when the file begins otherwise */
  async header(): Promise<string> {
    for (;;) {
      const end = /\n--- [^\n]*\n/.exec(this.held.toString('latin1'))
      if (end) return (await this.take(end.index + end[0].length)).toString('latin1')
      if (this.held.length > MOST_HEADER || !(await this.more())) throw new UnreadableBackup(NO_BACKUP)
    }
  }

  /** So many bytes, or fewer where the file ends. */
  async take(count: number): Promise<Buffer> {
    while (this.held.length < count && (await this.more())) {}
    const taken = this.held.subarray(0, count)
    this.held = this.held.subarray(count)
    return taken
  }

  async *rest(): AsyncGenerator<Buffer> {
    yield this.held
    for (let next = await this.source.next(); !next.done; next = await this.source.next()) yield next.value
  }

  private async more(): Promise<boolean> {
    const next = await this.source.next()
    if (!next.done) this.held = Buffer.concat([this.held, next.value])
    return !next.done
  }
}

import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { decrypt, encrypt, UnreadableBackup } from './age'

const PASSPHRASE = 'correct horse battery'
/** “Terse”, as `age --passphrase` 1.1.1 wrote it. */
const BY_AGE =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBZbVVpYlNwS1dZZkp3NHNCdzNlL053IDE4CnZQTkpLVDF1ek44aTRQTEFmY1NjVEdGQllQVXZrWS91aGJsbkdYcUdWc2MKLS0tIDdNTjVjQldBcUZSREsyYkZCOGRqNjlucEk0OGdDMWpoNnArQXJaUXVwWG8K8nGLnwpGmRKizqes3Z/irstOvcgazMiHOFxdfJcmA8nONNFjjA=='
/** Cheap: these files keep no secret. */
const WORK = 10
const CHUNK = 64 * 1024

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/** In pieces of such a size, as streams give them in any. */
const inPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
  ) as AsyncIterable<Buffer>

const seal = (plain: Buffer, size = 10_000) => collect(encrypt(PASSPHRASE, inPieces(plain, size), WORK))
const open = (sealed: Buffer, passphrase = PASSPHRASE, size = 10_000) => collect(decrypt(passphrase, inPieces(sealed, size)))
const patternOf = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) % 256))

describe('age files', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7])(
    'of %i bytes open as what they were made from',
    async (length) => {
      const plain = patternOf(length)
      for (const size of [977, 200_000]) expect((await open(await seal(plain, size), PASSPHRASE, size)).equals(plain)).toBe(true)
    },
  )

  it('are those of age itself', async () => {
    expect((await open(Buffer.from(BY_AGE, 'base64'))).toString()).toBe('Terse')
  })

  it('with another passphrase are refused', async () => {
    await expect(open(await seal(patternOf(10)), 'another passphrase')).rejects.toThrow('the passphrase is wrong')
  })

  it('that are cut off anywhere are refused', async () => {
    const sealed = await seal(patternOf(2 * CHUNK + 100))
    const begin = sealed.indexOf('\n--- ') + 5 + 43 + 1
    const chunks = [1, 2].map((count) => begin + 16 + count * (CHUNK + 16))
    for (const length of [0, 10, begin - 1, begin, begin + 15, begin + 16, begin + 20, ...chunks, sealed.length - 1])
      await expect(open(sealed.subarray(0, length)), `of ${length}`).rejects.toThrow(UnreadableBackup)
  })

  it('with any bit flipped are refused', async () => {
    const sealed = await seal(patternOf(40))
    for (let at = 0; at < sealed.length; at++) {
      const flipped = Buffer.from(sealed)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      await expect(open(flipped), `at ${at}`).rejects.toThrow(UnreadableBackup)
    }
  }, 60_000)

  it('whose chunks changed places, or that go on behind their end, are refused', async () => {
    const sealed = await seal(patternOf(3 * CHUNK))
    const begin = sealed.length - 3 * (CHUNK + 16)
    const chunk = (i: number) => sealed.subarray(begin + i * (CHUNK + 16), begin + (i + 1) * (CHUNK + 16))
    const head = sealed.subarray(0, begin)
    await expect(open(Buffer.concat([head, chunk(1), chunk(0), chunk(2)]))).rejects.toThrow(UnreadableBackup)
    await expect(open(Buffer.concat([head, chunk(0), chunk(2)]))).rejects.toThrow(UnreadableBackup)
    await expect(open(Buffer.concat([sealed, chunk(2)]))).rejects.toThrow(UnreadableBackup)
    await expect(open(Buffer.concat([sealed, Buffer.from('x')]))).rejects.toThrow(UnreadableBackup)
  })

  it.each([1, 9, 21, 40])('that ask for a work of 2^%i are refused, too little or too much for this machine', async (work) => {
    const sealed = (await seal(patternOf(1))).toString('latin1').replace(/(scrypt \S+) 10\n/, `$1 ${work}\n`)
    const opened = open(Buffer.from(sealed, 'latin1'))
    await expect(opened).rejects.toThrow(UnreadableBackup)
    await expect(opened).rejects.toThrow(`scrypt work of 2^${work}; Terse opens those with 2^10 to 2^20`)
  })
})

import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { unpacked, unpackedBeginning } from './unpacked'

const TEXT = `url,code\n${Array.from({ length: 5_000 }, (_, n) => `https://example.com/${n},code-${n}`).join('\n')}\n`

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
async function read(bytes: AsyncIterable<Uint8Array>, most?: number): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of unpacked(bytes, most)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

it('a packed file is read as what was packed, in whichever pieces it comes, also where it has several parts', async () => {
  for (const size of [1, 7, 65_536]) expect(await read(inPieces(gzipSync(TEXT), size))).toBe(TEXT)
  expect(await read(inPieces(Buffer.concat([gzipSync('a,b\n'), gzipSync(TEXT)]), 100))).toBe(`a,b\n${TEXT}`)
})

it('any other file is read as it is', async () => {
  for (const text of ['', 'a', TEXT]) expect(await read(inPieces(Buffer.from(text), 3))).toBe(text)
})

it('what is no whole packed file, or more than it may be once unpacked, is refused', async () => {
  const packed = gzipSync(TEXT)
  await expect(read(inPieces(packed.subarray(0, packed.length - 20), 500))).rejects.toMatchObject({ code: 'bad_request' })
  await expect(read(inPieces(Buffer.concat([packed.subarray(0, 500), Buffer.alloc(2_000)]), 500))).rejects.toMatchObject({
    code: 'bad_request',
  })
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  await expect(read(inPieces(bomb, 65_536), 1024 * 1024)).rejects.toMatchObject({ code: 'payload_too_large' })
})

it('what the reader leaves, and what fails before, ends both ends', async () => {
  let isEnded = false
  async function* endless() {
    try {
      yield gzipSync(TEXT)
      throw new Error('cut off')
    } finally {
      isEnded = true
    }
  }
  await expect(read(endless())).rejects.toThrow('cut off')
  expect(isEnded).toBe(true)
})

it('of the beginning of a packed file its beginning is read', async () => {
  const beginning = Buffer.from(await unpackedBeginning(gzipSync(TEXT).subarray(0, 4_000), 200_000)).toString()
  expect(beginning.length).toBeGreaterThan(1_000)
  expect(TEXT.startsWith(beginning)).toBe(true)
  expect(await unpackedBeginning(Buffer.from('a,b'), 2)).toEqual(Buffer.from('a,b'))
  expect((await unpackedBeginning(gzipSync(Buffer.alloc(10_000_000)), 5_000)).length).toBe(5_000)
})

import { expect, it } from 'vitest'
import { bitmapOf, gifOf, ICO, icoOf, jpegOf, pngOf, webpOf } from '@/lib/testing/pictures'
import { pictureType } from './picture'

/** Pictures of a size, by what they are. */
const KINDS: [string, (width: number, height: number) => Buffer][] = [
  ['image/png', pngOf],
  ['image/jpeg', jpegOf],
  ['image/gif', (width, height) => gifOf(width, height, [width, height])],
  ['image/webp', webpOf.lossy],
  ['image/webp', webpOf.lossless],
  ['image/webp', webpOf.extended],
  ['image/x-icon', (width, height) => icoOf(pngOf(width, height))],
  ['image/x-icon', (width, height) => icoOf(bitmapOf(width, height))],
]

it.each(KINDS)('%s is a picture by its first bytes, up to 512 pixels on a side', (type, of) => {
  for (const [width, height] of [
    [1, 1],
    [16, 32],
    [512, 512],
  ] as const)
    expect(pictureType(of(width, height))).toBe(type)
  for (const [width, height] of [
    [513, 1],
    [1, 513],
    [16_000, 16_000],
  ] as const)
    expect(pictureType(of(width, height))).toBeNull()
})

it.each(KINDS.filter(([, of]) => of !== webpOf.lossless && of !== webpOf.extended))('%s without a size is none', (_type, of) => {
  expect(pictureType(of(0, 16))).toBeNull()
  expect(pictureType(of(16, 0))).toBeNull()
})

it.each(KINDS)('%s that is cut off before its size is none', (_type, of) => {
  const whole = of(16, 16)
  for (let length = 0; length < 18; length++) expect(pictureType(whole.subarray(0, length))).toBeNull()
})

it('the largest of several counts', () => {
  expect(pictureType(gifOf(16, 16, [16, 16], [9_000, 16]))).toBeNull()
  const two = Buffer.from(ICO)
  two[4] = 2
  // The second entry lies where the first one's picture is, and leads anywhere.
  expect(pictureType(two)).toBeNull()
})

it('a bitmap that stands on its head is a picture', () => {
  const flipped = bitmapOf(16, 16)
  flipped.writeInt32LE(-32, 8)
  expect(pictureType(icoOf(flipped))).toBe('image/x-icon')
  flipped.writeInt32LE(-32_000, 8)
  expect(pictureType(icoOf(flipped))).toBeNull()
})

it.each(['', '<svg onload="alert(1)"/>', 'RIFF....WAVEfmt ', 'RIFF....WEBPALPH0000000000000000', '\0\0\u0002\0', 'GIF90a'])(
  'is no picture: %s',
  (text) => expect(pictureType(Buffer.from(text.padEnd(64, '\0'), 'latin1'))).toBeNull(),
)

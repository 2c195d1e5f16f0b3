/** Heads of pictures, for tests. */

const u16le = (n: number) => [n & 255, n >> 8]
const u32be = (n: number) => [n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255]
const u32le = (n: number) => u32be(n).reverse()

export const pngOf = (width: number, height: number) =>
  Buffer.from([...Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), ...u32be(width), ...u32be(height)])

/** With one entry, which says that it is 16 × 16 whatever it holds. */
export const icoOf = (picture: Buffer) =>
  Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, ...u32le(picture.length), ...u32le(22), ...picture])

/** A bitmap as icons hold it: twice as high, for its mask. */
export const bitmapOf = (width: number, height: number) =>
  Buffer.from([...u32le(40), ...u32le(width), ...u32le(height * 2), 1, 0, 32, 0])

/** @param frames sizes of what it shows one after another */
export const gifOf = (width: number, height: number, ...frames: [number, number][]) =>
  Buffer.from([
    ...Buffer.from('GIF89a'),
    ...[...u16le(width), ...u16le(height), 0x80, 0, 0],
    ...[0, 0, 0, 255, 255, 255],
    // A comment, then each frame with two blocks of data.
    ...[0x21, 0xfe, 2, 0x2c, 0x2c, 0],
    ...frames.flatMap(([w, h]) => [0x2c, 0, 0, 0, 0, ...u16le(w), ...u16le(h), 0, 2, 1, 7, 1, 7, 0]),
    0x3b,
  ])

/** With an APP0 and a table before its frame. */
export const jpegOf = (width: number, height: number) =>
  Buffer.from([
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc4, 0, 3, 0],
    ...[0xff, 0xc2, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0],
  ])

const webp = (kind: string, ...rest: number[]) => Buffer.from([...Buffer.from(`RIFF\0\0\0\0WEBP${kind}`), 0, 0, 0, 0, ...rest])
export const webpOf = {
  lossy: (width: number, height: number) => webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, ...u16le(width), ...u16le(height)),
  lossless: (width: number, height: number) => webp('VP8L', 0x2f, ...u32le((width - 1) | ((height - 1) << 14))),
  extended: (width: number, height: number) =>
    webp('VP8X', 0, 0, 0, 0, ...u32le(width - 1).slice(0, 3), ...u32le(height - 1).slice(0, 3)),
}

export const PNG = pngOf(16, 16)
export const ICO = icoOf(bitmapOf(16, 16))

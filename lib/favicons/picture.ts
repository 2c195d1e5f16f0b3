/** Pixels on a side. A file of 48 KB can be a picture of 20,000 × 20,000, for which a browser takes gigabytes. */
const MOST_PIXELS = 512

type Size = [width: number, height: number]
interface Kind {
  type: string
  isIt: (bytes: Buffer) => boolean
  /** Of each picture in it. @throws RangeError where it ends before it says so */
  sizes: (bytes: Buffer) => Size[]
}

/** An SVG can hold scripts, and is none of these. */
const KINDS: Kind[] = [
  { type: 'image/png', isIt: (bytes) => startsWith(bytes, '\u0089PNG\r\n\u001a\n'), sizes: (bytes) => [pngSize(bytes)] },
  { type: 'image/x-icon', isIt: (bytes) => startsWith(bytes, '\0\0\u0001\0'), sizes: icoSizes },
  { type: 'image/gif', isIt: (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'), sizes: gifSizes },
  { type: 'image/jpeg', isIt: (bytes) => startsWith(bytes, '\u00ff\u00d8\u00ff'), sizes: jpegSizes },
  // As RIFF begin sound and film, too.
  { type: 'image/webp', isIt: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8), sizes: webpSizes },
]

/** What a small picture is, by its bytes, whatever the site calls it; null: none, or none whose size is known and small. */
export function pictureType(bytes: Buffer): string | null {
  const kind = KINDS.find(({ isIt }) => isIt(bytes))
  return kind && isSmall(kind, bytes) ? kind.type : null
}

function isSmall({ sizes }: Kind, bytes: Buffer): boolean {
  try {
    const sides = sizes(bytes).flat()
    return sides.length > 0 && sides.every((side) => side > 0 && side <= MOST_PIXELS)
  } catch {
    // Buffer throws when it is read beyond its end.
    return false
  }
}

const startsWith = (bytes: Buffer, start: string, at = 0) => bytes.toString('latin1', at, at + start.length) === start

/** PNG, 11.2.1: IHDR comes first. */
function pngSize(bytes: Buffer): Size {
  return startsWith(bytes, 'IHDR', 12) ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : [0, 0]
}

/** A list of entries, whose sizes are of no account: each leads to a PNG, or to a bitmap that is twice as high, for its mask. */
function icoSizes(bytes: Buffer): Size[] {
  return Array.from({ length: bytes.readUInt16LE(4) }, (_, n) => {
    const picture = bytes.subarray(bytes.readUInt32LE(6 + n * 16 + 12))
    if (startsWith(picture, '\u0089PNG')) return pngSize(picture)
    // Older heads than BITMAPINFOHEADER, of 40 bytes, lie otherwise.
    if (picture.readUInt32LE(0) < 40) return [0, 0]
    return [picture.readInt32LE(4), Math.abs(picture.readInt32LE(8)) / 2]
  })
}

/** GIF89a, 17–27. Browsers make room for a frame that is larger than the whole. */
function gifSizes(bytes: Buffer): Size[] {
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const afterBlocks = (from: number) => {
    let at = from
    for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += length + 1
    return at + 1
  }
  const sizes: Size[] = [[bytes.readUInt16LE(6), bytes.readUInt16LE(8)]]
  let at = 13 + table(bytes.readUInt8(10))
  for (;;) {
    const block = bytes.readUInt8(at)
    if (block === 0x21) at = afterBlocks(at + 2)
    else if (block === 0x2c) {
      sizes.push([bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)])
      at = afterBlocks(at + 11 + table(bytes.readUInt8(at + 9)))
    } else return sizes
  }
}

/** ITU T.81, B.1.1.2 and B.2.2: segments with their lengths, one of them the frame. */
function jpegSizes(bytes: Buffer): Size[] {
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1)
    // C0 to CF are frames, but for tables (C4, CC) and one that is kept free (C8).
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return [[bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]]
  }
  return []
}

/** RFC 9649, 2.5–2.7 and 3.4: the first chunk says how large it is, in three ways. */
function webpSizes(bytes: Buffer): Size[] {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return [[bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]]
  if (kind === 'VP8L' && bytes.readUInt8(20) === 0x2f) {
    const bits = bytes.readUInt32LE(21)
    return [[(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]]
  }
  if (kind === 'VP8 ') return [[bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]]
  return []
}

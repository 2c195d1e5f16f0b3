import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { logoPng } from './logo-png'

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>alert(1)</script><rect width="40" height="20" fill="#00f"/></svg>'

const picture = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#336699' } })

/** A PNG whose header says that it is huge, and that holds next to nothing. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let i = 0; i < 8; i++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}

describe('a logo', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('that is a %s becomes a small PNG', async (format) => {
    const given = await picture(1_000, 500)
      .toFormat(format)
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .toBuffer()
    const png = await logoPng(given)
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 256, height: 128 })
    expect(Buffer.from(png).includes('secret place')).toBe(false)
  })

  it('is never what was sent: what was put behind the picture is gone', async () => {
    const given = Buffer.concat([await picture(20, 20).png().toBuffer(), Buffer.from('<script>alert(1)</script>')])
    expect(Buffer.from(await logoPng(given)).includes('script')).toBe(false)
  })

  it('that is an SVG is refused, unless the operator put it there', async () => {
    await expect(logoPng(Buffer.from(SVG))).rejects.toMatchObject({ reason: 'svg' })
    await expect(logoPng(Buffer.from(`<?xml version="1.0"?>\n<!-- x -->${SVG}`))).rejects.toMatchObject({ reason: 'svg' })
    expect(await sharp(await logoPng(Buffer.from(SVG), true)).metadata()).toMatchObject({ format: 'png' })
  })

  it('of 50,000 pixels a side is refused by its header, before anything is unpacked', async () => {
    await expect(logoPng(bomb(50_000, 50_000))).rejects.toMatchObject({ reason: 'tooManyPixels' })
    await expect(logoPng(bomb(50_000, 1))).rejects.toMatchObject({ reason: 'tooManyPixels' })
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('GIF? no')],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')],
    ['the beginning of a PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])],
    ['a PNG that breaks off', bomb(100, 100).subarray(0, 60)],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(logoPng(bytes)).rejects.toMatchObject({ reason: 'notImage' })
  })
})

import { crc32, deflateSync } from 'node:zlib'
import type { Brand } from './brand'

/** The mark as home screens take it, in the colors of the deployment. `whole`: to the corners, which some cut themselves. */
export const PNG_ICONS = {
  'icon-192.png': { size: 192, whole: false },
  'icon-512.png': { size: 512, whole: false },
  'maskable-512.png': { size: 512, whole: true },
  'touch-icon.png': { size: 180, whole: true },
} as const

export type PngIcon = keyof typeof PNG_ICONS
export const isPngIcon = (name: string): name is PngIcon => Object.hasOwn(PNG_ICONS, name)

/** Where it is. Its address changes with its colors. */
export const pngIconUrl = (name: PngIcon, { accents: { light } }: Pick<Brand, 'accents'>) =>
  `/assets/${name}?v=${light.brand.slice(1)}${light.brandFg.slice(1)}`

type Rgb = readonly [number, number, number]
interface Line {
  y: number
  from: number
  to: number
  opacity: number
}

/** The drawing of `markHtml`, on a field of 24 by 24. */
const FIELD = 24
const RADIUS = 7
const HALF_WIDTH = 1.25
const LINES: readonly Line[] = [
  { y: 9, from: 6, to: 18, opacity: 0.55 },
  { y: 15, from: 6, to: 11, opacity: 1 },
]

export function iconPng(name: PngIcon, { accents: { light } }: Pick<Brand, 'accents'>): Uint8Array<ArrayBuffer> {
  const { size, whole } = PNG_ICONS[name]
  const [ground, ink] = [rgbOf(light.brand), rgbOf(light.brandFg)]
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc(size * (1 + size * 4))
  const scale = size / FIELD
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [x, y] = [(column + 0.5) / scale, (row + 0.5) / scale]
      const drawn = LINES.reduce((most, line) => Math.max(most, line.opacity * covered(toLine(x, y, line), scale)), 0)
      const at = row * (1 + size * 4) + 1 + column * 4
      for (let i = 0; i < 3; i++) rows[at + i] = Math.round((ground[i] ?? 0) * (1 - drawn) + (ink[i] ?? 0) * drawn)
      rows[at + 3] = whole ? 255 : Math.round(255 * covered(toTile(x, y), scale))
    }
  }
  return png(size, rows)
}

const rgbOf = (color: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb

/** How much of a pixel lies inside an outline this far away: less than nothing is inside. */
const covered = (distance: number, scale: number) => Math.min(1, Math.max(0, 0.5 - distance * scale))

const toLine = (x: number, y: number, { y: level, from, to }: Line) =>
  Math.hypot(x - Math.min(to, Math.max(from, x)), y - level) - HALF_WIDTH

function toTile(x: number, y: number): number {
  const inset = FIELD / 2 - RADIUS
  const [across, down] = [Math.abs(x - FIELD / 2) - inset, Math.abs(y - FIELD / 2) - inset]
  return Math.hypot(Math.max(across, 0), Math.max(down, 0)) + Math.min(Math.max(across, down), 0) - RADIUS
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** RFC 2083. @param rows RGBA of 8 bits */
function png(size: number, rows: Buffer): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return new Uint8Array(
    Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]),
  )
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

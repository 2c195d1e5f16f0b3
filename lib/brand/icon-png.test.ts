import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createBrand } from './brand'
import { iconPng, PNG_ICONS, type PngIcon } from './icon-png'

const brand = createBrand({
  ...{ BASE_URL: 'http://terse.test', BRAND_NAME: 'Terse', BRAND_MARK: undefined, BRAND_COLOR: '#0a7d3f', BRAND_LINKS: [] },
})

/** Red, green, blue and opacity of a pixel. */
function pixel(name: PngIcon, x: number, y: number): number[] {
  const { size } = PNG_ICONS[name]
  const file = Buffer.from(iconPng(name, brand))
  expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([size, size])
  const rows = inflateSync(file.subarray(41, 41 + file.readUInt32BE(33)))
  const at = y * (1 + size * 4) + 1 + x * 4
  return [...rows.subarray(at, at + 4)]
}

describe('an icon for home screens', () => {
  it.each(Object.keys(PNG_ICONS) as PngIcon[])('%s is in the colors of the deployment', (name) => {
    const { size, whole } = PNG_ICONS[name]
    expect(pixel(name, size / 2, Math.round(size * 0.1))).toEqual([0x0a, 0x7d, 0x3f, 255])
    expect(pixel(name, Math.round(size * 0.3), Math.round(size * (15 / 24)))).toEqual([255, 255, 255, 255])
    expect(pixel(name, 0, 0)[3]).toBe(whole ? 255 : 0)
  })
})

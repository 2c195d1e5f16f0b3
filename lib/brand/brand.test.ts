import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError } from '@/lib/config'
import { testBrand } from '@/lib/testing/brand'
import { contrast } from '@/lib/tools/color'
import { iconSvg, markHtml } from './brand'
import { accentsOf } from './theme'

const folder = mkdtempSync(join(tmpdir(), 'terse-brand-'))
afterAll(() => rmSync(folder, { recursive: true }))

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000300000001808060000005c72a866', 'hex')

function fileOf(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const withMark = (name: string, content: string | Buffer) => testBrand({ BRAND_MARK: fileOf(name, content) })

describe('without settings', () => {
  it('all is as Terse has it', () => {
    const brand = testBrand()
    expect(brand).toMatchObject({ name: 'Terse', mark: null, links: [] })
    expect(brand.icon).toEqual({ url: '/favicon.svg', type: 'image/svg+xml' })
    expect(brand.css).toContain('--accent:#1a4fd0;')
    expect(brand.css).toContain('--brand:#8cb0ff;')
    expect(brand.css).toContain('--qr:#000000;')
    expect(markHtml(brand)).toMatch(/^<svg .*<\/svg>$/)
    expect(brand.image?.url).toBe('/opengraph-image.png')
  })
})

describe('a color of the deployment', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  const MUTED = { light: '#5c6068', dark: '#a2a8b2' }
  const GROUNDS = { light: ['#f8f8f6', '#ffffff'], dark: ['#111316', '#191c20', '#1f2328'] }

  it('whichever it is, leaves everything readable in both schemes', () => {
    const extreme = fc.constantFrom(
      '#000000',
      '#ffffff',
      '#ffff00',
      '#00ff00',
      '#0000ff',
      '#ff0000',
      '#808080',
      '#f8f8f6',
      '#111316',
    )
    fc.assert(
      fc.property(fc.oneof(color, extreme), (given) => {
        const accents = accentsOf(given)
        for (const scheme of ['light', 'dark'] as const) {
          const { accent, accentHover, accentFg, accentSoft, brand, brandHover, brandFg } = accents[scheme]
          for (const ground of [...GROUNDS[scheme], accentSoft]) {
            expect(contrast(accent, ground)).toBeGreaterThanOrEqual(4.5)
            expect(contrast(accentHover, ground)).toBeGreaterThanOrEqual(4.5)
          }
          for (const [text, ground] of [
            [accentFg, accent],
            [accentFg, accentHover],
            [brandFg, brand],
            [brandFg, brandHover],
            [MUTED[scheme], accentSoft],
          ] as const)
            expect(contrast(text, ground), `${given} ${scheme}: ${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
        }
        expect(contrast(accents.qr, '#ffffff')).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 500 },
    )
  })

  it('is used as it is for buttons and the mark, with the text on it that reads best', () => {
    expect(accentsOf('#ffd400').light).toMatchObject({ brand: '#ffd400', brandFg: '#000000' })
    expect(accentsOf('#0a1a4a').light).toMatchObject({ brand: '#0a1a4a', brandFg: '#ffffff', accent: '#0a1a4a' })
    expect(accentsOf('#0a1a4a').dark.brand).not.toBe('#0a1a4a')
    expect(accentsOf('#ffffff').light.brand).not.toBe('#ffffff')
  })

  it('colors the icon of the tab, and no picture that says “Terse” is shared', () => {
    const brand = testBrand({ BRAND_COLOR: '#0a1a4a' })
    expect(brand.icon).toEqual({ url: '/assets/icon?v=0a1a4a', type: 'image/svg+xml' })
    expect(iconSvg(brand)).toContain('--brand:#0a1a4a')
    expect([brand.image, testBrand({ BRAND_NAME: 'Acme' }).image]).toEqual([null, null])
  })
})

describe('a mark of the deployment', () => {
  it.each([
    ['viewBox', `<?xml version="1.0"?>\n<!-- a logo --><svg ${XMLNS} viewBox="0 0 48 24"><path/></svg>`, 48],
    ['measures', `<svg ${XMLNS} width="30px" height="20"></svg>`, 36],
    ['neither', `<svg ${XMLNS}></svg>`, 24],
  ])('as an SVG with %s keeps its shape at 24 pixels', (_, svg, width) => {
    const brand = withMark('mark.svg', svg)
    expect(brand.icon).toEqual({ url: `/assets/mark?v=${brand.mark?.version}`, type: 'image/svg+xml' })
    expect(markHtml(brand)).toBe(`<img src="/assets/mark?v=${brand.mark?.version}" width="${width}" height="24" alt="">`)
  })

  it('as a PNG does too, and its address changes with it', () => {
    const brand = withMark('mark.png', PNG)
    expect(brand.mark).toMatchObject({ type: 'image/png', ratio: 2, side: null })
    const square = Buffer.concat([PNG.subarray(0, 20), PNG.subarray(16, 20), PNG.subarray(24)])
    expect(withMark('square.png', square).mark).toMatchObject({ ratio: 1, side: 48 })
    const other = withMark('mark.png', Buffer.concat([PNG, Buffer.from('more')]))
    expect(other.icon.url).not.toBe(brand.icon.url)
  })

  it.each<[string, string | Buffer, RegExp]>([
    ['is text', 'a logo', /neither an SVG nor a PNG/],
    ['is a page', '<!doctype html><html><svg></svg></html>', /neither an SVG nor a PNG/],
    ['is an SVG that no browser draws', '<svg viewBox="0 0 1 1"></svg>', /needs xmlns=/],
    ['is too large', Buffer.concat([PNG, Buffer.alloc(65_536)]), /has 65 KB; 64 are the most/],
    ['is too wide', `<svg ${XMLNS} viewBox="0 0 501 100"></svg>`, /at most 3 times as wide/],
    ['has no size', `<svg ${XMLNS} viewBox="0 0 0 0"></svg>`, /at most 3 times as wide/],
    ['breaks off', PNG.subarray(0, 12), /breaks off/],
    ['is empty', '', /neither an SVG nor a PNG/],
  ])('that %s is refused at start, by its name and in one line', (_, content, why) => {
    const start = () => withMark('wrong', content)
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(/^BRAND_MARK: [^\n]+$/)
    expect(start).toThrow(why)
  })

  it('that is not there is refused at start', () => {
    expect(() => testBrand({ BRAND_MARK: join(folder, 'none.svg') })).toThrow(/^BRAND_MARK: cannot read .*none\.svg$/)
  })
})

it('links of the foot are at whole addresses, for pages at other domains and for mails', () => {
  const links = [
    { label: 'Imprint', url: '/imprint' },
    { label: 'Privacy', url: 'https://example.com/privacy' },
  ]
  expect(testBrand({ BRAND_LINKS: links }).links.map(({ url }) => url)).toEqual([
    'https://go.example.com/imprint',
    'https://example.com/privacy',
  ])
})

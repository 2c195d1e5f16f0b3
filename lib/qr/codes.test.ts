import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { pagesOf, readCode, readCodes } from '@/lib/testing/qr'
import { piecesOf } from './pieces'
import type { CodeTask, Look, QrTask } from './task'
import { LEVELS, type Level } from './values'

const PLAIN: Look = { foreground: '#000000', background: '#ffffff', margin: 4, level: 'M', logo: null }

async function bytesOf(task: QrTask): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of piecesOf(task)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const code = (text: string, look: Partial<Look> = {}, rest: Partial<CodeTask> = {}): Promise<Buffer> =>
  bytesOf({ kind: 'code', text, look: { ...PLAIN, ...look }, format: 'svg', side: null, ...rest })

/** What a code says in each of its formats. */
async function readAll(text: string, look: Partial<Look> = {}): Promise<string[]> {
  const svg = await code(text, look)
  const png = await code(text, look, { format: 'png', side: 1_024 })
  const [page] = pagesOf(await code(text, look, { format: 'pdf', side: 40 }))
  if (!page) throw new Error('no page')
  // At least four pixels to a module, however many there are.
  const pixels = 1_000
  return [await readCode(svg, { pixels }), await readCode(png, { pixels }), await readCode(page.svg, { pixels })]
}

let logo: Buffer
beforeAll(async () => {
  logo = await sharp({ create: { width: 200, height: 120, channels: 4, background: '#d0021b' } })
    .png()
    .toBuffer()
})

const SHORT = 'https://go.example.com/spring-sale'

describe('every code is read back by another library', () => {
  it.each(LEVELS)('at level %s, without and with a logo', async (level) => {
    expect(await readAll(SHORT, { level })).toEqual([SHORT, SHORT, SHORT])
    const raised: Level = level === 'H' ? 'H' : 'Q'
    expect(await readAll(SHORT, { level: raised, logo })).toEqual([SHORT, SHORT, SHORT])
  })

  it.each([
    ['the shortest', 'http://a.b/c'],
    ['with a punycode host', new URL('https://bücher.example/überblick').href],
    ['of other scripts', new URL('https://go.example.com/春天/весна').href],
    ['of 128 characters', `https://go.example.com/${'a'.repeat(128)}`],
    ['of 128 percent-encoded characters', new URL(`https://go.example.com/${'é'.repeat(128)}`).href],
  ])('%s', async (_, text) => {
    expect(await readAll(text)).toEqual([text, text, text])
  })

  it('in any style that is not warned about', async () => {
    const dark = fc.constantFrom('#000000', '#1a2b3c', '#7a0000', '#004d40', '#4b0082')
    const light = fc.constantFrom('#ffffff', '#fff8e1', '#e0f7fa', null)
    const style = fc.record({
      foreground: dark,
      background: light,
      margin: fc.integer({ min: 4, max: 16 }),
      level: fc.constantFrom(...LEVELS),
      hasLogo: fc.boolean(),
      path: fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_/'), minLength: 1, maxLength: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(style, async ({ hasLogo, path, level, ...rest }) => {
        const text = `https://go.example.com/${path}`
        const look = { ...rest, level: hasLogo && level !== 'H' ? ('Q' as const) : level, logo: hasLogo ? logo : null }
        expect(await readAll(text, look)).toEqual([text, text, text])
      }),
      { numRuns: 40 },
    )
  }, 60_000)

  it('also with no margin on light paper, and light on dark by a reader that tries', async () => {
    expect(await readAll(SHORT, { margin: 0 })).toEqual([SHORT, SHORT, SHORT])
    const inverted = await code(SHORT, { foreground: '#ffffff', background: '#000000' })
    expect(await readCode(inverted, { inverted: true })).toBe(SHORT)
  })
})

describe('a PNG', () => {
  it('has exactly the pixels that were asked for, and modules of whole ones', async () => {
    for (const side of [64, 200, 511, 4_096]) {
      const png = await code('https://a.example/b', {}, { format: 'png', side })
      const { width, height } = await sharp(png).metadata()
      expect([width, height]).toEqual([side, side])
      const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      expect(new Set(data)).toEqual(new Set([0, 255]))
    }
  })

  it('is transparent where it was asked to be', async () => {
    const png = await code(SHORT, { background: null }, { format: 'png', side: 256 })
    const { data } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    expect(data[3]).toBe(0)
  })

  it('with fewer pixels than modules is refused', async () => {
    const long = `https://go.example.com/${'a'.repeat(128)}`
    await expect(code(long, {}, { format: 'png', side: 50 })).rejects.toMatchObject({ reason: 'tooSmall', least: 57 })
  })
})

it('a text that is too long for its level is refused', async () => {
  const text = `https://go.example.com/${'x'.repeat(1_500)}`
  await expect(code(text, { level: 'H' })).rejects.toMatchObject({ reason: 'tooLong' })
  expect(await readCode(await code(text, { level: 'L' }), { pixels: 1_400 })).toBe(text)
})

it('an SVG and a PDF have the size that was asked for', async () => {
  expect((await code(SHORT, {}, { side: 30 })).toString()).toContain('width="30mm" height="30mm"')
  const [page] = pagesOf(await code(SHORT, {}, { format: 'pdf', side: 30 }))
  expect(page?.width).toBeCloseTo((30 * 72) / 25.4, 1)
})

describe('a sheet', () => {
  const layout = { paper: 'a4', rows: 4, columns: 3, caption: 'code', cutMarks: true } as const
  const codes = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      text: `https://go.example.com/T-${String(i).padStart(5, '0')}`,
      caption: `T-${i} é`,
    }))

  it('holds each code once, in order, with its caption, on as many pages as it takes', async () => {
    const asked = codes(25)
    const pages = pagesOf(await bytesOf({ kind: 'sheet', codes: asked, look: { ...PLAIN, logo, level: 'Q' }, layout }))
    expect(pages).toHaveLength(3)
    const read = await Promise.all(pages.map(({ svg }) => readCodes(svg, { pixels: 2_000 })))
    expect(read.map(({ length }) => length)).toEqual([12, 12, 1])
    expect(new Set(read.flat())).toEqual(new Set(asked.map(({ text }) => text)))
    expect(pages.flatMap(({ texts }) => texts)).toEqual(asked.map(({ caption }) => caption))
    expect(pages.map(({ lines }) => lines)).toEqual([40, 40, 40])
  })

  it('comes piece by piece', async () => {
    const task: QrTask = { kind: 'sheet', codes: codes(40), look: PLAIN, layout: { ...layout, paper: 'letter', cutMarks: false } }
    let pieces = 0
    for await (const _ of piecesOf(task)) pieces += 1
    expect(pieces).toBeGreaterThan(3)
  })
})

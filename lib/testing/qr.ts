import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { once } from '@/lib/tools/once'

/** What reads QR codes back: another library than the one that makes them. */
const reader = once(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true })
})

/** Sides of the pictures that are read, in pixels. */
const PIXELS = 800
/** Light ground around them, as paper has it. */
const PAPER = 80

/**
 * What the QR codes of a picture say, in no order.
 * @param picture a PNG, or an SVG
 */
export async function readCodes(picture: Uint8Array, { pixels = PIXELS, inverted = false } = {}): Promise<string[]> {
  await reader()
  const ground = inverted ? '#000000' : '#ffffff'
  const image = sharp(picture, { limitInputPixels: false, density: 72 })
  const { data, info } = await image
    .resize(pixels, pixels, { fit: 'inside' })
    .flatten({ background: ground })
    .extend({ top: PAPER, bottom: PAPER, left: PAPER, right: PAPER, background: ground })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const found = await readBarcodes({ data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' } as ImageData, {
    formats: ['QRCode'],
    tryHarder: true,
    maxNumberOfSymbols: 255,
  })
  return found.filter(({ isValid }) => isValid).map(({ text }) => text)
}

/** What the one QR code of a picture says. @throws when there is none, or more */
export async function readCode(picture: Uint8Array, how: Parameters<typeof readCodes>[1] = {}): Promise<string> {
  const texts = await readCodes(picture, how)
  const [text] = texts
  if (text === undefined || texts.length > 1) throw new Error(`${texts.length} codes instead of one`)
  return text
}

interface PdfPage {
  width: number
  height: number
  /** What is filled on it, as an SVG of its size. A picture is a gray square. */
  svg: Buffer
  /** Texts that are written on it. */
  texts: string[]
  lines: number
}

/** The pages of a PDF that lib/qr made: what it draws, and nothing else that a PDF can hold. */
export function pagesOf(pdf: Uint8Array): PdfPage[] {
  const text = Buffer.from(pdf).toString('latin1')
  const objects = new Map([...text.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)].map(([, id = '', body = '']) => [id, body]))
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\n/.test(`${body}\n`))
  return pages.map((body) => {
    const [, , width = '0', height = '0'] = /\/MediaBox \[(\S+) (\S+) (\S+) (\S+)\]/.exec(body)?.slice(1) ?? []
    const content = objects.get(/\/Contents (\d+) 0 R/.exec(body)?.[1] ?? '') ?? ''
    const stream = /stream\n([\s\S]*)\nendstream/.exec(content)?.[1] ?? ''
    return pageOf(inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'), Number(width), Number(height))
  })
}

type Matrix = readonly number[]
const times = (
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix,
  [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0]: Matrix,
): Matrix => [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]

/** Runs the operators of a page (ISO 32000-1, annex A). */
function pageOf(content: string, width: number, height: number): PdfPage {
  let shapes = ''
  let path = ''
  let lines = 0
  const texts: string[] = []
  let state = { matrix: [1, 0, 0, 1, 0, 0] as Matrix, fill: '#000000' }
  const stack: (typeof state)[] = []
  let operands: string[] = []
  const numbers = () => operands.map(Number)
  const draw = (d: string, fill: string) => {
    shapes += `<path transform="matrix(${state.matrix.join(' ')})" d="${d}" fill="${fill}" fill-rule="evenodd"/>`
  }
  const run = (operator: string) => {
    if (operator === 'q') stack.push(state)
    else if (operator === 'Q') state = stack.pop() ?? state
    else if (operator === 'cm') state = { ...state, matrix: times(state.matrix, numbers()) }
    else if (operator === 'm' || operator === 'l') path += operator.toUpperCase() + operands.join(' ')
    else if (operator === 'h') path += 'z'
    else if (operator === 're') {
      const [x = 0, y = 0, w = 0, h = 0] = numbers()
      path += `M${x} ${y}h${w}v${h}h${-w}z`
    } else if (operator === 'scn') state = { ...state, fill: hexOf(numbers()) }
    else if (operator === 'Do') draw('M0 0h1v1h-1z', '#888888')
    else if (operator === 'TJ') texts.push(writtenBy(operands))
    else if (['f', 'f*', 'S', 'n'].includes(operator)) {
      if (operator.startsWith('f')) draw(path, state.fill)
      if (operator === 'S') lines += path.split('M').length - 1
      path = ''
    }
  }
  for (const [token] of content.matchAll(/\[[^\]]*\]|\S+/g)) {
    const isOperand = /^[[<(/]|^[-+.\d]/.test(token)
    if (isOperand) operands.push(token)
    else {
      run(token)
      operands = []
    }
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><g transform="matrix(1 0 0 -1 0 ${height})">${shapes}</g></svg>`
  return { width, height, svg: Buffer.from(svg), texts, lines }
}

const hexOf = (parts: readonly number[]) =>
  `#${parts
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Texts stand in hexadecimal, in pieces with distances between them. */
function writtenBy(operands: readonly string[]): string {
  const hex = [...operands.join('').matchAll(/<([0-9a-f]*)>/gi)].map(([, digits = '']) => digits).join('')
  return Buffer.from(hex, 'hex').toString('latin1')
}

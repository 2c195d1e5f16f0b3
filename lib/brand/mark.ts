import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError } from '@/lib/config'

/** A logo of the deployment's own. */
export interface Mark {
  type: 'image/svg+xml' | 'image/png'
  bytes: Buffer
  /** Changes with its content. */
  version: string
  /** Width over height. */
  ratio: number
  /** Pixels of each side of a square PNG, which home screens take as it is; null for others. */
  side: number | null
}

/** In bytes: every visitor loads it. */
const MOST = 64 * 1024
const WIDEST = 3
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The first tag of an SVG, after what may come before it. */
const SVG = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!doctype[^>]*>\s*)*(<svg[\s>][^>]*>?)/i

/** @throws ConfigError saying what is wrong with the file of BRAND_MARK */
export function readMark(path: string): Mark {
  const bytes = read(path)
  if (bytes.length > MOST) throw wrong(path, `has ${Math.ceil(bytes.length / 1024)} KB; 64 are the most`)
  const [type, width, height] = bytes.subarray(0, 8).equals(PNG) ? pngSize(path, bytes) : svgSize(path, bytes.toString('utf8'))
  const ratio = width / height
  if (!(ratio > 0 && ratio <= WIDEST)) throw wrong(path, `must be at most ${WIDEST} times as wide as it is high`)
  const side = type === 'image/png' && width === height ? width : null
  return { type, bytes, ratio, side, version: createHash('sha256').update(bytes).digest('hex').slice(0, 12) }
}

type Sized = [type: Mark['type'], width: number, height: number]

function pngSize(path: string, bytes: Buffer): Sized {
  if (bytes.length < 24) throw wrong(path, 'breaks off')
  return ['image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

function svgSize(path: string, text: string): Sized {
  const tag = SVG.exec(text)?.[1]
  if (tag === undefined) throw wrong(path, 'is neither an SVG nor a PNG')
  // Browsers draw no image without it.
  if (!tag.includes('"http://www.w3.org/2000/svg"'))
    throw wrong(path, 'needs xmlns="http://www.w3.org/2000/svg" in its first tag')
  const box = /\sviewBox\s*=\s*["']([^"']*)["']/.exec(tag)?.[1]
  const [, , boxWidth, boxHeight] = (box ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return ['image/svg+xml', boxWidth ?? lengthOf(tag, 'width'), boxHeight ?? lengthOf(tag, 'height')]
}

const lengthOf = (tag: string, name: string) =>
  Number.parseFloat(new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)`).exec(tag)?.[1] ?? '1')

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ConfigError(`BRAND_MARK: cannot read ${path}`, { cause })
  }
}

const wrong = (path: string, what: string) => new ConfigError(`BRAND_MARK: ${path} ${what}`)

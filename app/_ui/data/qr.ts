import { drawingOf } from '@/lib/qr/drawing'
import type { QrStyle } from '@/lib/qr/style'
import { pixelSvgOf, svgOf } from '@/lib/qr/svg'
import { MARGIN } from '@/lib/qr/values'
import { exchange, type Result, send } from './http'

/** Loaded only when a QR code is asked for. */

/** Level M stands up to a scratch or a fold. */
const PLAIN = { margin: MARGIN.wanted, level: 'M', logo: 'none' } as const

export interface QrShape {
  /** Modules on each side, with the quiet zone that readers need. */
  size: number
  /** SVG path of what is dark. */
  path: string
}

/** @throws for a text that no code can hold */
export function qrShape(text: string): QrShape {
  const drawing = drawingOf(text, PLAIN)
  if (drawing === null) throw new Error('the text is too long')
  return drawing
}

/** The deployment's color, dark enough for readers: what `QrImage` draws with too. */
export const siteColor = () => getComputedStyle(document.documentElement).getPropertyValue('--qr').trim()

export interface QrPicture {
  svg: string
  /** The same at this many pixels a side; null where that is too few. */
  pixels(side: number): string | null
  /** The same at this many millimeters a side. */
  printed(side: number): string
}

/** @param logo a `data:` URL. @returns null for a text that is too long for the style */
export function qrPicture(text: string, style: QrStyle, logo: string | null): QrPicture | null {
  const drawing = drawingOf(text, style)
  if (drawing === null) return null
  return {
    svg: svgOf(drawing, style, { logo }),
    pixels: (side) => pixelSvgOf(drawing, style, side, logo),
    printed: (side) => svgOf(drawing, style, { logo, side: `${side}mm` }),
  }
}

export const svgUrl = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** An SVG of this many pixels a side as a PNG. @throws when the browser cannot draw it */
export async function toPng(svg: string, side: number): Promise<Blob> {
  const image = new Image(side, side)
  image.src = svgUrl(svg)
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  canvas.getContext('2d')?.drawImage(image, 0, 0, side, side)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture came of it'))), 'image/png')
  })
}

const LOGO_PATH = '/api/v1/account/qr-logo'

/** The logo of an account, or of the site, as a `data:` URL: an SVG takes no other. */
export async function loadLogo(of: 'own' | 'site'): Promise<Result<string>> {
  const answer = await exchange('GET', of === 'own' ? LOGO_PATH : '/assets/qr-logo', {})
  return answer.ok ? { ok: true, value: await dataUrl(await answer.value.blob()) } : answer
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}

/** Some kinds of files have no type that browsers know: the server looks at what they hold. */
export const uploadLogo = (file: File) =>
  send<{ version: string }>('PUT', LOGO_PATH, { file: { content: file, type: file.type || 'image/png' } })
export const deleteLogo = () => send<unknown>('DELETE', LOGO_PATH)

/** A style as the API takes it in a body. */
export const styleBody = ({ foreground, background, margin, level, logo }: QrStyle) => ({
  ...{ foreground, margin, level, logo },
  background: background ?? 'transparent',
})

/** The same in a query. */
export const styleQuery = (style: QrStyle): Record<string, string> =>
  Object.fromEntries(Object.entries(styleBody(style)).map(([name, value]) => [name, String(value)]))

/** How long a file may take until it is there, in ms. */
const FILE_TIMEOUT = 120_000

/** A file that the server draws. */
export async function fetchFile(
  method: 'GET' | 'POST',
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Result<Blob>> {
  const answer = await exchange(method, path, { ...options, timeout: FILE_TIMEOUT })
  return answer.ok ? { ok: true, value: await answer.value.blob() } : answer
}

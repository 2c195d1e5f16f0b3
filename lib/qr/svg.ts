import type { Drawing } from './drawing'
import type { QrStyle } from './style'

interface Options {
  /** A `data:` URL. */
  logo: string | null
  /** With its unit, such as `40mm` or `512`. If left out, it is as large as its place. */
  side?: string
}

/** A drawing as an SVG. */
export function svgOf(
  drawing: Drawing,
  { foreground, background }: Pick<QrStyle, 'foreground' | 'background'>,
  options: Options,
): string {
  return svg({ from: 0, side: drawing.size }, drawing, foreground, background, options)
}

/**
 * The same with modules of whole pixels, so that all edges are sharp. The remaining pixels widen the margin.
 * @returns null if a module would be smaller than a pixel
 */
export function pixelSvgOf(
  drawing: Drawing,
  { foreground, background }: Pick<QrStyle, 'foreground' | 'background'>,
  pixels: number,
  logo: string | null,
): string | null {
  const scale = Math.floor(pixels / drawing.size)
  if (scale < 1) return null
  const from = -Math.floor((pixels - drawing.size * scale) / 2) / scale
  return svg({ from, side: pixels / scale }, drawing, foreground, background, { logo, side: String(pixels) })
}

function svg(
  box: { from: number; side: number },
  { path, logo: square }: Drawing,
  foreground: string,
  background: string | null,
  { logo, side }: Options,
): string {
  const { from, side: length } = box
  const sized = side === undefined ? '' : ` width="${side}" height="${side}"`
  const ground = background ? `<rect x="${from}" y="${from}" width="${length}" height="${length}" fill="${background}"/>` : ''
  return (
    `<svg xmlns="http://www.w3.org/2000/svg"${sized} viewBox="${from} ${from} ${length} ${length}" shape-rendering="crispEdges">` +
    `${ground}<path d="${path}" fill="${foreground}" fill-rule="evenodd"/>${square && logo ? imageOf(square, logo) : ''}</svg>`
  )
}

/** Half a module from what is dark. */
const imageOf = ({ at, side }: { at: number; side: number }, href: string) =>
  `<image x="${at + 0.5}" y="${at + 0.5}" width="${side - 1}" height="${side - 1}" href="${href}"/>`

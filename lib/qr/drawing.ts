import { create } from 'qrcode'
import { outlineOf } from './outline'
import { levelOf, type QrStyle } from './style'
import type { Level } from './values'

/** A QR code in modules, from which SVG, PNG and PDF are all made. */
export interface Drawing {
  /** Modules on each side, with the margin. */
  size: number
  /** An SVG path of the dark modules, to be filled by `evenodd`. */
  path: string
  /** The square left free for a logo. */
  logo: { at: number; side: number } | null
}

/**
 * The part of a code's side that its logo takes. That is 4 and 6 % of the area: less than readers can correct, even if most words
 * of one block are under it.
 */
const LOGO_SHARE: Partial<Record<Level, number>> = { Q: 0.2, H: 0.25 }

/** Draws a text. @returns null if it is too long for the level */
export function drawingOf(text: string, style: Pick<QrStyle, 'margin' | 'level' | 'logo'>): Drawing | null {
  const level = levelOf(style)
  const modules = modulesOf(text, level)
  if (modules === null) return null
  const { margin } = style
  const { size } = modules
  const logo = style.logo === 'none' ? null : logoSquare(size, LOGO_SHARE[level] ?? 0)
  const isFree = (at: number) => logo !== null && at >= logo.at && at < logo.at + logo.side
  const isDark = (column: number, row: number) => !(isFree(column) && isFree(row)) && Boolean(modules.get(row, column))
  return {
    size: size + 2 * margin,
    path: outlineOf(size, isDark, margin),
    logo: logo && { at: logo.at + margin, side: logo.side },
  }
}

function modulesOf(text: string, errorCorrectionLevel: Level) {
  try {
    return create(text, { errorCorrectionLevel }).modules
  } catch (error) {
    if (error instanceof Error && /too big|too much/i.test(error.message)) return null
    throw error
  }
}

/** The square in the middle. A code has an odd number of modules on each side, so the square has too. */
function logoSquare(size: number, share: number): { at: number; side: number } {
  const side = Math.floor((size * share - 1) / 2) * 2 + 1
  return { at: (size - side) / 2, side }
}

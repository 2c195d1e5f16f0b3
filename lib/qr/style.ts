import { contrast, luminance } from '@/lib/tools/color'
import { type Level, type LogoChoice, MARGIN, WHITE } from './values'

/** How a code looks. Colors are `#rrggbb`. */
export interface QrStyle {
  foreground: string
  /** null for transparent. */
  background: string | null
  /** In modules. */
  margin: number
  level: Level
  logo: LogoChoice
}

/** What some readers fail on. */
export type QrWarning = 'contrast' | 'inverted' | 'margin'

/** WCAG's limit for anything but text. */
const CONTRAST = 3
/** A difference of luminance. Below it, ISO/IEC 15415 grades a symbol D. */
const DIFFERENCE = 0.4

/** The warnings about a style. A transparent background counts as white. */
export function warningsOf({
  foreground,
  background,
  margin,
}: Pick<QrStyle, 'foreground' | 'background' | 'margin'>): QrWarning[] {
  const ground = background ?? WHITE
  const difference = luminance(ground) - luminance(foreground)
  const isPale = contrast(foreground, ground) < CONTRAST || Math.abs(difference) < DIFFERENCE
  return [
    ...(isPale ? (['contrast'] as const) : []),
    ...(difference < 0 ? (['inverted'] as const) : []),
    ...(margin < MARGIN.wanted ? (['margin'] as const) : []),
  ]
}

/** The level that is used. A logo hides part of the code, which readers have to correct. */
export const levelOf = ({ level, logo }: Pick<QrStyle, 'level' | 'logo'>): Level =>
  logo === 'none' || level === 'H' ? level : 'Q'

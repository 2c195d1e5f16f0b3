import { useState } from 'react'
import type { QrStyle } from '@/lib/qr/style'
import { FORMATS, type Format, LEVELS, LOGOS, MARGIN, PIXELS, PRINT, WHITE } from '@/lib/qr/values'

/** How QR codes were last drawn in this browser: what the next begin with. */
export interface KeptStyle extends Omit<QrStyle, 'foreground'> {
  /** null: the color of the site, whatever it is. */
  foreground: string | null
  format: Format
  pixels: number
  mm: number
}

const KEY = 'terse:qr'

const FIRST: KeptStyle = {
  ...{ foreground: null, background: WHITE, margin: MARGIN.wanted, level: 'M', logo: 'none' },
  ...{ format: 'svg', pixels: PIXELS.usual, mm: PRINT.usual },
}

const colorOf = (value: unknown) => (typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value) ? value : null)
const wholeOf = (value: unknown, { least, most }: { least: number; most: number }) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? Number(value) : null

/** Whatever is found there is kept if it can be. */
export function readStyle(text: string | null): KeptStyle {
  let found: Partial<Record<keyof KeptStyle, unknown>> = {}
  try {
    found = (JSON.parse(text ?? '{}') ?? {}) as typeof found
  } catch {
    // As if there was none.
  }
  return {
    foreground: colorOf(found.foreground),
    background: found.background === null ? null : (colorOf(found.background) ?? WHITE),
    margin: wholeOf(found.margin, { least: 0, most: MARGIN.most }) ?? FIRST.margin,
    level: LEVELS.find((level) => level === found.level) ?? FIRST.level,
    logo: LOGOS.find((logo) => logo === found.logo) ?? FIRST.logo,
    format: FORMATS.find((format) => format === found.format) ?? FIRST.format,
    pixels: wholeOf(found.pixels, PIXELS) ?? FIRST.pixels,
    mm: wholeOf(found.mm, PRINT) ?? FIRST.mm,
  }
}

/** In what scripts put on the page alone. */
export function useKeptStyle(): [KeptStyle, (change: Partial<KeptStyle>) => void] {
  const [style, setStyle] = useState(() => readStyle(stored()))
  const change = (changes: Partial<KeptStyle>) => {
    const changed = { ...style, ...changes }
    setStyle(changed)
    try {
      localStorage.setItem(KEY, JSON.stringify(changed))
    } catch {
      // The browser refuses storage: it lasts as long as the dialog.
    }
  }
  return [style, change]
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

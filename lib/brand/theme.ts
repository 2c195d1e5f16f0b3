import { mix, standOut, textOn } from '@/lib/tools/color'

/**
 * The colors, as CSS: the app's pages and those that the lane renders share it. Every text color holds 4.5:1 on `--bg` and
 * `--surface`; `--accent` on `--accent-soft` too, and so do `--accent-fg` on `--accent` and `--brand-fg` on `--brand`.
 * `--line-strong`, the edge of a control, holds 3:1. `--brand` is the color of the mark and of main buttons: the
 * deployment's own, even where it is too pale for text. `--qr` is read against white in both schemes.
 */

interface Accent {
  accent: string
  accentHover: string
  accentFg: string
  accentSoft: string
  brand: string
  brandHover: string
  brandFg: string
}

export interface Accents {
  light: Accent
  dark: Accent
  qr: string
}

const LIGHT_GROUNDS = ['#f8f8f6', '#ffffff']
const DARK_GROUNDS = ['#111316', '#191c20', '#1f2328']
/** A main button need not hold 3:1 since its words do, but it must be seen. */
const SEEN = { light: 1.3, dark: 2 }
const READ = 4.5

const TERSE: Accents = {
  light: accentOf({ accent: '#1a4fd0', accentHover: '#153fa8', accentFg: '#ffffff', accentSoft: '#e9effc' }),
  dark: accentOf({ accent: '#8cb0ff', accentHover: '#a9c4ff', accentFg: '#0c1a3a', accentSoft: '#1c2840' }),
  qr: '#000000',
}

function accentOf(given: Omit<Accent, 'brand' | 'brandHover' | 'brandFg'>): Accent {
  return { ...given, brand: given.accent, brandHover: given.accentHover, brandFg: given.accentFg }
}

/** @param color the deployment's own, `#rrggbb`; undefined for Terse's */
export function accentsOf(color: string | undefined): Accents {
  if (color === undefined) return TERSE
  // In the dark, of a dark color nothing would be left.
  const soft = { light: mix(color, '#ffffff', 0.88), dark: mix(standOut(color, DARK_GROUNDS, READ, '#ffffff'), '#191c20', 0.87) }
  const light = standOut(color, [...LIGHT_GROUNDS, soft.light], READ, '#000000')
  const dark = standOut(color, [...DARK_GROUNDS, soft.dark], READ, '#ffffff')
  return {
    light: {
      ...{ accent: light, accentHover: mix(light, '#000000', 0.2), accentFg: '#ffffff', accentSoft: soft.light },
      ...brandOf(standOut(color, LIGHT_GROUNDS, SEEN.light, '#000000')),
    },
    dark: {
      ...{ accent: dark, accentHover: mix(dark, '#ffffff', 0.25), accentFg: '#111316', accentSoft: soft.dark },
      ...brandOf(standOut(color, DARK_GROUNDS, SEEN.dark, '#ffffff')),
    },
    qr: light,
  }
}

function brandOf(brand: string): Pick<Accent, 'brand' | 'brandHover' | 'brandFg'> {
  const brandFg = textOn(brand)
  // Away from its text, so that it reads no worse.
  return { brand, brandFg, brandHover: mix(brand, brandFg === '#ffffff' ? '#000000' : '#ffffff', 0.18) }
}

const accentCss = (accent: Accent) =>
  `--accent:${accent.accent};--accent-hover:${accent.accentHover};--accent-fg:${accent.accentFg};--accent-soft:${accent.accentSoft};
--brand:${accent.brand};--brand-hover:${accent.brandHover};--brand-fg:${accent.brandFg};`

const lightCss = ({ light }: Accents) =>
  `--bg:#f8f8f6;--surface:#ffffff;--raised:#ffffff;--fg:#1a1c1f;--muted:#5c6068;--line:#e3e3df;--line-strong:#868a92;
${accentCss(light)}
--danger:#b3261e;--danger-soft:#fcecea;--ok:#17693a;--ok-soft:#e6f4ea;--warn:#7d5200;--warn-soft:#fbf1dc;`

const darkCss = ({ dark }: Accents) =>
  `--bg:#111316;--surface:#191c20;--raised:#1f2328;--fg:#eceef1;--muted:#a2a8b2;--line:#2b2f36;--line-strong:#767c87;
${accentCss(dark)}
--danger:#ff9b91;--danger-soft:#3a1d1b;--ok:#7fd6a0;--ok-soft:#16301f;--warn:#ecc06a;--warn-soft:#33280f;`

/** In the scheme of the reader's system. */
export const themeCss = (accents: Accents) => `:root{
color-scheme:light dark;
${lightCss(accents)}
--qr:${accents.qr};--radius:10px;--font:var(--font-sans-latin-ext,"Geist"),var(--font-sans-latin,"Geist"),system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
--mono:ui-monospace,"SF Mono",Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){:root{${darkCss(accents)}}}`

/** In the scheme that `data-scheme` names, whatever that of the system is: after `themeCss`. */
export const schemesCss = (accents: Accents) =>
  `:root[data-scheme=light]{color-scheme:light;${lightCss(accents)}}:root[data-scheme=dark]{color-scheme:dark;${darkCss(accents)}}`

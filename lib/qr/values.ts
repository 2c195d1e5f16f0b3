/** Choices and limits of QR codes, for the browser too. */

/** How much of a code can be hidden or dirty: 7, 15, 25 and 30 % (ISO/IEC 18004). */
export const LEVELS = ['L', 'M', 'Q', 'H'] as const
export type Level = (typeof LEVELS)[number]

export const FORMATS = ['svg', 'png', 'pdf'] as const
export type Format = (typeof FORMATS)[number]

/** None, the deployment’s, or the one that the account uploaded. */
export const LOGOS = ['none', 'site', 'own'] as const
export type LogoChoice = (typeof LOGOS)[number]

/** How a request names no background. */
export const TRANSPARENT = 'transparent'
export const WHITE = '#ffffff'

/** Light modules around a code. Readers expect four. */
export const MARGIN = { most: 16, wanted: 4 } as const
/** Sides of a PNG in pixels. */
export const PIXELS = { least: 64, most: 4_096, usual: 1_024 } as const
/** Sides of a printed code in millimetres. */
export const PRINT = { least: 10, most: 1_000, usual: 40 } as const

/** Limits for an uploaded logo, and for the PNG that is kept. */
export const LOGO = {
  types: ['image/png', 'image/jpeg', 'image/webp'],
  kilobytes: 512,
  /** The longest side that is read, in pixels. A longer one is refused by its header. */
  most: 4_096,
  /** The longer side of what is kept. */
  side: 256,
} as const

/** Paper in millimetres, width first. */
export const PAPERS = { a4: [210, 297], letter: [215.9, 279.4] } as const
export type Paper = keyof typeof PAPERS
export const PAPER_NAMES = ['a4', 'letter'] as const satisfies readonly Paper[]

/** What stands under each code of a sheet. */
export const CAPTIONS = ['url', 'code', 'none'] as const
export type Caption = (typeof CAPTIONS)[number]

export const SHEET = { codes: 1_000, rows: 20, columns: 12 } as const

import { z } from 'zod'
import { issue } from '@/lib/tools/issues'
import { type SheetShape, tooMany } from './sheet'
import { CAPTIONS, FORMATS, LEVELS, LOGOS, MARGIN, PAPER_NAMES, PIXELS, PRINT, SHEET, TRANSPARENT, WHITE } from './values'

/** The contract of QR codes: one schema validates, types and documents. */

const COLOR = /^#?[0-9a-f]{6}$/i
const named = (color: string) => `#${color.replace('#', '').toLowerCase()}`
const color = () => z.string().regex(COLOR, issue('forms.qr.color')).transform(named)
const colorMeta = { type: 'string', pattern: '^#?[0-9A-Fa-f]{6}$' } as const

/** @param margin numbers in a query are texts */
const styleFields = <M extends z.ZodType<number>>(margin: M) => ({
  foreground: color()
    .optional()
    .meta({ ...colorMeta, description: 'The color of the code. Defaults to that of this site.', example: '1a2b3c' }),
  background: z
    .string()
    .refine((text) => text === TRANSPARENT || COLOR.test(text), issue('forms.qr.background'))
    .transform((text) => (text === TRANSPARENT ? null : named(text)))
    .prefault(WHITE)
    .meta({ type: 'string', description: 'The color behind it, or `transparent`.', example: 'ffffff' }),
  margin: margin.meta({
    type: 'integer',
    minimum: 0,
    maximum: MARGIN.most,
    default: MARGIN.wanted,
    description: 'Light modules around the code. With fewer than 4, some readers fail.',
  }),
  level: z.enum(LEVELS).default('M').meta({
    description: 'How much of the code can be hidden or dirty: L 7 %, M 15 %, Q 25 %, H 30 %. A logo takes at least Q.',
  }),
  logo: z.enum(LOGOS).default('none').meta({ description: 'In the middle: none, that of this site, or the one you uploaded.' }),
})

const wholeText = ({ least, most }: { least: number; most: number }) => z.coerce.number().int().min(least).max(most)

export const QrQuery = z.object({
  format: z.enum(FORMATS).default('svg'),
  size: wholeText(PIXELS).default(PIXELS.usual).meta({ type: 'integer', description: 'Each side of a PNG, in pixels.' }),
  mm: wholeText(PRINT)
    .optional()
    .meta({
      type: 'integer',
      description: `Each side of a PDF or SVG, in millimeters. A PDF without it has ${PRINT.usual}; an SVG is as large as its place.`,
    }),
  ...styleFields(wholeText({ least: 0, most: MARGIN.most }).default(MARGIN.wanted)),
})

/** How a sheet looks, and no codes yet. */
export const sheetFields = {
  paper: z.enum(PAPER_NAMES).default('a4'),
  rows: z.int().min(1).max(SHEET.rows).default(7).meta({ description: 'Rows on each page.' }),
  columns: z.int().min(1).max(SHEET.columns).default(5).meta({ description: 'Columns on each page.' }),
  caption: z.enum(CAPTIONS).default('url').meta({
    description: 'What stands under each code: the short link without `https://`, its back-half, or nothing.',
  }),
  cutMarks: z.boolean().default(false).meta({ description: 'Small crosses to cut along.' }),
  ...styleFields(z.int().min(0).max(MARGIN.most).default(MARGIN.wanted)),
}

/** Refuses what readers could not read. */
export function refineLayout(layout: SheetShape, context: z.core.$RefinementCtx<unknown>): void {
  const path = tooMany(layout)
  if (path === null) return
  const message = issue('forms.qr.tooSmall', { least: PRINT.least })
  context.issues.push({ code: 'custom', path: [path], input: layout, message })
}

export const LogoView = z
  .object({ version: z.string().meta({ description: 'Changes with the picture.' }) })
  .meta({ id: 'QrLogo', description: 'The logo for your QR codes.' })

export type QrQuery = z.output<typeof QrQuery>
/** A style as it is asked for. */
export type QrStyleInput = Pick<QrQuery, 'foreground' | 'background' | 'margin' | 'level' | 'logo'>

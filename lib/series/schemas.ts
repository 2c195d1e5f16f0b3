import { z } from 'zod'
import { CreateLink } from '@/lib/links/schemas'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { isoTime } from '@/lib/tools/schema'
import {
  CHECKS,
  DAILY_KINDS,
  DATE_PATTERNS,
  isWholeDay,
  MAX_BITMAP,
  MAX_CYCLE,
  MAX_DRAW,
  MAX_KEEP_DAYS,
  MAX_NUMBER,
  REST,
  SERIES_KINDS,
  SHUFFLED_DIGITS,
} from './values'

/** Stands for the number in a template. */
export const PLACE = '{number}'

/** The contract of a series: one schema validates, types, documents and is what is stored. */

export const SeriesName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, issue('forms.series.name'))
  .meta({ description: 'Lowercase letters, digits and hyphens, up to 40. Yours alone.', example: 'tickets-2027' })

const Format = z
  .strictObject({
    prefix: z
      .string()
      .max(20)
      .regex(/^[A-Za-z0-9_-]*$/, issue('forms.series.prefix'))
      .default('')
      .meta({ description: 'What each number begins with: letters, digits, `_` and `-`.', example: 'T-' }),
    date: z.enum(DATE_PATTERNS).default('none').meta({ description: 'The day in UTC, written after the prefix.' }),
    digits: z.int().min(1).max(12).default(5).meta({
      description:
        'The number has at least this many digits; zeros are put before it. For `shuffled`, from 5 to 7, and more on busy days.',
    }),
    check: z.enum(CHECKS).default('none').meta({
      description:
        'Check digits at the end, over all digits before them: one by Luhn, one by ISO 7064 MOD 11-10, or two by ISO 7064 MOD 97-10.',
    }),
  })
  .meta({ id: 'SeriesFormat', description: 'How a number is written: prefix, day, number, check digits.' })

const format = Format.prefault({})
const whole = () => z.int().min(0).max(MAX_NUMBER)

const cycle = {
  kind: z.literal('cycle'),
  start: whole().default(1).meta({ description: 'The first number.' }),
  max: whole().meta({ description: 'The last number.', example: 500 }),
  step: z
    .int()
    .min(1, issue('forms.series.step'))
    .max(MAX_NUMBER)
    .default(1)
    .meta({ description: 'From one number to the next.' }),
  rest: z
    .int()
    .min(REST.least)
    .max(REST.most)
    .nullable()
    .default(null)
    .meta({ description: 'How many seconds a number rests before it can come again. If null, no number ever comes again.' }),
  format,
}

const counter = {
  kind: z.literal('counter'),
  first: whole().default(1).meta({ description: 'The first number of each day.' }),
  step: z
    .int()
    .min(1, issue('forms.series.step'))
    .max(1_000_000)
    .default(1)
    .meta({ description: 'From one number to the next.' }),
  keepDays: z
    .int()
    .min(1)
    .max(MAX_KEEP_DAYS)
    .default(30)
    .meta({ description: 'For how many days Terse remembers the numbers of a day.' }),
  format,
}

const shuffled = { kind: z.literal('shuffled'), keepDays: counter.keepDays, format }

const bitmap = {
  kind: z.literal('bitmap'),
  size: z
    .int()
    .min(1)
    .max(MAX_BITMAP)
    .meta({ description: 'How many numbers there are: from 0 to one less.', example: 1_000_000 }),
  format,
}

const bodies = [z.strictObject(cycle), z.strictObject(counter), z.strictObject(shuffled), z.strictObject(bitmap)] as const

/** What a series is, without its name: what is stored. */
export const Definition = z.discriminatedUnion('kind', bodies)
export type Definition = z.output<typeof Definition>

const named = { name: SeriesName }

export const CreateSeries = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...named, ...cycle }),
    z.strictObject({ ...named, ...counter }),
    z.strictObject({ ...named, ...shuffled }),
    z.strictObject({ ...named, ...bitmap }),
  ])
  .superRefine((series, context) => {
    const add = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message, input: series })
    if (series.kind === 'cycle') refineCycle(series, add)
    if (series.kind === 'shuffled') {
      const { least, most } = SHUFFLED_DIGITS
      const { digits } = series.format
      if (digits < least || digits > most) add(['format', 'digits'], issue('forms.series.shuffledDigits', { least, most }))
    }
    if (DAILY_KINDS.includes(series.kind) && !isWholeDay(series.format.date)) {
      add(['format', 'date'], issue('forms.series.dateNeeded'))
    }
  })
  .meta({ id: 'CreateSeries', description: 'The series to create. It can’t be edited afterwards.' })

function refineCycle(
  { start, max, step }: { start: number; max: number; step: number },
  add: (path: string[], message: string) => void,
): void {
  if (step < 1) return
  const rest = (max - start) % step
  if (max < start) add(['max'], issue('forms.series.empty', { start }))
  else if (rest !== 0) add(['step'], issue('forms.series.neverReaches', { step, start, max, last: max - rest }))
  else if ((max - start) / step >= MAX_CYCLE) add(['max'], issue('forms.series.tooMany', { most: MAX_CYCLE }))
}

export const SeriesView = z
  .object({
    name: z.string().meta({ example: 'tickets-2027' }),
    kind: z.enum(SERIES_KINDS),
    start: z.int().optional(),
    max: z.int().optional(),
    first: z.int().optional(),
    step: z.int().optional(),
    rest: z.int().nullable().optional(),
    keepDays: z.int().optional(),
    size: z.int().optional(),
    format: Format,
    createdAt: isoTime(),
  })
  .meta({ id: 'Series', description: 'A series of numbers. Which fields it has besides follows from its kind.' })

export const SeriesList = z.object({ series: z.array(SeriesView) })

const outlook = {
  left: z.int().nonnegative().nullable().meta({
    description: 'How many numbers can still be drawn. Null if there’s no end, or while it isn’t known because Redis is away.',
  }),
  untilRestart: z.int().nonnegative().nullable().meta({
    description: 'After how many more numbers a cycle begins again at its start. Null if it never does.',
  }),
  warning: z.string().nullable().meta({ description: 'Says that the series is nearly used up, or about to begin again.' }),
}

export const SeriesPreview = z
  .object({ numbers: z.array(z.string()).meta({ description: 'Up to ten. Nothing is drawn.' }), ...outlook })
  .meta({ id: 'SeriesPreview' })

const count = z.int().min(1).max(MAX_DRAW)

export const DrawInput = z
  .strictObject({ count: count.default(1).meta({ description: 'How many numbers to draw. All of them, or none.' }) })
  .meta({ id: 'DrawNumbers' })

export const DrawnNumbers = z
  .object({
    numbers: z.array(z.string()).meta({ description: 'In the order in which they were drawn.', example: ['T-00042'] }),
    restarted: z.boolean().meta({ description: 'Whether the cycle began again at its start among these numbers.' }),
    ...outlook,
  })
  .meta({ id: 'DrawnNumbers' })

const { url: _url, code: _code, title: _title, password: _password, reuse: _reuse, ...others } = CreateLink.shape

export const SeriesLinks = z
  .strictObject({
    count: count.meta({ description: 'How many links to create.' }),
    url: z
      .string()
      .max(8_000)
      .refine((url) => url.includes(PLACE), issue('forms.series.place'))
      .meta({
        description: 'The destination. `{number}` stands for the number of each link.',
        example: 'https://example.com/seat/{number}',
      }),
    title: line(200).default('').meta({ description: 'A title; `{number}` stands for the number here too.' }),
    ...others,
  })
  .meta({
    id: 'SeriesLinks',
    description: 'Links whose back-halves are the next numbers of the series, all with the same fields.',
  })

export type CreateSeriesData = z.output<typeof CreateSeries>
export type SeriesView = z.infer<typeof SeriesView>
export type SeriesPreview = z.infer<typeof SeriesPreview>
export type DrawnNumbers = z.infer<typeof DrawnNumbers>
export type SeriesLinks = z.output<typeof SeriesLinks>

import { z } from 'zod'
import { CLICK_KINDS, DIMENSIONS, type Dimension } from '@/lib/clicks/dimensions'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { givenTime } from '@/lib/tools/schema'

/** The contract of statistics. Free of anything of the server's, so that the page uses the same types. */

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** What a range is compared with by itself. */
export const COMPARISONS = ['previous', 'year', 'none'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** What clicks are broken down and filtered by: what is stored of each, and the source that its referrer belongs to. */
export const FACETS = ['source', ...DIMENSIONS] as const
export type Facet = (typeof FACETS)[number]

const time = (description: string) => givenTime().optional().meta({ type: 'string', format: 'date-time', description })

const [EARLIEST, LATEST] = [new Date(0), new Date(Date.UTC(2200, 0, 1))]

const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

const FILTER_HINTS: Partial<Record<Facet, string>> = {
  source: 'Only clicks from this source: a name such as `Facebook`, which stands for all of its hosts, or a host.',
  referrer: 'Only clicks from this host.',
}

/** `<facet>=<value>`; an empty value is what is not known, or was not given. */
const filters = Object.fromEntries(
  FACETS.map((facet) => [
    facet,
    z
      .string()
      .max(255)
      .optional()
      .meta({ description: FILTER_HINTS[facet] ?? `Only clicks with this ${facet}.` }),
  ]),
) as Record<Facet, z.ZodOptional<z.ZodString>>

const kind = z.enum(CLICK_KINDS).optional()

const range = {
  domain: z.string().max(253).optional().meta({ description: 'Host of the short URL; the default domain if left out.' }),
  from: time('Clicks from then on; the first click if left out.'),
  to: time('Clicks before then; now if left out.'),
}

export const StatsQuery = z.strictObject({
  ...range,
  interval: z
    .enum(INTERVALS)
    .optional()
    .meta({ description: 'Width of the series; fits the range if left out. `minute` for at most 6 hours.' }),
  timezone: z
    .string()
    .max(64)
    .refine(isTimeZone, issue('forms.timeZone'))
    .default('UTC')
    .meta({ description: 'IANA time zone in which days, weeks (from Monday) and months begin.', example: 'Europe/Berlin' }),
  compare: z.enum(COMPARISONS).default('previous').meta({
    description: 'What `previous` holds: the period of equal length before, the same period a year earlier, or nothing.',
  }),
  compareFrom: time('Start of a period of your own for `previous`, with `compareTo`. Goes before `compare`.'),
  compareTo: time('End of that period.'),
  limit: z.coerce.number().int().min(1).max(1000).default(10).meta({ description: 'Values in each breakdown.', type: 'integer' }),
  kind: kind.meta({
    description:
      'Only clicks of this kind: `person`, `bot` or `preview`. Left out, the totals and the series count all of them, and breakdowns people.',
  }),
  ...filters,
})

export const ClicksQuery = z.strictObject({
  ...range,
  limit: z.coerce.number().int().min(1).max(1000).default(100).meta({ description: 'Clicks on a page.', type: 'integer' }),
  cursor: z.string().max(64).optional().meta({ description: '`nextCursor` of the page before.' }),
  kind: kind.meta({ description: 'Only clicks of this kind.' }),
  ...filters,
})

/** As ClicksQuery, for an export: it has no pages. */
export const ClicksExportQuery = ClicksQuery.omit({ limit: true, cursor: true })

export type StatsInput = z.output<typeof StatsQuery>
export type ClicksInput = z.output<typeof ClicksQuery>
export type Filters = Partial<Record<Facet, string>>

const count = z.int().nonnegative()

export const Totals = z
  .object({
    clicks: count.meta({
      description: 'Clicks of the `kind` asked for; without one all redirects answered, those to bots and previews included.',
    }),
    visitors: count.meta({ description: 'People, each counted once a day (UTC).' }),
    bots: count.meta({ description: 'Clicks of crawlers and other programs.' }),
    previews: count.meta({ description: 'Clicks of messengers and networks that show a preview of a link.' }),
  })
  .meta({
    id: 'Totals',
    description:
      '`bots` and `previews` are those of the range, whatever `kind` is. Under a filter one kind is counted, people by itself, and the others are 0.',
  })

const Point = z.object({
  at: z.iso.datetime().meta({ description: 'Where the interval begins, in UTC.' }),
  clicks: count,
  visitors: count,
})

const Share = z.object({
  value: z.string().meta({ description: 'Empty: not known, or not given (for a referrer: a direct visit).' }),
  clicks: count.meta({ description: 'Clicks of people, or of the `kind` asked for.' }),
  visitors: count,
})

const Others = z.object({ clicks: count, visitors: count })

export const Stats = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    interval: z.enum(INTERVALS),
    timezone: z.string(),
    totals: Totals,
    series: z.array(Point).meta({ description: 'Every interval of the range in order, those without clicks included.' }),
    previous: z
      .object({ from: z.iso.datetime(), to: z.iso.datetime(), totals: Totals, series: z.array(Point) })
      .nullable()
      .meta({
        description:
          'The period that `compare` asks for. Null when it lies before the first click, when the range has no `from` and so no period before it, or when what counts here does not reach back so far (see rawSince).',
      }),
    breakdown: z
      .object(Object.fromEntries(FACETS.map((facet) => [facet, z.array(Share)])) as Record<Facet, z.ZodArray<typeof Share>>)
      .meta({
        description:
          'For each dimension its most frequent values, of people or of the `kind` asked for. `source` has the same clicks as `referrer`, with the hosts of one network or search engine under its name.',
      }),
    others: z
      .object(
        Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, Others.optional()])) as Record<
          Dimension,
          z.ZodOptional<typeof Others>
        >,
      )
      .meta({
        description:
          'For each dimension the clicks of values that have no count of their own: in each hour the first 50 do, and the first 250 countries and cities. A dimension without such clicks is left out.',
      }),
    hourOfWeek: z
      .array(z.array(count).length(24))
      .length(7)
      .meta({ description: 'Clicks by weekday (from Monday) and hour, in the time zone.' }),
    rawSince: z.iso.datetime().nullable().meta({
      description:
        'Set when something was counted from single clicks (breakdowns under a filter or of bots and previews, everything with more than one filter or by minutes) that do not reach back to `from`, since older ones are deleted or too many: since when they were counted.',
    }),
  })
  .meta({ id: 'Stats', description: 'Clicks of one link, counted.' })

export const Note = z
  .object({ id: z.string(), at: z.iso.datetime().meta({ description: 'When it happened.' }), text: z.string() })
  .meta({ id: 'Note', description: 'What happened to a link, to be read beside its clicks.' })

export const CreateNote = z.strictObject({
  text: line(140).min(1, issue('forms.note')).meta({ description: 'Such as “Newsletter sent”.' }),
  at: time('When it happened; now if left out.').refine((at) => !at || (at >= EARLIEST && at < LATEST), issue('forms.noteTime')),
})

export const Notes = z.object({ notes: z.array(Note).meta({ description: 'The earliest first.' }) })

export const ClickView = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    kind: z.enum(CLICK_KINDS),
    country: z.string(),
    city: z.string(),
    browser: z.string(),
    os: z.string(),
    device: z.string(),
    language: z.string(),
    referrer: z.string(),
    referrerUrl: z.string(),
    userAgent: z.string(),
    utm: z.object({ source: z.string(), medium: z.string(), campaign: z.string(), term: z.string(), content: z.string() }),
  })
  .meta({ id: 'Click', description: 'One click. Empty text: not known, or not given.' })

export const ClickPage = z
  .object({
    clicks: z.array(ClickView).meta({ description: 'Newest first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'ClickPage' })

export type Note = z.infer<typeof Note>
export type CreateNote = z.output<typeof CreateNote>
export type Totals = z.infer<typeof Totals>
export type Point = z.infer<typeof Point>
export type Share = z.infer<typeof Share>
export type Stats = z.infer<typeof Stats>
export type ClickView = z.infer<typeof ClickView>
export type ClickPage = z.infer<typeof ClickPage>
export type Breakdown = Stats['breakdown']
/** As the database has it: sources are made of referrers. */
export type StoredBreakdown = Omit<Breakdown, 'source'>
export type Others = Stats['others']

import { z } from 'zod'
import { CLICK_KINDS, DIMENSIONS, type Dimension } from '@/lib/clicks/dimensions'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { givenTime } from '@/lib/tools/schema'
import { Conversions } from './conversion-schemas'
import { COMPARISONS, FACETS, type Facet, INTERVALS } from './values'

/** The contract of statistics. The page takes its types, and never the schemas with their zod. */

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
  source: 'Only clicks from this source: a name such as `Facebook`, which covers all of its hosts, or a single host.',
  referrer: 'Only clicks with this host as the referrer.',
  destination: 'Only clicks that led to this destination, as `breakdown` has it.',
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
  domain: z.string().max(253).optional().meta({ description: 'The domain of the short link. Defaults to the default domain.' }),
  from: time('Only clicks at or after this time. Defaults to the first click.'),
  to: time('Only clicks before this time. Defaults to now.'),
}

export const StatsQuery = z.strictObject({
  ...range,
  interval: z.enum(INTERVALS).optional().meta({
    description:
      'The interval of the time series. Defaults to one that fits the range. `minute` works for ranges of up to 6 hours.',
  }),
  timezone: z
    .string()
    .max(64)
    .refine(isTimeZone, issue('forms.timeZone'))
    .default('UTC')
    .meta({ description: 'The IANA time zone in which days, weeks (from Monday), and months begin.', example: 'Europe/Berlin' }),
  compare: z.enum(COMPARISONS).default('previous').meta({
    description:
      'The period to compare with, returned in `previous`: the preceding period of equal length, the same period a year earlier, or none.',
  }),
  compareFrom: time('The start of a custom period to compare with. Requires `compareTo`, and overrides `compare`.'),
  compareTo: time('The end of the custom period. Requires `compareFrom`.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .meta({ description: 'The maximum number of values in each breakdown.', type: 'integer' }),
  kind: kind.meta({
    description:
      'Only clicks of this kind: `person`, `bot`, or `preview`. If you leave it out, totals and the series count every kind, and breakdowns count people only.',
  }),
  ...filters,
})

export const ClicksQuery = z.strictObject({
  ...range,
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .meta({ description: 'The maximum number of clicks per page.', type: 'integer' }),
  cursor: z.string().max(64).optional().meta({ description: 'The `nextCursor` of the previous page.' }),
  kind: kind.meta({ description: 'Only clicks of this kind.' }),
  ...filters,
})

/** As ClicksQuery, for an export: it has no pages. */
export const ClicksExportQuery = ClicksQuery.omit({ limit: true, cursor: true })

export type StatsInput = z.output<typeof StatsQuery>
export type ClicksInput = z.output<typeof ClicksQuery>

const count = z.int().nonnegative()

export const Totals = z
  .object({
    clicks: count.meta({
      description: 'Clicks of the given `kind`. Without `kind`, all redirects, including those of bots and previews.',
    }),
    visitors: count.meta({ description: 'Visitors. Each person counts once a day (UTC).' }),
    bots: count.meta({ description: 'Clicks by bots: programs that open links.' }),
    previews: count.meta({
      description: 'Clicks by apps that show a preview of a link, such as messengers and social networks.',
    }),
  })
  .meta({
    id: 'Totals',
    description:
      '`bots` and `previews` cover the whole range, whatever `kind` is. With a filter, only one kind is counted, people by default, and the others are 0.',
  })

const Point = z.object({
  at: z.iso.datetime().meta({ description: 'The start of the interval, in UTC.' }),
  clicks: count,
  visitors: count,
})

const Share = z.object({
  value: z
    .string()
    .meta({ description: 'The value. Empty if it’s unknown or wasn’t sent. For a referrer, empty means a direct click.' }),
  clicks: count.meta({ description: 'Human clicks, or clicks of the given `kind`.' }),
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
    series: z.array(Point).meta({ description: 'Every interval of the range in order, including those without clicks.' }),
    previous: z
      .object({ from: z.iso.datetime(), to: z.iso.datetime(), totals: Totals, series: z.array(Point) })
      .nullable()
      .meta({
        description:
          'The period to compare with. Null if it lies before the first click, if you left out `from` and so there’s no earlier period, or if the clicks needed don’t reach back that far (see `rawSince`).',
      }),
    breakdown: z
      .object(Object.fromEntries(FACETS.map((facet) => [facet, z.array(Share)])) as Record<Facet, z.ZodArray<typeof Share>>)
      .meta({
        description:
          'The most frequent values of each dimension, for human clicks or the given `kind`. `source` counts the same clicks as `referrer`, but groups the hosts of a network or search engine under its name. `destination` has clicks from when the link had rules or a split: its values are URLs, without a query that was passed on, and cut after 238 characters if they have more than 255.',
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
          'For each dimension, the clicks of values that aren’t counted separately. Every hour, the first 50 values of a dimension are, or the first 250 for countries, cities, and destinations. Dimensions without such clicks are left out.',
      }),
    hourOfWeek: z
      .array(z.array(count).length(24))
      .length(7)
      .meta({ description: 'Clicks by weekday (from Monday) and hour, in `timezone`.' }),
    conversions: Conversions.nullable().meta({
      description:
        'What was reported of these clicks by `POST /api/v1/conversions`. Null with a filter other than one for a destination, and for bots and previews.',
    }),
    rawSince: z.iso.datetime().nullable().meta({
      description:
        'The time from which single clicks were counted, if they don’t reach back to `from` because older ones were deleted or there are too many. Otherwise null. Single clicks are counted for breakdowns with a filter or of bots and previews, and for everything with several filters, a filter for bots or previews or for an empty UTM value, or `interval=minute`.',
    }),
  })
  .meta({ id: 'Stats', description: 'The statistics of a link.' })

export const Note = z
  .object({ id: z.string(), at: z.iso.datetime().meta({ description: 'When it happened, in UTC.' }), text: z.string() })
  .meta({ id: 'Note', description: 'Something that happened, marked on a link’s chart.' })

export const CreateNote = z.strictObject({
  text: line(140).min(1, issue('forms.note')).meta({ description: 'The text of the note, such as “Newsletter sent”.' }),
  at: time('When it happened. Defaults to now.').refine((at) => !at || (at >= EARLIEST && at < LATEST), issue('forms.noteTime')),
})

export const Notes = z.object({ notes: z.array(Note).meta({ description: 'The notes, earliest first.' }) })

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
    destination: z.string().meta({ description: 'Where the click led, if the link had rules or a split.' }),
  })
  .meta({ id: 'Click', description: 'A click. Fields are empty if the value is unknown or wasn’t sent.' })

export const ClickPage = z
  .object({
    clicks: z.array(ClickView).meta({ description: 'The clicks, newest first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'ClickPage' })

const led = z.array(z.object({ url: z.string(), clicks: count }))

export const Rehearsal = z
  .object({
    clicks: count.meta({ description: 'The clicks that were looked at: the latest 10,000, as far as they’re kept.' }),
    rules: led.meta({ description: 'For each rule, the clicks it would have decided.' }),
    others: led.meta({ description: 'Where all others would have gone. With a split, by its shares.' }),
    unknown: count.meta({ description: 'Clicks for which a rule asks for an IP address or a parameter that isn’t kept.' }),
  })
  .meta({ id: 'Rehearsal' })

export type Rehearsal = z.infer<typeof Rehearsal>
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

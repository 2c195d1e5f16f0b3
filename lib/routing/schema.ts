import { z } from 'zod'
import { isRange } from '@/lib/net/ranges'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { isZone } from './local-time'
import { PATH_MODES } from './path'
import { QUERY_MODES } from './query'
import { endOf } from './split'
import { FEWEST_VISITORS } from './split-winner'
import { CLICK_ID_PARAMETER, DEVICES, FEWEST_VARIANTS, MOST_ROUTING_TEXT, MOST_VARIANTS } from './values'

/** A link’s routing, as the API takes and shows it, and as it is stored. */

export const MOST_RULES = 50
const MOST_CONDITIONS = 10
/** Limits for all rules together, since a visitor can be asked about every one of them. */
const MOST_CONDITIONS_IN_ALL = 100
const MOST_VALUES_IN_ALL = 2_000
/** These take longest to make ready for visitors. */
const MOST_ADDRESSES_IN_ALL = 300
/** MySQL has no later times. */
const MAX_TIME = Date.UTC(9999, 0, 1)
/** There are about 250 countries. */
const MOST_VALUES = 300

const values = (one: z.ZodType<string>) => z.array(one).min(1).max(MOST_VALUES)
const word = (most: number) => line(most).min(1)
const not = z.boolean().optional().meta({ description: 'Whether the condition holds for everyone else instead.' })

const listed = <Name extends string>(of: Name, one: z.ZodType<string>) =>
  z.strictObject({ of: z.literal(of), in: values(one), not })

const address = z.string().max(50).refine(isRange, issue('forms.routing.address'))

/** A host, written as in statistics. */
const site = z
  .string()
  .trim()
  .toLowerCase()
  .max(255)
  .regex(/^[^\s/:@?#]+$/, issue('forms.routing.site'))

const zone = z.string().refine(isZone, issue('forms.routing.zone'))

const moment = z.iso.datetime({ offset: true }).optional()
const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, issue('forms.routing.time'))
  .optional()

const Condition = z.discriminatedUnion('of', [
  listed('device', z.enum(DEVICES)),
  listed('os', word(40)),
  listed('browser', word(40)),
  listed('language', z.string().regex(/^[a-z]{2,3}$/, issue('forms.routing.language'))),
  listed('country', z.string().regex(/^[A-Z]{2}$/, issue('forms.routing.country'))),
  listed('city', word(100)),
  listed('referrer', site),
  listed('address', address),
  z.strictObject({
    of: z.literal('query'),
    name: word(100),
    in: z.array(line(500)).min(1).max(MOST_VALUES).optional(),
    not,
  }),
  z.strictObject({ of: z.literal('date'), from: moment, to: moment }),
  z.strictObject({
    of: z.literal('time'),
    zone,
    days: z.array(z.int().min(1).max(7)).max(7).optional(),
    from: timeOfDay,
    to: timeOfDay,
  }),
])

/** What the API shows. @param destination the schema of a destination */
export function routingShape(destination: z.ZodType<string>) {
  const Rule = z.strictObject({ when: z.array(Condition).min(1).max(MOST_CONDITIONS), url: destination })
  const Variant = z.strictObject({
    url: destination,
    weight: z.int().min(1).max(99).meta({ description: 'The percentage of visitors. All weights add up to 100.' }),
  })
  const Split = z.strictObject({
    variants: z.array(Variant).min(FEWEST_VARIANTS).max(MOST_VARIANTS),
    endsAt: moment.meta({
      description: `When the split ends. Within a minute after that, the destination with the most clicks per visitor becomes the \`winner\`. Clicks count from the first day on which every destination had some, and a destination needs ${FEWEST_VISITORS} visitors. If none has as many, the first one wins. If conversions were reported, conversions per visitor decide instead. If you leave it out, the split never ends.`,
    }),
    winner: destination.optional().meta({
      description:
        'The destination that everyone gets, one of `variants`. Set when the split ends, and by you if you want to end it now. If you leave it out, visitors are split.',
    }),
  })
  return z.strictObject({
    rules: z
      .array(Rule)
      .min(1)
      .max(MOST_RULES)
      .optional()
      .meta({
        description: `Rules, in order. The first one whose conditions all hold decides. All rules together can have ${MOST_CONDITIONS_IN_ALL} conditions with ${MOST_VALUES_IN_ALL} values, of which ${MOST_ADDRESSES_IN_ALL} can be addresses and ranges.`,
      }),
    split: Split.optional().meta({
      description:
        'Destinations that visitors are split between if no rule holds. For a day, a visitor always gets the same one.',
    }),
    query: z.enum(QUERY_MODES).optional().meta({
      description:
        'Whether parameters of the short link’s query are added to the destination. If the destination has one of the same name, `forward` keeps it, and `override` replaces it.',
    }),
    clickId: z
      .strictObject({
        parameter: z
          .string()
          .regex(/^[A-Za-z0-9_.~-]{1,40}$/, issue('forms.routing.parameter'))
          .default(CLICK_ID_PARAMETER)
          .meta({ description: 'The name of the parameter.' }),
      })
      .optional()
      .meta({
        description:
          'Adds an ID of the click to the query of each destination, so that you can report what came of it by `POST /api/v1/conversions`. Clicks that aren’t counted, and those of bots and previews, get none.',
      }),
    path: z.enum(PATH_MODES).optional().meta({
      description:
        'Whether the link is for all paths below its code too, as `docs/*` would be: `append` adds what stands behind the code to the destination’s path, `ignore` leaves it out. A link whose code is the whole path comes first. Codes of up to 4 segments.',
    }),
  })
}

/** What lies under `name` as a list, whatever was sent. */
function listIn(value: unknown, name: string): readonly unknown[] {
  const list = (value as Record<string, unknown> | null | undefined)?.[name]
  return Array.isArray(list) ? list : []
}

/** Refuses more than rules may have before it is checked: a body holds tens of thousands of values, and that takes long. */
function countFirst(routing: unknown, context: z.RefinementCtx): unknown {
  const conditions = listIn(routing, 'rules').flatMap((rule) => listIn(rule, 'when'))
  const valuesOf = (some: typeof conditions) => some.reduce((sum: number, one) => sum + listIn(one, 'in').length, 0)
  const addresses = conditions.filter((one) => (one as { of?: unknown } | null)?.of === 'address')
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['rules'], message, input: routing })
  if (conditions.length > MOST_CONDITIONS_IN_ALL) {
    refuse(issue('forms.routing.conditions', { most: MOST_CONDITIONS_IN_ALL }))
  } else if (valuesOf(conditions) > MOST_VALUES_IN_ALL) {
    refuse(issue('forms.routing.values', { most: MOST_VALUES_IN_ALL }))
  } else if (valuesOf(addresses) > MOST_ADDRESSES_IN_ALL) {
    refuse(issue('forms.routing.addresses', { most: MOST_ADDRESSES_IN_ALL }))
  }
  return routing
}

/**
 * What the API takes. Rules that can never match are refused later, where it is known what the link has (./refusals.ts).
 * @param destination the schema of a destination
 */
export function routingSchema(destination: z.ZodType<string>) {
  const shape = routingShape(destination)
  // Typed as what it takes: zod does not know what goes through `preprocess`.
  return (z.preprocess(countFirst, shape) as unknown as typeof shape)
    .superRefine((routing, context) => {
      const { split } = routing
      const add = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message, input: routing })
      const sum = split?.variants.reduce((total, { weight }) => total + weight, 0) ?? 100
      if (sum !== 100) add(['split'], issue('forms.routing.weights', { sum }))
      if (split?.winner !== undefined && !split.variants.some(({ url }) => url === split.winner)) {
        add(['split', 'winner'], issue('forms.routing.winner'))
      }
      const end = endOf(split)
      if (end !== null && end >= MAX_TIME) add(['split', 'endsAt'], issue('forms.timeRange'))
      if (Object.values(routing).every((part) => part === undefined)) add([], issue('forms.nothing'))
      if (JSON.stringify(routing).length > MOST_ROUTING_TEXT) add([], issue('forms.field.tooLong', { most: MOST_ROUTING_TEXT }))
    })
    .nullable()
    .meta({
      description:
        'Where the link leads, if that depends on the visitor. If null, everyone goes to `url`. Otherwise, `url` is for visitors that no rule matches, if there is no split.',
    })
}

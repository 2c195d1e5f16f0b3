import { z } from 'zod'

/** The contract of what is told of conversions beside clicks. */

const count = z.int().nonnegative()

const Revenue = z.array(
  z.object({
    currency: z.string().meta({ description: 'An ISO 4217 code.' }),
    value: z
      .string()
      .meta({ description: 'The sum, as a decimal number. Currencies are never added together.', example: '1204.50' }),
  }),
)

const counts = {
  conversions: count.meta({ description: 'Conversions, without refunds.' }),
  converted: count.meta({ description: 'Clicks that led to at least one conversion.' }),
  revenue: Revenue,
}
const rate = z
  .number()
  .nullable()
  .meta({ description: '`converted`, divided by human clicks: 0.05 is 5 %. If null, there were no human clicks.' })

/** What is told of conversions beside clicks. */
export const Conversions = z
  .object({
    ...counts,
    rate,
    series: z.array(z.object({ at: z.iso.datetime(), conversions: count, converted: count })).meta({
      description: 'The same intervals as those of the clicks. Empty with `interval=minute`.',
    }),
    names: z.array(z.object({ name: z.string(), conversions: count, revenue: Revenue })).meta({
      description: 'By what happened, the most frequent first: up to 50. All others are in the totals alone.',
    }),
    destinations: z.array(z.object({ value: z.string(), ...counts, rate })).meta({
      description: 'By destination, of those in `breakdown.destination`.',
    }),
    previous: z
      .object({ ...counts, rate })
      .nullable()
      .meta({ description: 'Those of the period to compare with.' }),
  })
  .meta({ id: 'Conversions', description: 'What was reported of these clicks, counted at the time of the click.' })

export type Conversions = z.infer<typeof Conversions>

import { z } from 'zod'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { fromMinor, isCurrency, MOST_VALUE, toMinor } from '@/lib/tools/money'
import { givenTime } from '@/lib/tools/schema'
import { MOST_REPORTED, OUTCOMES } from './values'

/** The contract of conversions. */

const currency = z
  .string()
  .toUpperCase()
  .refine(isCurrency, issue('forms.conversion.currency'))
  .optional()
  .meta({ description: 'The currency of `value`, by its ISO 4217 code.', example: 'EUR' })

const value = z
  .union([z.string().max(40), z.number()])
  .optional()
  .meta({
    description:
      'What it was worth, as a decimal number: a string, or a number if that holds it exactly. A negative value is a refund: it’s subtracted from the revenue and doesn’t count as a conversion.',
    example: '49.90',
  })

/** One conversion, as it is reported. */
export const ConversionInput = z
  .strictObject({
    clickId: z
      .string()
      .max(200)
      .meta({ description: 'The click ID that came with the visitor, in the query of the destination.' }),
    eventId: line(200).min(1).optional().meta({
      description:
        'Your own ID of the event, such as the number of the order. An event is counted once, however often it’s reported. Without it, each report counts.',
      example: 'order-1042',
    }),
    name: line(40).default('').meta({ description: 'What happened, such as `purchase` or `sign-up`.', example: 'purchase' }),
    value,
    currency,
    at: givenTime().optional().meta({
      type: 'string',
      format: 'date-time',
      description: 'When it happened. Defaults to now. Statistics count a conversion at the time of its click.',
    }),
  })
  .superRefine(({ value: amount, currency: code }, context) => {
    const add = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, input: amount ?? '' })
    if (amount === undefined) {
      if (code !== undefined) add('value', issue('forms.field.required'))
      return
    }
    if (code === undefined) return add('currency', issue('forms.field.required'))
    if (!isCurrency(code)) return
    // A number that JSON could not hold exactly was rounded before it came here.
    if (typeof amount === 'number' && Math.abs(amount) > Number.MAX_SAFE_INTEGER)
      return add('value', issue('forms.conversion.exact'))
    const minor = toMinor(String(amount), code)
    if (minor === null) return add('value', issue('forms.conversion.value', { currency: code, example: fromMinor(4990n, code) }))
    if (minor > MOST_VALUE || minor < -MOST_VALUE)
      add('value', issue('forms.conversion.large', { most: fromMinor(MOST_VALUE, code) }))
  })
export type ConversionInput = z.output<typeof ConversionInput>

const { $schema: _, ...documented } = z.toJSONSchema(ConversionInput, { io: 'input', unrepresentable: 'any' })

/** Each is checked for itself: one that is wrong keeps no other from being counted. */
export const ReportConversions = z
  .strictObject({
    conversions: z
      .array(z.unknown().meta(documented as Record<string, unknown>))
      .min(1)
      .max(MOST_REPORTED),
  })
  .meta({ id: 'ReportConversions' })

export const ConversionResult = z.object({
  outcome: z.enum(OUTCOMES).meta({
    description:
      '`counted`, `repeated` if an event with this `eventId` was counted before (its first report stays as it is), or `refused`; see `errors`.',
  }),
  id: z.string().nullable().meta({ description: 'The ID of the conversion, if it was counted now.' }),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).meta({ description: 'What’s wrong with it.' }),
})

export const ReportedConversions = z
  .object({
    counted: z.int().nonnegative(),
    repeated: z.int().nonnegative(),
    refused: z.int().nonnegative(),
    results: z.array(ConversionResult).meta({ description: 'What became of each, in the order in which they came.' }),
  })
  .meta({ id: 'ReportedConversions' })

export type ReportedConversions = z.infer<typeof ReportedConversions>

import { z } from 'zod'
import { refineLayout, sheetFields } from '@/lib/qr/schemas'
import { SHEET } from '@/lib/qr/values'
import { issue } from '@/lib/tools/issues'
import { MatchingLinks } from './bulk-schemas'
import { CreateLink, LinkId } from './schemas'

/** Links by their ids or by filters, or those of a series. */
export const SheetInput = z
  .strictObject({
    ids: z
      .array(LinkId)
      .min(1)
      .max(SHEET.codes)
      .optional()
      .meta({ description: 'The links, in the order in which they stand on the sheet.', example: ['117093590311632896'] }),
    matching: MatchingLinks.optional().meta({
      description: `All links that match these filters, if they’re at most ${SHEET.codes}.`,
    }),
    series: z.string().max(40).optional().meta({
      description: 'The name of a series: the links whose back-halves are the numbers that were drawn from it last.',
      example: 'tickets-2027',
    }),
    count: z.int().min(1).max(SHEET.codes).default(SHEET.codes).meta({ description: 'With `series`: how many numbers.' }),
    domain: CreateLink.shape.domain,
    ...sheetFields,
  })
  .superRefine((input, context) => {
    refineLayout(input, context)
    if ([input.ids, input.matching, input.series].filter((which) => which !== undefined).length !== 1) {
      context.addIssue({ code: 'custom', path: ['ids'], message: issue('forms.qr.which'), input })
    }
  })
  .meta({
    id: 'QrSheet',
    description: 'The links, and how their codes stand on the sheet. Name them by `ids`, `matching` or a `series`.',
  })

export type SheetInput = z.output<typeof SheetInput>

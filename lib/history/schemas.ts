import { z } from 'zod'
import { isoTime, paged, pageQuery } from '@/lib/tools/schema'
import { AUTHOR_KINDS, HISTORY_FIELDS, MOST_ENTRIES } from './values'

/** The contract of a link’s history. The page takes its types, and never the schemas with their zod. */

const value = (what: string) =>
  z.unknown().meta({ description: `What the field ${what}, as the API has it. Of a password, only whether there is one.` })

export const Change = z
  .object({
    field: z.enum(HISTORY_FIELDS).meta({
      description:
        'Named as in a link. `state` is what the link was set to: `active`, `disabled`, `banned`, or `deleted`. `owner` is `account` or `none`.',
    }),
    from: value('was'),
    to: value('became'),
  })
  .meta({ id: 'FieldChange' })

export const HistoryEntry = z
  .object({
    id: z.string().meta({ example: '117093590311632897' }),
    at: isoTime('When it was changed, in UTC.'),
    by: z.object({
      kind: z.enum(AUTHOR_KINDS).meta({
        description: 'The account that owned the link, someone with its manage token, an admin, or this site by itself.',
      }),
      handle: z.string().nullable().meta({
        description: 'The account’s handle. Null if it was deleted since. Only admins see which admin it was.',
      }),
      name: z.string().nullable(),
      job: z.boolean().meta({ description: 'Whether a job did it, such as an action on multiple links.' }),
    }),
    changes: z.array(Change),
    dropped: z
      .int()
      .nonnegative()
      .meta({
        description: `How many entries between this one and the next are no longer kept. Of changes to where a link leads, and of all others, the first and the latest ${MOST_ENTRIES - 1} are.`,
      }),
  })
  .meta({ id: 'HistoryEntry' })

export const HistoryPage = paged('entries', HistoryEntry).meta({ id: 'HistoryPage' })

export const HistoryQuery = z.strictObject({
  ...pageQuery,
  domain: z.string().max(253).optional().meta({ description: 'The domain of the short link. Defaults to the default domain.' }),
})

export type HistoryEntry = z.infer<typeof HistoryEntry>
export type HistoryPage = z.infer<typeof HistoryPage>
export type HistoryQuery = z.output<typeof HistoryQuery>

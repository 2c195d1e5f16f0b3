import { z } from 'zod'
import { LinkView } from '@/lib/links/schemas'
import { ClickPage, ClicksQuery, ClickView, Note, Stats, StatsQuery } from '@/lib/stats/schemas'

/** What the API takes and shows of statistics over several links. */

const name = (description: string) => z.string().trim().max(253).optional().meta({ description })

const which = {
  tag: name('Only links with this tag.'),
  folder: name('Only links in this folder.'),
  domain: name('Only links on this domain. Without `tag`, `folder`, or `domain`, all your links are counted.'),
}

export const ScopeQuery = z.strictObject(which)
export const ScopeStatsQuery = z.strictObject({ ...StatsQuery.shape, ...which })
export const ScopeClicksQuery = z.strictObject({
  ...ClicksQuery.shape,
  // So many are read of each link.
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ description: 'The maximum number of clicks per page.', type: 'integer' }),
  ...which,
})
export type ScopeClicksInput = z.output<typeof ScopeClicksQuery>
export type ScopeStatsInput = z.output<typeof ScopeStatsQuery>

const count = z.int().nonnegative()

export const ScopeStats = z
  .object({
    ...Stats.shape,
    links: count.meta({ description: 'The number of links in them that were ever clicked.' }),
    countedAt: z.iso.datetime().nullable().meta({
      description:
        'When the links were counted, if they’re too many to be counted for each request. They are counted again in the background when you ask. Otherwise null: the numbers are current.',
    }),
    counting: z.boolean().meta({ description: 'Whether they’re being counted again.' }),
    hasBreakdowns: z.boolean().meta({
      description:
        'False if the breakdowns are empty because they would be counted from single clicks, of which so many links have too many: with a filter, and for bots and previews.',
    }),
    top: z.array(z.object({ link: LinkView, clicks: count })).meta({
      description: 'The links with the most of these clicks, up to 10. These numbers are always current.',
    }),
    hasClicks: z.boolean().meta({
      description:
        'Whether the links are few enough to list their clicks one by one, and to watch them live: up to 100 that were clicked.',
    }),
    topIsComplete: z.boolean().meta({
      description: 'False if another link could have as many: only the 500 with the most clicks of all time are compared.',
    }),
  })
  .meta({
    id: 'ScopeStats',
    description:
      'The statistics of several links: their clicks and visitors, added up. A person who opens three of the links is three visitors.',
  })
export type ScopeStats = z.infer<typeof ScopeStats>

const ofLink = { shortUrl: z.url().meta({ description: 'The link that it is of.' }) }

export const ScopeNotes = z
  .object({ notes: z.array(Note.extend(ofLink)).meta({ description: 'The latest 200 notes, earliest first.' }) })
  .meta({ id: 'ScopeNotes' })
export type ScopeNotes = z.infer<typeof ScopeNotes>

export const ScopeClickPage = z
  .object({
    clicks: z.array(ClickView.extend(ofLink)).meta({ description: 'The clicks, newest first.' }),
    nextCursor: ClickPage.shape.nextCursor,
  })
  .meta({ id: 'ScopeClickPage' })
export type ScopeClickPage = z.infer<typeof ScopeClickPage>

export const ScopeCounting = z
  .object({ counted: count.meta({ description: 'The number of clicked links that were counted so far.' }) })
  .meta({ id: 'ScopeCounting', description: 'The links are being counted for the first time. Ask again in a few seconds.' })
export type ScopeCounting = z.infer<typeof ScopeCounting>

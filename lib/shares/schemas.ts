import { z } from 'zod'
import { ScopeStats } from '@/lib/scopes/schemas'
import { Stats, StatsQuery } from '@/lib/stats/schemas'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { givenTime, ID, isoTime } from '@/lib/tools/schema'
import { SHARE_KINDS } from './values'

/** The contract of shared statistics. */

const name = (description: string) => z.string().trim().max(253).optional().meta({ description })

export const CreateShare = z
  .strictObject({
    code: z.string().max(128).optional().meta({ description: 'Share the statistics of the link with this code.' }),
    tag: name('Share the statistics of the links with this tag.'),
    folder: name('Share the statistics of the links in this folder.'),
    domain: name(
      'With `code`, the link’s domain. Without, share the statistics of the links on this domain. Without any of these, those of all your links are shared.',
    ),
    label: line(80).default('').meta({ description: 'What you call this share, to tell it from others. Only you see it.' }),
    password: z
      .string()
      .min(1)
      .max(256)
      .nullable()
      .default(null)
      .meta({ description: 'Visitors have to enter it. Null for none.' }),
    expiresAt: givenTime()
      .nullable()
      .default(null)
      .meta({ type: ['string', 'null'], format: 'date-time', description: 'When the share ends. Null for never.' }),
    embeddable: z.boolean().default(false).meta({
      description:
        'Whether there are a badge and a chart to embed elsewhere. They show clicks of 30 days to anyone, so they go without a password.',
    }),
  })
  .superRefine(({ expiresAt, password, embeddable }, context) => {
    if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
      context.addIssue({ code: 'custom', path: ['expiresAt'], message: issue('forms.future'), input: expiresAt })
    }
    if (password !== null && embeddable) {
      context.addIssue({ code: 'custom', path: ['embeddable'], message: issue('forms.share.embeddable'), input: embeddable })
    }
  })
  .meta({ id: 'CreateShare' })
export type CreateShare = z.output<typeof CreateShare>

const about = {
  kind: z.enum(SHARE_KINDS),
  name: z.string().meta({ description: 'The short link, or the name of the tag, folder or domain. Empty for all links.' }),
}

export const ShareView = z
  .object({
    id: z.string().regex(ID),
    ...about,
    label: z.string().meta({ description: 'What its owner calls it.' }),
    hasPassword: z.boolean(),
    embeddable: z.boolean(),
    createdBy: z.string().meta({ description: 'The handle of the account that created it.' }),
    createdAt: isoTime(),
    expiresAt: isoTime('When it ends, in UTC.').nullable(),
    seenAt: isoTime('When someone last opened it, to a minute, in UTC.').nullable(),
    url: z
      .string()
      .optional()
      .meta({ description: 'Where the statistics are. Only returned when it’s created: Terse doesn’t keep it.' }),
    badgeUrl: z.string().optional().meta({ description: 'The badge, with `embeddable`. Only returned when it’s created.' }),
    embedUrl: z.string().optional().meta({ description: 'The chart, with `embeddable`. Only returned when it’s created.' }),
  })
  .meta({ id: 'Share' })
export type ShareView = z.infer<typeof ShareView>

export const Shares = z.object({ shares: z.array(ShareView).meta({ description: 'Newest first.' }) }).meta({ id: 'Shares' })

export const SharedAbout = z
  .object({
    locked: z.boolean().meta({ description: 'Whether the password is needed first; then nothing else is told.' }),
    about: z
      .object({
        ...about,
        title: z.string().meta({ description: 'The title of the link.' }),
        shortUrl: z.string().nullable(),
        url: z.string().nullable().meta({ description: 'Where the link leads. Null if not everyone can see that.' }),
      })
      .nullable(),
    expiresAt: isoTime('When the share ends, in UTC.').nullable(),
  })
  .meta({ id: 'SharedAbout' })
export type SharedAbout = z.infer<typeof SharedAbout>

export const Unlock = z.strictObject({ password: z.string().max(256) })
export const Unlocked = z
  .object({ pass: z.string().meta({ description: 'Send it in the header `Share-Pass`. It’s valid for 12 hours.' }) })
  .meta({ id: 'UnlockedShare' })

export const SharedQuery = StatsQuery

const { top: _, topIsComplete: __, links, countedAt, counting, hasBreakdowns } = ScopeStats.shape

/** Of a link, or with what there is besides of several. */
export const SharedStats = z
  .object({
    ...Stats.shape,
    many: z
      .object({
        ...{ links, countedAt, counting, hasBreakdowns },
        top: z.array(z.object({ shortUrl: z.string(), title: z.string(), clicks: z.int().nonnegative() })),
      })
      .nullable()
      .meta({ description: 'If the share is of several links: how they were counted, and those with the most clicks.' }),
  })
  .meta({ id: 'SharedStats', description: 'Statistics as visitors of a share see them: without conversions.' })
export type SharedStats = z.infer<typeof SharedStats>

import { z } from 'zod'
import { codeProblem, normalCode } from '@/lib/codes/custom'
import { asText } from '@/lib/i18n/message'
import { filing, filingQuery, filingView } from '@/lib/labels/schemas'
import { previewSchema, previewShape } from '@/lib/previews/schema'
import { routingSchema, routingShape } from '@/lib/routing/schema'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { givenTime, ID, isoTime, paged } from '@/lib/tools/schema'
import { MAX_URL_LENGTH } from './destination'
import { readDestination } from './destination-schema'
import { HEALTH_FILTERS } from './health'
import { HealthView } from './health-schema'
import { LINK_KINDS, LINK_SORTS, LINK_STATES, REDIRECT_STATUSES } from './values'

/**
 * The contract of a link: one schema validates, types and documents. The browser takes its types, and never the schemas with
 * their zod.
 */

const destination = z
  .string({ error: ({ input }) => (input === undefined ? issue('forms.url') : undefined) })
  .transform(readDestination)
  .meta({
    type: 'string',
    maxLength: MAX_URL_LENGTH,
    description: 'The destination, an http or https URL.',
    example: 'https://example.com/a/long/page',
  })

const customCode = z
  .string()
  .transform(normalCode)
  .superRefine((code, context) => {
    const problem = codeProblem(code)
    if (problem) context.addIssue({ code: 'custom', message: asText(problem), input: code })
  })
  .meta({
    type: 'string',
    maxLength: 128,
    description:
      "A custom back-half. Case-sensitive unless its domain ignores case. Can contain letters and digits of any script, emoji, the other characters of a path (`-._~!$&'()*+,;=:@`), and `/` between segments. Words of the site and short numbers are reserved on its own domain, and nearly nothing elsewhere. One that `terse code` made offline is claimed by its destination, domain and account.",
    example: 'spring-sale',
  })

const MAX_TIME = Date.UTC(9999, 0, 1)
const time = (description: string) =>
  givenTime()
    .refine((date) => date.getTime() > 0 && date.getTime() < MAX_TIME, issue('forms.timeRange'))
    .nullable()
    .meta({ type: ['string', 'null'], format: 'date-time', description })

const editable = {
  url: destination,
  title: line(255).meta({ description: 'A name that helps you find the link in your lists.' }),
  startsAt: time('When the link starts to work. If null, it works immediately.'),
  expiresAt: time('When the link expires. If null, it never expires.'),
  expiredUrl: destination
    .nullable()
    .meta({ description: 'Where the link leads after it has expired. If null, visitors see a page that says it has expired.' }),
  routing: routingSchema(destination),
  preview: previewSchema(destination),
  password: z
    .string()
    .min(1, issue('forms.password.none'))
    .max(256)
    .nullable()
    .meta({ description: 'The password that visitors have to enter. If null, there’s none. Stored as an argon2id hash.' }),
  maxClicks: z
    .int()
    .min(1)
    .max(2_000_000_000)
    .nullable()
    .meta({ description: 'The number of clicks after which the link expires. If null, there’s no click limit.' }),
  listed: z.boolean().meta({ description: 'Whether the link is shown on your public page. Requires an account.' }),
  redirectStatus: z
    .union(
      REDIRECT_STATUSES.map((status) => z.literal(status)),
      { error: issue('forms.redirectStatus') },
    )
    .meta({ description: 'The HTTP status of the redirect.', type: 'integer', enum: [...REDIRECT_STATUSES], example: 302 }),
  enabled: z.boolean().meta({ description: 'Whether the link is turned on. If false, it answers 410 until you turn it on.' }),
}

const publicHistory = z.boolean().meta({
  description:
    'Whether visitors can see on the preview page where the link led before. If false, they see since when you keep that private.',
})

const { url, ...optional } = editable
const optionalFields = z.strictObject({ ...optional, ...filing }).partial().shape

export const CreateLink = z
  .strictObject({
    url,
    code: customCode.optional(),
    domain: z
      .string()
      .max(253)
      .optional()
      .meta({ description: 'The domain of the short link. Defaults to the default domain, the only one without an account.' }),
    ...optionalFields,
    reuse: z.boolean().optional().meta({
      description:
        'Whether to return an existing plain link to this destination, if there is one, instead of creating another. Without an account, the link can be one that someone else created. From then on, only its title can be edited.',
    }),
  })
  .meta({ id: 'CreateLink', description: 'The link to create.' })

/** Rules to try on the clicks of a link. */
export const RehearseLink = z.strictObject({ routing: editable.routing }).meta({ id: 'RehearseLink' })

export const UpdateLink = z
  .strictObject({
    url: url.optional(),
    ...optionalFields,
    publicHistory: publicHistory.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, issue('forms.nothing'))
  .meta({ id: 'UpdateLink', description: 'The fields to edit. Fields you leave out stay as they are.' })

/** Ids are 64-bit numbers, which JSON has not: text. */
export const LinkId = z.string().regex(ID, issue('forms.linkId')).meta({ example: '117093590311632896' })

export const LinkView = z
  .object({
    id: LinkId,
    domain: z.string().meta({ example: 'go.example.com' }),
    code: z.string().meta({ example: 'spring-sale' }),
    shortUrl: z.url().meta({ example: 'https://go.example.com/spring-sale' }),
    url: z.url().meta({ description: 'The destination, normalized as the WHATWG URL standard defines.' }),
    title: z.string(),
    state: z.enum(LINK_STATES),
    kind: z.enum(LINK_KINDS).meta({
      description: 'A short link, or a spoken number. Some time after a spoken number expires, it can go to another link.',
    }),
    createdAt: isoTime(),
    updatedAt: isoTime(),
    expiresAt: isoTime().nullable(),
    startsAt: isoTime().nullable(),
    expiredUrl: z.url().nullable(),
    routing: routingShape(z.url()).nullable(),
    preview: previewShape.nullable(),
    maxClicks: z.int().nullable(),
    hasPassword: z.boolean(),
    redirectStatus: z.int(),
    clicks: z.int().nonnegative(),
    clicksBefore: z.int().nonnegative().meta({
      description:
        'Clicks that the link had where it was before it was imported. Not among `clicks`, but a click limit counts them.',
    }),
    listed: z.boolean().meta({ description: 'Whether the link is shown on its owner’s public page.' }),
    shared: z.boolean().meta({
      description:
        'Whether others got this link too, through `reuse`. If true, you can edit only its title, and you can’t delete it.',
    }),
    publicHistory,
    banReason: z.string().meta({ description: 'Why the link was banned.' }),
    deletedAt: isoTime('When the link was deleted, in UTC. Only set in lists of deleted links.').nullable(),
    manageToken: z.string().optional().meta({
      description:
        'A token to edit and delete this link. Only returned when the link is created without an account. Stored as a hash.',
    }),
    ...filingView,
    health: HealthView.nullable().optional().meta({
      description:
        'What is wrong with the destination; null: nothing that is known. Only for your own links, where you have them checked.',
    }),
    icon: z.string().optional().meta({
      description:
        'A path on this site that shows the icon of the destination’s site. Only in lists and single links, for accounts, and only with FAVICONS=on.',
    }),
  })
  .meta({ id: 'Link', description: 'A short link.' })

/** What following a link tells. */
export const SharedLinkView = LinkView.pick({ domain: true, code: true, shortUrl: true, url: true, redirectStatus: true }).meta({
  id: 'SharedLink',
  description: 'The public details of a link that someone else created: what anyone who opens it can see.',
})

export const LinkTotal = z
  .object({
    count: z.int().nonnegative().max(1000),
    more: z
      .boolean()
      .meta({ description: 'Whether there are more links than `count`: more than 1,000, or too many to count quickly.' }),
  })
  .meta({ description: 'The number of links on all pages. Only returned if `total` is `true`.' })

export const LinkPage = z
  .object({
    links: z.array(LinkView),
    nextCursor: z.string().nullable().meta({ description: 'Pass this as `cursor` to get the next page. Null on the last page.' }),
    total: LinkTotal.optional(),
  })
  .meta({ id: 'LinkPage' })

const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Which links to list. */
export const ListLinks = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ description: 'The maximum number of links per page.', type: 'integer' }),
  cursor: z.string().max(200).optional().meta({
    description:
      'The `nextCursor` of the previous page. A page can have fewer links than `limit`, or none, even if more pages follow.',
  }),
  q: z.string().trim().max(200).optional().meta({
    description:
      'Up to 8 search terms, separated by spaces. Each has to appear in the code, title, or destination; parts of words match too. Case and accents are ignored, and no character has a special meaning. Terms of one or two letters are searched link by link from the start of the list: every match is found, but spread over more pages. You can also search for a whole short link, code, or destination: that link comes first.',
  }),
  state: z
    .enum(LINK_STATES)
    .optional()
    .meta({ description: 'Only links with this state. `deleted` returns links that can be restored.' }),
  kind: z.enum(LINK_KINDS).optional().meta({ description: 'Only short links, or only spoken numbers.' }),
  health: z.enum(HEALTH_FILTERS).optional().meta({
    description: 'Only links whose destination was found to be like this; `any`: with anything wrong. Only your own links.',
  }),
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'Only links created at or after this time.' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Only links created before this time.' }),
  minClicks: count.optional().meta({ type: 'integer', description: 'Only links with at least this many clicks.' }),
  maxClicks: count.optional().meta({ type: 'integer', description: 'Only links with at most this many clicks.' }),
  sort: z.enum(LINK_SORTS).default('newest').meta({ description: 'The sort order. `clicks` puts the most clicked links first.' }),
  total: z.enum(['true', 'false']).optional().meta({ description: 'Whether to count all matching links, up to 1,000.' }),
  ...filingQuery,
})

/** What only an account's own links are filtered by. */
export const FILING = { tag: true, folder: true, archived: true, favorite: true, health: true } as const

/** The same, of everyone. */
export const ListAllLinks = ListLinks.omit(FILING).extend({
  owner: z
    .string()
    .max(36)
    .optional()
    .meta({ description: 'Only links of the account with this ID. `none` returns links without an account.' }),
  domain: z.string().max(253).optional(),
})

export const SparklinesQuery = z.strictObject({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(LinkId).min(1).max(100))
    .meta({ description: 'Up to 100 link IDs, separated by commas.' }),
})

/** Clicks of each of the last 30 days (UTC), the oldest first, by the id of the link. */
export const Sparklines = z
  .object({ days: z.record(z.string(), z.array(z.int().nonnegative()).length(30)) })
  .meta({ id: 'Sparklines' })

export const SpokenInput = z
  .strictObject({
    url,
    digits: z
      .union([z.literal(4), z.literal(5), z.literal(6)], { error: issue('forms.digits') })
      .default(4)
      .meta({ type: 'integer', enum: [4, 5, 6] }),
    ttl: z
      .int()
      .min(60, issue('forms.ttlShort'))
      .max(7 * 86_400, issue('forms.ttlLong'))
      .default(3600)
      .meta({ description: 'How many seconds until the link expires, from 60 (a minute) to 604,800 (7 days).' }),
  })
  .meta({ id: 'SpokenInput', description: 'The spoken number to create.' })

export const SpokenView = LinkView.extend({ digits: z.string().meta({ example: '4821' }), expiresAt: isoTime() }).meta({
  id: 'SpokenCode',
  description: 'A spoken number: a link whose code can be said aloud.',
})

/** A link in the lists of admins. */
export const AdminLinkView = LinkView.extend({
  owner: z.object({ id: z.string(), handle: z.string(), name: z.string() }).nullable(),
})

export const AdminLinkPage = paged('links', AdminLinkView).extend({ total: LinkTotal.optional() })

export type LinkTotal = z.output<typeof LinkTotal>
export type ListLinks = z.output<typeof ListLinks>
export type ListAllLinks = z.output<typeof ListAllLinks>
export type Sparklines = z.infer<typeof Sparklines>
export type SpokenInput = z.output<typeof SpokenInput>
export type SpokenView = z.infer<typeof SpokenView>
export type CreateLinkData = z.output<typeof CreateLink>
export type UpdateLinkData = z.output<typeof UpdateLink>
export type LinkView = z.infer<typeof LinkView>
export type SharedLinkView = z.infer<typeof SharedLinkView>
export type AdminLinkView = z.infer<typeof AdminLinkView>

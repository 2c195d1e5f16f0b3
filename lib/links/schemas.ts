import { z } from 'zod'
import { customCodeProblem } from '@/lib/codes/custom'
import { asText } from '@/lib/i18n/message'
import { allTermsOf, MAX_TERMS } from '@/lib/search/text'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { givenTime, ID, isoTime, paged } from '@/lib/tools/schema'
import { MAX_URL_LENGTH, parseDestination } from './destination'

/**
 * The contract of a link: one schema validates, types, documents and drives the form. Free of anything
 * of the server's, so that the browser uses the same rules.
 */

const destination = z
  .string({ error: ({ input }) => (input === undefined ? issue('forms.url') : undefined) })
  .transform((input, context) => {
    const parsed = parseDestination(input)
    if (parsed.ok) return parsed.href
    context.addIssue({ code: 'custom', message: asText(parsed.problem), input })
    return z.NEVER
  })
  .meta({
    type: 'string',
    maxLength: MAX_URL_LENGTH,
    description: 'The destination: an http or https URL.',
    example: 'https://example.com/a/long/page',
  })

const customCode = z
  .string()
  .transform((code) => code.normalize('NFC'))
  .superRefine((code, context) => {
    const problem = customCodeProblem(code)
    if (problem) context.addIssue({ code: 'custom', message: asText(problem), input: code })
  })
  .meta({
    type: 'string',
    maxLength: 128,
    description: 'A custom code. Case-sensitive; letters and digits of any script, `_`, `-`, and `/` between segments.',
    example: 'spring-sale',
  })

const MAX_TIME = Date.UTC(9999, 0, 1)
const time = (description: string) =>
  givenTime()
    .refine((date) => date.getTime() > 0 && date.getTime() < MAX_TIME, issue('forms.timeRange'))
    .nullable()
    .meta({ type: ['string', 'null'], format: 'date-time', description })

export const REDIRECT_STATUSES = [301, 302, 307, 308] as const
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number]

const editable = {
  url: destination,
  title: line(255).meta({ description: 'A name for your own lists.' }),
  startsAt: time('From when the link leads anywhere; null: at once.'),
  expiresAt: time('Until when; null: for ever.'),
  expiredUrl: destination
    .nullable()
    .meta({ description: 'Where visitors go once the link has expired; null: a page that says so.' }),
  password: z
    .string()
    .min(1, issue('forms.password.none'))
    .max(256)
    .nullable()
    .meta({ description: 'Asked of visitors; null: none. Stored as an argon2id hash.' }),
  maxClicks: z
    .int()
    .min(1)
    .max(2_000_000_000)
    .nullable()
    .meta({ description: 'After that many clicks the link has expired; null: no limit.' }),
  listed: z.boolean().meta({ description: 'Shown on your public page. Needs an account.' }),
  redirectStatus: z
    .union(
      REDIRECT_STATUSES.map((status) => z.literal(status)),
      { error: issue('forms.redirectStatus') },
    )
    .meta({ description: 'HTTP status of the redirect.', type: 'integer', enum: [...REDIRECT_STATUSES], example: 302 }),
}

const { url, ...optional } = editable
const optionalFields = z.strictObject(optional).partial().shape

export const CreateLink = z
  .strictObject({
    url,
    code: customCode.optional(),
    domain: z.string().max(253).optional().meta({ description: 'Host of the short URL; the default domain if left out.' }),
    ...optionalFields,
    reuse: z.boolean().optional().meta({
      description:
        'Answer with the existing plain link to this destination, if there is one, instead of creating another. Without an account it may be one that someone else created; from then on it cannot be changed.',
    }),
  })
  .meta({ id: 'CreateLink', description: 'A link to be made.' })

export const UpdateLink = z
  .strictObject({
    url: url.optional(),
    ...optionalFields,
    enabled: z.boolean().optional().meta({ description: 'false: the link answers 410 until it is enabled again.' }),
  })
  .refine((body) => Object.keys(body).length > 0, issue('forms.nothing'))
  .meta({ id: 'UpdateLink', description: 'What is to change; fields left out stay as they are.' })

export const LINK_STATES = ['active', 'scheduled', 'expired', 'disabled', 'banned', 'deleted'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** Ids are 64-bit numbers, which JSON has not: text. */
export const LinkId = z.string().regex(ID, issue('forms.linkId')).meta({ example: '117093590311632896' })

export const LinkView = z
  .object({
    id: LinkId,
    domain: z.string().meta({ example: 'go.example.com' }),
    code: z.string().meta({ example: 'spring-sale' }),
    shortUrl: z.url().meta({ example: 'https://go.example.com/spring-sale' }),
    url: z.url().meta({ description: 'The destination, as WHATWG URL parsing writes it.' }),
    title: z.string(),
    state: z.enum(LINK_STATES),
    createdAt: isoTime('UTC'),
    updatedAt: isoTime('UTC'),
    expiresAt: isoTime('UTC').nullable(),
    startsAt: isoTime('UTC').nullable(),
    expiredUrl: z.url().nullable(),
    maxClicks: z.int().nullable(),
    hasPassword: z.boolean(),
    redirectStatus: z.int(),
    clicks: z.int().nonnegative(),
    listed: z.boolean().meta({ description: 'Shown on its owner’s public page.' }),
    shared: z.boolean().meta({
      description: 'Others were given this link too: only its title can still change, and it cannot be deleted.',
    }),
    banReason: z.string().meta({ description: 'Why it was banned.' }),
    deletedAt: isoTime('When it was deleted; only where deleted links are listed.').nullable(),
    manageToken: z.string().optional().meta({
      description: 'Edits and deletes this link. Only in the answer to its creation without an account; kept as a hash.',
    }),
  })
  .meta({ id: 'Link', description: 'A link.' })

/** What following a link tells. */
export const SharedLinkView = LinkView.pick({ domain: true, code: true, shortUrl: true, url: true, redirectStatus: true }).meta({
  id: 'SharedLink',
  description: 'A link that someone else created, as far as following it tells.',
})

export const LinkTotal = z
  .object({
    count: z.int().nonnegative().max(1000),
    more: z.boolean().meta({ description: 'There are more than 1,000, or counting them all would take too long.' }),
  })
  .meta({ description: 'How many links there are on all pages, where `total` asks for it.' })

export const LinkPage = z
  .object({
    links: z.array(LinkView),
    nextCursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end.' }),
    total: LinkTotal.optional(),
  })
  .meta({ id: 'LinkPage' })

export const LINK_SORTS = ['newest', 'oldest', 'clicks'] as const

const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Which links to list. */
export const ListLinks = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50).meta({ description: 'Links on a page.', type: 'integer' }),
  cursor: z.string().max(200).optional().meta({
    description:
      '`nextCursor` of the page before. A page may hold fewer links than asked for, or none, while there is more to look through.',
  }),
  q: z.string().trim().max(200).optional().meta({
    description:
      'Up to 8 terms, separated by spaces. Each must stand somewhere in the code, title or destination, inside words too; case and accents do not matter, and no character has a meaning of its own. A term of one or two letters is looked for link by link, from the beginning of the list: all links that hold it are found, on more pages. Or a whole short URL, a code, or a destination: this link comes first.',
  }),
  state: z.enum(LINK_STATES).optional().meta({ description: 'deleted: those that can be restored.' }),
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'Made then or later.' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Made before.' }),
  minClicks: count.optional().meta({ type: 'integer' }),
  maxClicks: count.optional().meta({ type: 'integer' }),
  sort: z.enum(LINK_SORTS).default('newest').meta({ description: 'clicks: most clicked first.' }),
  total: z.enum(['true', 'false']).optional().meta({ description: 'Whether to count all links of the list, up to 1,000.' }),
})

/** The same, of everyone. */
export const ListAllLinks = ListLinks.extend({
  owner: z.string().max(36).optional().meta({ description: 'Id of an account; `none`: links without one.' }),
  domain: z.string().max(253).optional(),
})

export const BULK_ACTIONS = ['enable', 'disable', 'delete', 'restore'] as const

/** Nobody means all links by leaving everything out, nor by a filter that every link passes. */
function isNarrow({ q = '', minClicks = 0, ...filters }: { q?: string | undefined; minClicks?: number | undefined }): boolean {
  if (allTermsOf(q).length > 0 || minClicks > 0) return true
  return Object.values(filters).some((filter) => filter !== undefined && filter !== '')
}
const NOT_NARROW = { error: issue('forms.filter') }

function namesLinks({ ids, matching }: { ids?: unknown; matching?: unknown }): boolean {
  return (ids === undefined) !== (matching === undefined)
}
const NAMES_NONE = { error: issue('forms.idsOrMatching') }

const ids = z
  .array(LinkId)
  .min(1, issue('forms.selectLink'))
  .max(1000, issue('forms.selectFewer', { most: 1000 }))

/** Which links, by what the list of them is asked with. */
const MATCHING = { q: true, state: true, from: true, to: true, minClicks: true, maxClicks: true } as const
const describeMatching = {
  description: 'In place of `ids`: all links that a list with these filters holds, as long as they are from before this request.',
}
/**
 * These come as JSON and not as text, so nothing is converted: `null` would become 0. A list may leave terms out, since it shows what it
 * found; here this would reach more links than were asked for.
 */
const strictFilters = {
  q: z
    .string()
    .trim()
    .max(200)
    .refine((q) => allTermsOf(q).length <= MAX_TERMS, issue('forms.terms', { most: MAX_TERMS }))
    .optional()
    .meta({ description: `As in a list of links, with ${MAX_TERMS} terms at most.` }),
  minClicks: z.int().min(0).optional(),
  maxClicks: z.int().min(0).optional(),
}
const matching = ListLinks.pick(MATCHING).extend(strictFilters).refine(isNarrow, NOT_NARROW).optional().meta(describeMatching)
const adminMatching = ListAllLinks.pick({ ...MATCHING, owner: true, domain: true })
  .extend(strictFilters)
  .refine(isNarrow, NOT_NARROW)
  .optional()
  .meta(describeMatching)

const bulkFields = z.strictObject({ action: z.enum(BULK_ACTIONS), ids: ids.optional(), matching })
export const BulkLinks = bulkFields
  .refine(namesLinks, NAMES_NONE)
  .meta({ id: 'BulkLinks', description: 'Something to be done to many links.' })

/** Its fields alone; `AdminBulkLinks` asks that links are named by them. */
export const AdminBulkFields = z.strictObject({
  action: z.enum([...BULK_ACTIONS, 'ban', 'unban']),
  ids: ids.optional(),
  matching: adminMatching,
  reason: line(255).default('').meta({ description: 'For a ban: visitors read it.' }),
})
export const AdminBulkLinks = AdminBulkFields.refine(namesLinks, NAMES_NONE).meta({ id: 'AdminBulkLinks' })

export const SparklinesQuery = z.strictObject({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(LinkId).min(1).max(100))
    .meta({ description: 'Ids, separated by commas.' }),
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
      .meta({ description: 'Lifetime in seconds, from a minute to 7 days.' }),
  })
  .meta({ id: 'SpokenInput', description: 'A link to be read aloud.' })

export const SpokenView = z
  .object({ digits: z.string().meta({ example: '4821' }), shortUrl: z.url(), expiresAt: isoTime() })
  .meta({ id: 'SpokenCode' })

/** A link in the lists of admins. */
export const AdminLinkView = LinkView.extend({
  owner: z.object({ id: z.string(), handle: z.string(), name: z.string() }).nullable(),
})

export const AdminLinkPage = paged('links', AdminLinkView).extend({ total: LinkTotal.optional() })

export type LinkTotal = z.output<typeof LinkTotal>
export type ListLinks = z.output<typeof ListLinks>
export type ListAllLinks = z.output<typeof ListAllLinks>
export type BulkLinks = z.output<typeof BulkLinks>
export type AdminBulkLinks = z.output<typeof AdminBulkLinks>
export type Sparklines = z.infer<typeof Sparklines>
export type SpokenInput = z.output<typeof SpokenInput>
export type SpokenView = z.infer<typeof SpokenView>
export type CreateLinkData = z.output<typeof CreateLink>
export type UpdateLinkData = z.output<typeof UpdateLink>
export type LinkView = z.infer<typeof LinkView>
export type SharedLinkView = z.infer<typeof SharedLinkView>
export type AdminLinkView = z.infer<typeof AdminLinkView>

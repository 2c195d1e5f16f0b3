import { z } from 'zod'
import { customCodeProblem } from '@/lib/codes/custom'
import { MAX_URL_LENGTH, parseDestination } from './destination'

/**
 * The contract of a link: one schema validates, types, documents and drives the form. Free of anything
 * of the server's, so that the browser uses the same rules.
 */

const destination = z
  .string({ error: (issue) => (issue.input === undefined ? 'Enter the address to shorten.' : 'Must be a string.') })
  .transform((input, context) => {
    const parsed = parseDestination(input)
    if (parsed.ok) return parsed.href
    context.addIssue({ code: 'custom', message: parsed.problem, input })
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
    if (problem) context.addIssue({ code: 'custom', message: problem, input: code })
  })
  .meta({
    type: 'string',
    maxLength: 128,
    description: 'A custom code. Case-sensitive; letters and digits of any script, `_`, `-`, and `/` between segments.',
    example: 'spring-sale',
  })

const MAX_TIME = Date.UTC(9999, 0, 1)
const time = (description: string) =>
  z.iso
    .datetime({ offset: true, error: 'Use an ISO 8601 time with its zone, such as 2027-01-31T09:00:00Z.' })
    .transform((text) => new Date(text))
    .refine((date) => date.getTime() > 0 && date.getTime() < MAX_TIME, 'This time is out of range.')
    .nullable()
    .meta({ type: ['string', 'null'], format: 'date-time', description })

export const REDIRECT_STATUSES = [301, 302, 307, 308] as const
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number]

const editable = {
  url: destination,
  title: z.string().trim().max(255, 'Use at most 255 characters.').meta({ description: 'A name for your own lists.' }),
  startsAt: time('From when the link leads anywhere; null: at once.'),
  expiresAt: time('Until when; null: for ever.'),
  expiredUrl: destination
    .nullable()
    .meta({ description: 'Where visitors go once the link has expired; null: a page that says so.' }),
  password: z
    .string()
    .min(1, 'Enter a password.')
    .max(256, 'Use at most 256 characters.')
    .nullable()
    .meta({ description: 'Asked of visitors; null: none. Stored as an argon2id hash.' }),
  maxClicks: z
    .int('Use a whole number.')
    .min(1, 'Use at least 1.')
    .max(2_000_000_000, 'Use at most 2,000,000,000.')
    .nullable()
    .meta({ description: 'After that many clicks the link has expired; null: no limit.' }),
  listed: z.boolean().meta({ description: 'Shown on your public page. Needs an account.' }),
  redirectStatus: z
    .union(
      REDIRECT_STATUSES.map((status) => z.literal(status)),
      { error: 'Use 301, 302, 307 or 308.' },
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
      description: 'Answer with the existing plain link to this destination, if there is one, instead of making another.',
    }),
  })
  .meta({ id: 'CreateLink', description: 'A link to be made.' })

export const UpdateLink = z
  .strictObject({
    url: url.optional(),
    ...optionalFields,
    enabled: z.boolean().optional().meta({ description: 'false: the link answers 410 until it is enabled again.' }),
  })
  .refine((body) => Object.keys(body).length > 0, 'Name at least one field to change.')
  .meta({ id: 'UpdateLink', description: 'What is to change; fields left out stay as they are.' })

export const LINK_STATES = ['active', 'scheduled', 'expired', 'disabled', 'banned'] as const
export type LinkState = (typeof LINK_STATES)[number]

const isoTime = (description: string) => z.iso.datetime().meta({ description })

export const LinkView = z
  .object({
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
    manageToken: z.string().optional().meta({
      description: 'Edits and deletes this link. Only in the answer to its creation without an account; kept as a hash.',
    }),
  })
  .meta({ id: 'Link', description: 'A link.' })

export const LinkPage = z
  .object({
    links: z.array(LinkView),
    nextCursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end.' }),
  })
  .meta({ id: 'LinkPage' })

export type CreateLinkInput = z.input<typeof CreateLink>
export type CreateLinkData = z.output<typeof CreateLink>
export type UpdateLinkData = z.output<typeof UpdateLink>
export type LinkView = z.infer<typeof LinkView>

import { z } from 'zod'
import { isoTime, LinkView } from '@/lib/links/schemas'
import { line } from '@/lib/tools/line'
import { MAX_PASSWORD, MIN_PASSWORD } from './names'

export const Handle = z
  .string()
  .regex(/^[1-9]\d{7}$/, 'Use 8 digits.')
  .meta({ example: '48213370' })

export const accountName = line(100).min(1, 'Enter a name.')

export const AccountView = z
  .object({
    id: z.string(),
    handle: Handle,
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    role: z.enum(['user', 'admin']),
    hasPassword: z.boolean().meta({ description: 'false: signs in by a provider or a passkey only.' }),
    twoFactorEnabled: z.boolean(),
    publicProfile: z.boolean().meta({ description: 'Whether `profileUrl` shows the links that are listed.' }),
    profileUrl: z.url(),
    createdAt: isoTime(),
  })
  .meta({ id: 'Account' })

export const UpdateAccount = z
  .strictObject({ name: accountName.optional(), publicProfile: z.boolean().optional() })
  .refine((body) => Object.keys(body).length > 0, 'Name at least one field to change.')
  .meta({ id: 'UpdateAccount' })

export const DeleteAccount = z
  .strictObject({
    handle: Handle.meta({ description: 'The handle of the account, typed once more.' }),
    password: z.string().max(MAX_PASSWORD).optional().meta({ description: 'Asked of accounts that have one.' }),
    links: z.enum(['keep', 'delete']).meta({ description: 'keep: they go on leading where they lead, and belong to nobody.' }),
  })
  .meta({ id: 'DeleteAccount' })

export const Proof = z
  .strictObject({ password: z.string().max(MAX_PASSWORD) })
  .meta({ id: 'Proof', description: 'The password of the account, typed once more.' })

export const ProofWays = z
  .object({
    password: z.boolean(),
    passkey: z.boolean(),
    provider: z.string().nullable().meta({ description: 'Name of the provider that signs in to this account; null: none.' }),
  })
  .meta({ id: 'ProofWays' })

export const KEY_SCOPES = ['read', 'write'] as const

export const CreateApiKey = z
  .strictObject({
    name: accountName.meta({ description: 'What you know it by.' }),
    scope: z.enum(KEY_SCOPES).default('read').meta({ description: 'write: may change what its account may.' }),
    expiresInDays: z.int().min(1).max(3650).nullable().default(90).meta({ description: 'null: it never expires.' }),
  })
  .meta({ id: 'CreateApiKey' })

export const ApiKeyView = z
  .object({
    id: z.string(),
    name: z.string(),
    start: z.string().meta({ description: 'Its first characters.' }),
    scope: z.enum(KEY_SCOPES),
    createdAt: isoTime(),
    expiresAt: isoTime().nullable(),
    lastUsedAt: isoTime().nullable(),
    key: z.string().optional().meta({ description: 'The key itself: only in the answer to its creation; kept as a hash.' }),
  })
  .meta({ id: 'ApiKey' })

export const ApiKeys = z.object({ keys: z.array(ApiKeyView) }).meta({ id: 'ApiKeys' })

export const SessionView = z
  .object({
    id: z.string(),
    current: z.boolean(),
    address: z.string(),
    agent: z.string().meta({ example: 'Firefox on Linux' }),
    createdAt: isoTime(),
    lastSeenAt: isoTime(),
    expiresAt: isoTime(),
  })
  .meta({ id: 'Session' })

export const Sessions = z.object({ sessions: z.array(SessionView) }).meta({ id: 'Sessions' })

export const ClaimLinks = z
  .strictObject({ tokens: z.array(z.string().min(1).max(512)).min(1).max(100) })
  .meta({ id: 'ClaimLinks', description: 'Manage tokens of links made without an account.' })

export const ClaimedLinks = z
  .object({
    claimed: z.array(LinkView),
    refused: z.int().nonnegative().meta({ description: 'Tokens that manage no link, or one that others were given too.' }),
  })
  .meta({ id: 'ClaimedLinks' })

export const SetupInput = z.strictObject({
  token: z.string().max(200),
  name: accountName,
  email: z.email('Enter an e-mail address.').max(254),
  password: z
    .string()
    .min(MIN_PASSWORD, `Use at least ${MIN_PASSWORD} characters.`)
    .max(MAX_PASSWORD, `Use at most ${MAX_PASSWORD} characters.`),
})

export const OVERVIEW_DAYS = [7, 30, 90] as const

export const OverviewQuery = z.strictObject({
  days: z.coerce
    .number()
    .refine((days) => OVERVIEW_DAYS.some((known) => known === days), 'Use 7, 30 or 90.')
    .default(30)
    .meta({ type: 'integer', enum: [...OVERVIEW_DAYS] }),
})

/** Numbers of one UTC day. */
export const DayCount = z.object({ day: z.iso.date(), count: z.int().nonnegative() })

export const Overview = z
  .object({
    links: z.int().nonnegative(),
    clicks: z.int().nonnegative().meta({ description: 'Clicks of all time, those of bots and previews included.' }),
    clicksByDay: z.array(DayCount).meta({ description: 'Of each of the days asked for, the oldest first.' }),
    top: z.array(z.object({ link: LinkView, clicks: z.int().nonnegative() })).meta({ description: 'Most clicked in that time.' }),
    newest: z.array(LinkView),
  })
  .meta({ id: 'Overview' })

/** What `/@handle` shows. */
export const Profile = z.object({
  handle: Handle,
  name: z.string(),
  links: z.array(LinkView.pick({ shortUrl: true, url: true, title: true, createdAt: true })),
  nextCursor: z.string().nullable(),
})

/** What the sign-in pages need to know of the settings. */
export interface AccountSettings {
  signUp: 'open' | 'invitation' | 'closed'
  /** Mails are sent: resets, verifications. */
  mail: boolean
  /** Name of the OIDC provider; null without one. */
  oidc: string | null
}

export type AccountView = z.infer<typeof AccountView>
export type UpdateAccount = z.output<typeof UpdateAccount>
export type DeleteAccount = z.output<typeof DeleteAccount>
export type ProofWays = z.infer<typeof ProofWays>
export type CreateApiKey = z.output<typeof CreateApiKey>
export type ApiKeyView = z.infer<typeof ApiKeyView>
export type SessionView = z.infer<typeof SessionView>
export type SetupInput = z.output<typeof SetupInput>
export type Overview = z.infer<typeof Overview>
export type Profile = z.infer<typeof Profile>

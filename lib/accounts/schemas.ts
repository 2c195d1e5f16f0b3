import { z } from 'zod'
import { LANGUAGES } from '@/lib/i18n/languages'
import { LAYOUTS, LOOK_COLUMNS } from '@/lib/links/look'
import { LinkView } from '@/lib/links/schemas'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { normalised } from '@/lib/tools/normalised'
import { isoTime, paged, pageQuery, reason } from '@/lib/tools/schema'
import { MAX_PASSWORD, MIN_PASSWORD } from './names'
import { KEY_SCOPES } from './values'

export const Handle = z
  .string()
  .regex(/^[1-9]\d{7}$/, issue('forms.handle'))
  .meta({ example: '48213370' })

/** Letters of one alphabet: anyone who reads a name can type it, and no two letters look alike in different alphabets. */
export const Username = z
  .string()
  .max(60, { abort: true })
  .overwrite((text) => normalised('NFKC', text))
  .trim()
  .toLowerCase()
  .regex(/^[a-z](?:[a-z0-9]|[-_](?=[a-z0-9])){2,29}$/, issue('forms.username'))
  .meta({ example: 'mia' })

const Language = z.enum(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[])

export const accountName = line(100).min(1, issue('forms.name'))

export const AccountView = z
  .object({
    id: z.string(),
    handle: Handle,
    username: Username.nullable().meta({
      description: 'The name chosen for `/@…`. The handle works there too. If null, there’s none.',
    }),
    name: z.string(),
    email: z.string(),
    language: Language.nullable().meta({
      description: 'The language of emails to you. If null, that of the request that leads to them.',
    }),
    emailVerified: z.boolean(),
    role: z.enum(['user', 'admin']),
    hasPassword: z
      .boolean()
      .meta({ description: 'Whether the account has a password. If false, it signs in only with a provider or a passkey.' }),
    twoFactorEnabled: z.boolean(),
    publicProfile: z.boolean().meta({ description: 'Whether `profileUrl` shows links with `listed` set to true.' }),
    profileUrl: z.url(),
    createdAt: isoTime(),
  })
  .meta({ id: 'Account' })

export const UpdateAccount = z
  .strictObject({
    name: accountName.optional(),
    username: Username.nullable()
      .optional()
      .meta({
        description:
          'A name for your public page, `/@mia`: 3 to 30 letters (a to z), digits, `-` and `_`, starting with a letter. ' +
          'Null gives it up; for a time, nobody else can take it then. Your handle keeps working.',
      }),
    language: Language.optional(),
    publicProfile: z.boolean().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, issue('forms.nothing'))
  .meta({ id: 'UpdateAccount' })

export const SavedView = z.strictObject({
  name: line(60).min(1, issue('forms.name')),
  query: z
    .string()
    .max(2_400)
    .regex(/^[!-~]*$/)
    .meta({
      description: 'Search, filters, order and look, as in the address of the list.',
      example: 'state=expired&sort=oldest',
    }),
})

const Look = z.strictObject({ layout: z.enum(LAYOUTS), columns: z.array(z.enum(LOOK_COLUMNS)).max(LOOK_COLUMNS.length) })

export const PreferencesView = z
  .object({
    look: Look.nullable().meta({ description: 'How the list of links looks. If null, you haven’t chosen.' }),
    singleKeys: z.boolean().nullable().meta({ description: 'Whether single-key shortcuts work. If null, you haven’t chosen.' }),
    views: z.array(SavedView),
  })
  .meta({ id: 'Preferences' })

export const UpdatePreferences = z
  .strictObject({
    look: Look.optional(),
    singleKeys: z.boolean().optional(),
    saveViews: z
      .array(SavedView)
      .max(50)
      .optional()
      .meta({ description: 'Views to add. Each replaces a view with the same name. You can have up to 50.' }),
    deleteViews: z.array(z.string().max(60)).max(50).optional().meta({ description: 'The names of views to delete.' }),
  })
  .refine((body) => Object.keys(body).length > 0, issue('forms.nothing'))
  .meta({ id: 'UpdatePreferences' })

export const DeleteAccount = z
  .strictObject({
    handle: Handle.meta({ description: 'Your account’s handle, to confirm.' }),
    password: z
      .string()
      .max(MAX_PASSWORD)
      .optional()
      .meta({ description: 'Your current password. Required if your account has one.' }),
    links: z.enum(['keep', 'delete']).meta({
      description: 'What happens to your links. `keep`: they keep working, without an owner. `delete`: they’re deleted.',
    }),
  })
  .meta({ id: 'DeleteAccount' })

export const Proof = z
  .strictObject({ password: z.string().max(MAX_PASSWORD) })
  .meta({ id: 'Proof', description: 'Your current password, to confirm your identity.' })

export const ProofWays = z
  .object({
    password: z.boolean(),
    passkey: z.boolean(),
    provider: z
      .string()
      .nullable()
      .meta({ description: 'The name of the sign-in provider connected to this account. If null, there’s none.' }),
  })
  .meta({ id: 'ProofWays' })

export const CreateApiKey = z
  .strictObject({
    name: accountName.meta({ description: 'A name that helps you recognize the key.' }),
    scope: z
      .enum(KEY_SCOPES)
      .default('read')
      .meta({ description: 'What the key can do. `read`: read only. `write`: also make changes, as its account can.' }),
    expiresInDays: z
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(90)
      .meta({ description: 'The number of days until the key expires. If null, it never expires.' }),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, issue('forms.keyHash'))
      .toLowerCase()
      .optional()
      .meta({
        description:
          'The SHA-256 of a key that another shortener made, in hexadecimal, as Shlink stores it. The key then works here, in the APIs of other shorteners.',
      }),
    signature: z.boolean().optional().meta({
      description: 'Whether the key gets a signature token, which clients of YOURLS use in its place.',
    }),
    offline: z.boolean().optional().meta({
      description:
        'Whether the key gets an offline key, with which `terse code` says which back-half a link will get before anyone asks the server.',
    }),
  })
  .meta({ id: 'CreateApiKey' })

export const ApiKeyView = z
  .object({
    id: z.string(),
    name: z.string(),
    start: z.string().meta({ description: 'The first characters of the key.' }),
    scope: z.enum(KEY_SCOPES),
    createdAt: isoTime(),
    expiresAt: isoTime().nullable(),
    lastUsedAt: isoTime().nullable(),
    key: z.string().optional().meta({ description: 'The key itself. Only returned when it’s created. Stored as a hash.' }),
    signature: z.string().optional().meta({
      description: 'The signature token of the key, if you asked for one. Only returned when it’s created. Stored as a hash.',
    }),
    offline: z.string().optional().meta({
      description:
        'The offline key, if you asked for one. Only returned when the key is created. It opens nothing: it makes back-halves that only this account can claim, until the key expires or is revoked.',
    }),
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
  .meta({ id: 'ClaimLinks', description: 'The manage tokens of links created without an account.' })

export const ClaimedLinks = z
  .object({
    claimed: z.array(LinkView),
    refused: z.int().nonnegative().meta({ description: 'The number of tokens that manage no link, or one that others got too.' }),
  })
  .meta({ id: 'ClaimedLinks' })

export const SetupInput = z.strictObject({
  token: z.string().max(200),
  name: accountName,
  email: z.email().max(254),
  password: z.string().min(MIN_PASSWORD).max(MAX_PASSWORD),
})

/** What `/@handle` shows. */
export const Profile = z.object({
  handle: Handle,
  username: Username.nullable(),
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

// What admins see of accounts and do to them.

export const AccountsQuery = z.strictObject({
  ...pageQuery,
  q: z.string().trim().max(200).optional().meta({ description: 'Part of a name or email, or a handle.' }),
  role: z.enum(['user', 'admin']).optional(),
  banned: z.enum(['true', 'false']).optional(),
})

export const AdminAccountView = z.object({
  id: z.string(),
  handle: z.string(),
  username: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  role: z.enum(['user', 'admin']),
  banned: z.boolean(),
  banReason: z.string(),
  banExpires: isoTime().nullable(),
  twoFactorEnabled: z.boolean(),
  links: z.int().nonnegative(),
  sessions: z.int().nonnegative(),
  lastSeenAt: isoTime().nullable(),
  createdAt: isoTime(),
})

export const AdminAccountPage = paged('accounts', AdminAccountView)

export const SetRole = z.strictObject({ role: z.enum(['user', 'admin']) })

export const BanAccount = z.strictObject({
  reason,
  until: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .meta({ description: 'When the ban ends. If null, it stays until the account is unbanned.' }),
})

export const BanUsername = z.strictObject({ username: Username, reason })

export const UnbanUsername = z.strictObject({ username: Username })

export const ResetLink = z.object({ url: z.url(), sent: z.boolean(), expiresAt: isoTime() })

export const RemoveAccount = z.strictObject({ links: z.enum(['keep', 'delete']) })

export const CreateInvitation = z.strictObject({
  email: z.union([z.literal(''), z.email().max(254)]).default(''),
  days: z.int().min(1).max(90).default(7),
})

export const InvitationView = z.object({
  id: z.string(),
  email: z.string(),
  createdBy: z.string(),
  createdAt: isoTime(),
  expiresAt: isoTime(),
  usedBy: z.string().nullable(),
  url: z.url().optional().meta({ description: 'The invitation’s link. Only returned when it’s created.' }),
})

export const InvitationList = z.object({ invitations: z.array(InvitationView) })

export type AccountView = z.infer<typeof AccountView>
export type UpdateAccount = z.output<typeof UpdateAccount>
export type SavedView = z.infer<typeof SavedView>
export type PreferencesView = z.infer<typeof PreferencesView>
export type UpdatePreferences = z.output<typeof UpdatePreferences>
export type DeleteAccount = z.output<typeof DeleteAccount>
export type ProofWays = z.infer<typeof ProofWays>
export type CreateApiKey = z.output<typeof CreateApiKey>
export type ApiKeyView = z.infer<typeof ApiKeyView>
export type SessionView = z.infer<typeof SessionView>
export type SetupInput = z.output<typeof SetupInput>
export type Profile = z.infer<typeof Profile>
export type AdminAccountView = z.infer<typeof AdminAccountView>
export type InvitationView = z.infer<typeof InvitationView>

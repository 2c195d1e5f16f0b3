import { z } from 'zod'
import { Overview } from '@/lib/accounts/schemas'
import { isoTime, LinkView } from '@/lib/links/schemas'
import { REPORT_REASONS, REPORT_STATES, ReportView } from '@/lib/reports/schemas'
import { line, lines } from '@/lib/tools/line'

const page = {
  limit: z.coerce.number().int().min(1).max(100).default(50).meta({ type: 'integer' }),
  cursor: z.string().max(200).optional(),
}
const paged = <K extends string, T extends z.ZodType>(key: K, item: T) =>
  z.object({ ...({ [key]: z.array(item) } as Record<K, z.ZodArray<T>>), nextCursor: z.string().nullable() })
const day = z.object({ day: z.iso.date(), count: z.int().nonnegative() })
const reason = line(255).default('')

export const AdminOverview = Overview.extend({
  clicks: z.int().nonnegative().meta({ description: 'Clicks of all time, those on links that are gone since included.' }),
  accounts: z.int().nonnegative(),
  openReports: z.int().nonnegative(),
  linksByDay: z.array(day).meta({ description: 'Of links that still exist, by when they were made.' }),
  accountsByDay: z.array(day),
  reportsByDay: z.array(day),
  topHosts: z
    .array(z.object({ host: z.string(), links: z.int().nonnegative(), clicks: z.int().nonnegative() }))
    .meta({ description: 'Where links lead, by clicks of all time; of the 10,000 most clicked links and the 10,000 newest.' }),
  /** When the numbers were counted: they are kept for a minute. */
  at: isoTime(),
})

/** A link in the lists of admins. */
export const AdminLinkView = LinkView.extend({
  owner: z.object({ id: z.string(), handle: z.string(), name: z.string() }).nullable(),
})

export const AdminLinkDetail = z.object({
  link: AdminLinkView,
  reports: z.array(ReportView),
  history: z.array(z.lazy(() => AuditView)),
})

export const AccountsQuery = z.strictObject({
  ...page,
  q: z.string().trim().max(200).optional().meta({ description: 'Part of a name or e-mail address, or a handle.' }),
  role: z.enum(['user', 'admin']).optional(),
  banned: z.enum(['true', 'false']).optional(),
})

export const AdminAccountView = z.object({
  id: z.string(),
  handle: z.string(),
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

export const SetRole = z.strictObject({ role: z.enum(['user', 'admin']) })
export const BanAccount = z.strictObject({
  reason,
  until: z.iso.datetime({ offset: true }).nullable().default(null).meta({ description: 'null: until it is lifted.' }),
})
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
  url: z.url().optional().meta({ description: 'Only in the answer to its creation.' }),
})

export const ReportsQuery = z.strictObject({
  ...page,
  state: z.enum(REPORT_STATES).optional(),
  reason: z.enum(REPORT_REASONS).optional(),
})
export const ResolveReport = z.strictObject({
  action: z.enum(['ban', 'disable', 'delete', 'dismiss']),
  reason: reason.meta({ description: 'For a ban: visitors read it.' }),
  answer: lines(2000).default('').meta({ description: 'Kept with the report; with mail, sent to its reporter.' }),
  /** The other open reports of the same short URL are handled alike. */
  others: z.boolean().default(true),
})
export const ReportDetail = z.object({
  report: ReportView,
  others: z.array(ReportView),
  history: z.array(z.lazy(() => AuditView)),
})

export const BLOCK_KINDS = ['host', 'suffix', 'word', 'client'] as const
export const BlocklistQuery = z.strictObject({
  ...page,
  kind: z.enum(BLOCK_KINDS).optional(),
  q: z.string().trim().max(200).optional(),
})
export const CreateBlockRule = z.strictObject({
  kind: z.enum(BLOCK_KINDS).meta({
    description:
      'host: this host; suffix: it and all below it; word: in code, title or destination; client: an address or a CIDR range that may not make links.',
  }),
  value: line(253).min(1, 'Enter what to block.'),
  reason,
})
export const BlockRuleView = z.object({
  id: z.string(),
  kind: z.enum(BLOCK_KINDS),
  value: z.string(),
  reason: z.string(),
  createdBy: z.string(),
  createdAt: isoTime(),
  matches: z
    .int()
    .nonnegative()
    .optional()
    .meta({ description: 'Links there are that it would have refused; in the answer to its creation.' }),
  /** Not all links were looked at: `matches` is the least there are. Acting on them looks at all. */
  more: z.boolean().optional(),
})
export const ActOnMatches = z.strictObject({ action: z.enum(['disable', 'ban', 'delete']), reason })

const address = z
  .url({ protocol: /^https?$/, error: 'Enter a whole URL, such as https://example.com.' })
  .max(2048)
  .nullable()
export const CreateDomain = z.strictObject({ host: z.string().trim().min(1, 'Enter a host name.').max(253) })
export const UpdateDomain = z.strictObject({
  isDefault: z.literal(true).optional(),
  rootUrl: address.optional(),
  notFoundUrl: address.optional(),
})
export const DomainView = z.object({
  id: z.int(),
  host: z.string(),
  /** New links go there when no domain is named. */
  isDefault: z.boolean(),
  /** The host of BASE_URL: it cannot be removed. */
  isBase: z.boolean(),
  verifiedAt: isoTime().nullable(),
  rootUrl: z.string().nullable(),
  notFoundUrl: z.string().nullable(),
  links: z.int().nonnegative(),
  /** What proves that the domain is ours: one of the two. */
  proof: z.object({ txtName: z.string(), txtValue: z.string(), fileUrl: z.string(), fileContent: z.string() }),
  createdAt: isoTime(),
})

export const AuditQuery = z.strictObject({
  ...page,
  actor: z.string().max(36).optional(),
  action: z.string().max(64).optional(),
  target: z.string().max(400).optional(),
})
export const AuditView = z.object({
  id: z.string(),
  at: isoTime(),
  actor: z.string(),
  actorId: z.string(),
  action: z.string(),
  target: z.string(),
  details: z.record(z.string(), z.unknown()),
  address: z.string(),
})

const breaker = z.enum(['closed', 'open', 'half-open'])

export const SystemView = z.object({
  at: isoTime(),
  process: z.object({
    pid: z.int(),
    uptime: z.number().meta({ description: 's' }),
    memory: z.int().meta({ description: 'bytes' }),
    node: z.string(),
    version: z.string(),
  }),
  mysql: z.object({
    up: z.boolean(),
    version: z.string(),
    breaker,
    latency: z.number().nullable().meta({ description: 'ms' }),
    inUse: z.int(),
  }),
  redis: z.object({
    up: z.boolean(),
    version: z.string(),
    breaker,
    latency: z.number().nullable(),
    memory: z.int(),
    unheardChanges: z.int(),
  }),
  clicks: z.object({
    waitingBatches: z.int(),
    waitingBytes: z.int(),
    full: z.boolean(),
    lag: z.number().nullable().meta({ description: 'age of the oldest batch that waits, s' }),
    deadLetters: z.int(),
  }),
  cache: z.object({
    entries: z.int(),
    capacity: z.int(),
    hits: z.record(z.string(), z.number()).meta({
      description:
        'Requests for a code in this process, by where the answer was found: memory, redis, filter (which knew that there is none), mysql, or stale (MySQL was down).',
    }),
  }),
  bloom: z.object({
    implementation: z.string().meta({ description: 'native (RedisBloom), bitmap or none' }),
    trusted: z.boolean().meta({ description: 'Every shard is.' }),
    shards: z.int(),
    trustedShards: z.int(),
    codes: z.int().meta({ description: 'ever added, about' }),
    capacity: z
      .int()
      .meta({ description: 'codes that this filter was made for; it is made again, larger, before it holds so many' }),
    maxCapacity: z.int().meta({ description: 'codes that it grows to by itself, at most' }),
    fill: z.number().meta({ description: 'share of bits that are set, 0 to 1' }),
    estimatedError: z.number().meta({ description: 'share of unknown codes that it takes for known ones, as full as it is' }),
    errorRate: z.number().meta({ description: 'the same as this filter was made for, at full capacity' }),
  }),
  freed: z.object({
    codes: z.int().meta({ description: 'deleted codes in quarantine that Redis knows' }),
    limit: z.int().meta({ description: 'how many it keeps; of older ones MySQL is asked' }),
    quarantine: z.string(),
  }),
  ids: z.array(
    z.object({
      name: z.enum(['handle', 'spoken', 'reference', 'job']),
      up: z.boolean(),
      parts: z.array(z.object({ part: z.string(), used: z.int(), capacity: z.int().nullable(), last: z.string().nullable() })),
    }),
  ),
})

export const DeadLetterView = z.object({
  id: z.string().meta({ description: 'partition, and the id in its stream' }),
  partition: z.int(),
  at: isoTime(),
  clicks: z.int().nonnegative(),
  error: z.string(),
  tries: z.int(),
})
export const DeadLetterAction = z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(1000).optional() })

export const DeadLetterPage = z.object({ letters: z.array(DeadLetterView), total: z.int().nonnegative() })
export const DeadLettersHandled = z.object({ letters: z.int().nonnegative() })

export const AdminLinkPage = paged('links', AdminLinkView)
export const InvitationList = z.object({ invitations: z.array(InvitationView) })
export const DomainList = z.object({ domains: z.array(DomainView) })
export const AdminAccountPage = paged('accounts', AdminAccountView)
export const ReportPage = paged('reports', ReportView)
export const BlocklistPage = paged('rules', BlockRuleView)
export const AuditPage = paged('entries', AuditView)

export type AdminOverview = z.infer<typeof AdminOverview>
export type AdminLinkView = z.infer<typeof AdminLinkView>
export type AdminAccountView = z.infer<typeof AdminAccountView>
export type InvitationView = z.infer<typeof InvitationView>
export type BlockRuleView = z.infer<typeof BlockRuleView>
export type DomainView = z.infer<typeof DomainView>
export type AuditView = z.infer<typeof AuditView>
export type SystemView = z.infer<typeof SystemView>
export type DeadLetterView = z.infer<typeof DeadLetterView>

import { z } from 'zod'
import { isoTime, paged, pageQuery } from '@/lib/tools/schema'

/** Who did something, and from where. */
export const By = z.object({
  account: z.object({ id: z.string(), handle: z.string(), email: z.string() }),
  /** Address of the client; '' where it is not known. */
  address: z.string(),
})

export const AuditQuery = z.strictObject({
  ...pageQuery,
  actor: z.string().max(36).optional(),
  action: z.string().max(64).optional(),
  target: z.string().max(400).optional(),
})

export const AuditView = z.object({
  id: z.string(),
  at: isoTime(),
  actor: z.string(),
  actorId: z.string(),
  actorName: z.string().meta({ description: 'The account’s current name, or the one in the log.' }),
  action: z.string(),
  target: z.string(),
  targetName: z
    .string()
    .meta({ description: 'The name of the account, title of the link, or email of the invitation. Empty if there’s none.' }),
  details: z.record(z.string(), z.unknown()),
  address: z.string(),
})

export const AuditPage = paged('entries', AuditView)

/** What admins do, as the log names it: which of what. */
const VERBS = {
  account: ['ban', 'delete', 'reset', 'role', 'sign-out', 'unban'],
  blocklist: ['act', 'add', 'import', 'remove'],
  'dead-letters': ['drop', 'retry'],
  domain: ['add', 'change', 'remove', 'verify'],
  email: ['test'],
  filter: ['rebuild'],
  invitation: ['create', 'revoke'],
  link: ['ban', 'delete', 'disable', 'enable', 'restore', 'unban'],
  links: ['ban', 'delete', 'disable', 'enable', 'restore', 'unban'],
  report: ['ban', 'delete', 'disable', 'dismiss'],
} as const

type Verbs = typeof VERBS
export type AuditAction = { [Area in keyof Verbs]: `${Area}.${Verbs[Area][number]}` }[keyof Verbs]

export const AUDIT_ACTIONS = Object.entries(VERBS).flatMap(([area, verbs]) =>
  verbs.map((verb) => `${area}.${verb}`),
) as AuditAction[]

export type By = z.infer<typeof By>
export type AuditView = z.infer<typeof AuditView>

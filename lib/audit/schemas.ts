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
  action: z.string(),
  target: z.string(),
  details: z.record(z.string(), z.unknown()),
  address: z.string(),
})

export const AuditPage = paged('entries', AuditView)

/** What admins do, as the log names it: which of what. */
export type AuditAction =
  | `account.${'ban' | 'delete' | 'reset' | 'role' | 'sign-out' | 'unban'}`
  | `blocklist.${'act' | 'add' | 'import' | 'remove'}`
  | `dead-letters.${'drop' | 'retry'}`
  | `domain.${'add' | 'change' | 'remove' | 'verify'}`
  | 'filter.rebuild'
  | `invitation.${'create' | 'revoke'}`
  | `${'link' | 'links'}.${'ban' | 'delete' | 'disable' | 'enable' | 'restore' | 'unban'}`
  | `report.${'ban' | 'delete' | 'disable' | 'dismiss'}`

export type By = z.infer<typeof By>
export type AuditView = z.infer<typeof AuditView>

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

export type By = z.infer<typeof By>
export type AuditView = z.infer<typeof AuditView>

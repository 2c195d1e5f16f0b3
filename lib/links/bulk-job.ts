import type { z } from 'zod'
import type { Account } from '@/lib/actor'
import { By } from '@/lib/audit/schemas'
import type { DeletedLink, Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import type { JobKind } from '@/lib/jobs/runner'
import { failedRow, type RowOutcome, type RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob } from '@/lib/jobs/store'
import { banLink, switchLink, unbanLink } from './ban'
import type { LinkContext } from './context'
import { deleteFound } from './delete'
import type { Maker } from './permit'
import { restoreFound } from './restore'
import { AdminBulkLinks, type BulkLinks } from './schemas'

type Action = AdminBulkLinks['action']

/** What is to be done, and by which admin; null: by the owner. */
const BulkInput = AdminBulkLinks.extend({ admin: By.nullable() })
type BulkInput = z.infer<typeof BulkInput>

const VERBS: Record<Action, string> = {
  enable: 'Enable',
  disable: 'Disable',
  delete: 'Delete',
  restore: 'Restore',
  ban: 'Ban',
  unban: 'Lift the ban of',
}

/**
 * Queues something to be done to many links, each as if it were the only one.
 * @param as an admin may do it to any link, and is written down
 * @throws TerseError 'forbidden', 'conflict' or 'unavailable'
 */
export function queueBulk(
  ctx: LinkContext,
  by: { account: Account; address: string | null },
  input: BulkLinks | AdminBulkLinks,
  as: 'owner' | 'admin',
): Promise<JobView> {
  const ids = [...new Set(input.ids)]
  const { id, handle, email } = by.account
  const admin = as === 'owner' ? null : { account: { id, handle, email }, address: by.address ?? '' }
  return createJob(ctx, by, {
    kind: 'links',
    title: `${VERBS[input.action]} ${ids.length.toLocaleString('en')} ${ids.length === 1 ? 'link' : 'links'}`,
    input: { reason: '', ...input, ids, admin } satisfies BulkInput,
    total: ids.length,
  })
}

/** Told of each link that an admin changed, for the audit log. */
export type OnAdminAction = (ctx: LinkContext, admin: By, action: Action, fullShortUrl: string, reason: string) => Promise<void>

export function bulkKind(onAdminAction: OnAdminAction): JobKind<LinkContext, BulkInput> {
  return {
    input: BulkInput,
    run: (ctx, job) => job.each(job.input.ids, (id) => oneRow(job.within(ctx), job, BigInt(id), onAdminAction)),
  }
}

async function oneRow(ctx: LinkContext, job: RunningJob<BulkInput>, id: bigint, tell: OnAdminAction): Promise<RowOutcome> {
  const { action, reason, admin } = job.input
  const mine = (row: { ownerId: string | null } | null) => row !== null && (admin !== null || row.ownerId === job.userId)
  const link = await ctx.db.read((client) => client.link.findUnique({ where: { id } }))
  const deleted = link ? null : await ctx.db.read((client) => client.deletedLink.findUnique({ where: { id } }))
  const found = mine(link) ? link : mine(deleted) ? deleted : null
  // Whether it is someone else's is nobody's business.
  if (!found) return { target: String(id), outcome: 'failed', message: 'There is no such link.' }
  const target = found.fullShortUrl
  const maker: Maker = admin ? { ...job.actor, isModerator: true } : job.actor
  try {
    if (!(await act(ctx, maker, job.input, link, deleted))) return { target, outcome: 'skipped', message: 'It was so already.' }
    if (admin) await tell(ctx, admin, action, target, reason)
    return { target, outcome: 'done' }
  } catch (error) {
    return failedRow(target, error)
  }
}

/** @returns false when there was nothing to do: after a crash, a row may come twice */
async function act(
  ctx: LinkContext,
  by: Maker,
  { action, reason }: BulkInput,
  link: Link | null,
  deleted: DeletedLink | null,
): Promise<boolean> {
  if (action === 'restore') {
    if (deleted) await restoreFound(ctx, by, deleted)
    return deleted !== null
  }
  if (action === 'delete') {
    if (link) await deleteFound(ctx, by, link)
    return link !== null
  }
  if (!link) throw new TerseError('gone', 'This link was deleted.')
  const isReached =
    action === 'unban' ? link.state !== 'banned' : link.state === { enable: 'active', disable: 'disabled', ban: 'banned' }[action]
  if (isReached && !(action === 'ban' && link.banReason !== reason)) return false
  if (action === 'ban') await banLink(ctx, link.id, reason)
  else if (action === 'unban') await unbanLink(ctx, by, link.id)
  else await switchLink(ctx, by, link.id, action === 'enable')
  return true
}

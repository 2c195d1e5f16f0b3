import type { z } from 'zod'
import type { Account } from '@/lib/actor'
import { By } from '@/lib/audit/schemas'
import type { JobKind } from '@/lib/jobs/runner'
import { failedRow, type RowOutcome, type RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob } from '@/lib/jobs/store'
import { actOn, isReached } from './act'
import type { LinkContext } from './context'
import { findAny, noSuchLink } from './find'
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
  let target = String(id)
  try {
    const found = await findAny(ctx, id)
    // Whether it is someone else's is nobody's business.
    if (!admin && found.ownerId !== job.userId) throw noSuchLink()
    target = found.fullShortUrl
    // After a crash, a row may come twice.
    if (isReached(found, action, reason)) return { target, outcome: 'skipped', message: 'It was so already.' }
    await actOn(ctx, admin ? { ...job.actor, isModerator: true } : job.actor, found, action, reason)
    if (admin) await tell(ctx, admin, action, target, reason)
    return { target, outcome: 'done' }
  } catch (error) {
    return failedRow(target, error)
  }
}

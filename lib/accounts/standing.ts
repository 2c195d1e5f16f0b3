import type { Account } from '@/lib/actor'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { cancelAdminJobs, cancelJobs } from '@/lib/jobs/queue'
import type { AccountContext } from './context'
import { lockUser, requireOtherAdmin } from './locks'

export interface Ban {
  /** The account's owner reads it. */
  reason: string
  /** null: until it is lifted. */
  until: Date | null
}

/**
 * Keeps an account out: its sessions end at once, its API keys are refused from now on, and its jobs are cancelled.
 * Its links stay as they are.
 * @throws TerseError 'validation_failed', 'not_found', 'conflict' for the last admin, 'unavailable'
 */
export async function banAccount(ctx: AccountContext, userId: string, { reason, until }: Ban): Promise<void> {
  if (until && until.getTime() <= Date.now()) throw invalidField('until', say('api.link.past'))
  await ctx.db.atomic(async (tx) => {
    await requireOtherAdmin(tx, userId)
    await lockUser(tx, userId)
    await tx.user.updateMany({
      where: { id: userId },
      data: { banned: true, banReason: reason, banExpires: until, updatedAt: new Date() },
    })
    await tx.session.deleteMany({ where: { userId } })
    // What it asked for goes no further.
    await cancelJobs(tx, { userId })
  })
}

/** @throws TerseError 'not_found', 'unavailable' */
export async function unbanAccount(ctx: AccountContext, userId: string): Promise<void> {
  await ctx.db.atomic(async (tx) => {
    await lockUser(tx, userId)
    const data = { banned: false, banReason: null, banExpires: null, updatedAt: new Date() }
    await tx.user.updateMany({ where: { id: userId }, data })
  })
}

/**
 * Ends all sessions of an account. API keys stay.
 * @returns how many there were
 * @throws TerseError 'not_found', 'unavailable'
 */
export function signOutEverywhere(ctx: AccountContext, userId: string): Promise<number> {
  return ctx.db.atomic(async (tx) => {
    await lockUser(tx, userId)
    return (await tx.session.deleteMany({ where: { userId } })).count
  })
}

/**
 * Makes an account an admin, or no longer one. It takes effect with its next request; the jobs that it asked for as an admin are
 * cancelled.
 * @throws TerseError 'not_found', 'conflict' for the last admin, 'unavailable'
 */
export function setRole(ctx: AccountContext, userId: string, role: Account['role']): Promise<void> {
  return ctx.db.atomic(async (tx) => {
    if (role !== 'admin') await requireOtherAdmin(tx, userId)
    await lockUser(tx, userId)
    await tx.user.updateMany({ where: { id: userId }, data: { role, updatedAt: new Date() } })
    if (role !== 'admin') await cancelAdminJobs(tx, userId)
  })
}

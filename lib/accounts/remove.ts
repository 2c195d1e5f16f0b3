import type { Account, Actor } from '@/lib/actor'
import { deleteConversionsOf } from '@/lib/conversions/delete'
import { noteLetGo } from '@/lib/counts/changes'
import type { Transaction } from '@/lib/db/client'
import { retryTransaction } from '@/lib/db/errors'
import { type Link, Prisma } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { forgetHealthOf } from '@/lib/destinations/health'
import { invalidField, isTerseError } from '@/lib/errors'
import { forgetAuthor } from '@/lib/history/forget-author'
import { type NewEntry, noteChanges, SYSTEM } from '@/lib/history/note-changes'
import { say } from '@/lib/i18n/message'
import { cancelJobs, UNFINISHED } from '@/lib/jobs/queue'
import { deleteFilingOf } from '@/lib/labels/labels'
import { deleteLink } from '@/lib/links/delete'
import { OURSELVES } from '@/lib/links/permit'
import { hostOf } from '@/lib/links/view'
import type { Limits } from '@/lib/net/limits'
import { forgetSumsOf } from '@/lib/scopes/counting'
import { letGoSeries } from '@/lib/series/store'
import { deleteTemplatesOf } from '@/lib/utm/templates'
import type { AccountContext } from './context'
import type { SessionFacts } from './identify'
import { lockUser, requireOtherAdmin } from './locks'
import { checkPassword, type PasswordAttempt, requireRecent } from './proof'
import type { DeleteAccount } from './schemas'
import { forgetUsernames } from './username'

/** Links that are let go by one statement. */
const KEPT_PIECE = 1_000
/** Links that are deleted side by side. */
const DELETED_PIECE = 8

/**
 * Removes an account. It is closed at once: nobody can sign in, its keys and sessions are gone, its name and address
 * too. Its links follow in the background, for there may be very many; the mark in `removal` stays until all is done,
 * so that whatever stops the work, the next sweep of any process goes on with it.
 * @param links keep: they go on leading where they lead and belong to nobody; delete: as by their owner
 * @throws TerseError 'not_found', 'conflict' for the last admin, 'unavailable'
 */
export async function removeAccount(ctx: AccountContext, userId: string, links: 'keep' | 'delete'): Promise<void> {
  await closeAccount(ctx, userId, links)
  finishRemoval(ctx, userId).catch((error: unknown) => {
    ctx.log.warn({ err: error, userId }, 'the removal of an account was broken off; it goes on later')
  })
}

/** The first step of `removeAccount`, in one transaction. @throws as `removeAccount` */
export function closeAccount(ctx: AccountContext, userId: string, links: 'keep' | 'delete'): Promise<void> {
  return ctx.db.atomic(async (tx) => {
    await requireOtherAdmin(tx, userId)
    await lockUser(tx, userId)
    const nobody = {
      name: '',
      email: `${userId}@removed.invalid`,
      image: null,
      username: null,
      role: 'user',
      publicProfile: false,
    }
    const banned = { banned: true, banReason: 'It is being deleted.', banExpires: null }
    await tx.user.updateMany({
      where: { id: userId },
      data: { ...nobody, ...banned, removal: links, twoFactorEnabled: false, updatedAt: new Date() },
    })
    await forgetUsernames(tx, userId)
    await deleteBelongings(tx, userId)
    // They are deleted when the links have followed; until then they go no further.
    await cancelJobs(tx, { userId })
  })
}

/**
 * The rest of `removeAccount`. May run again, and in several processes at once.
 * @throws TerseError 'unavailable'
 */
export async function finishRemoval(ctx: AccountContext, userId: string): Promise<void> {
  const user = await ctx.db.read((client) => client.user.findUnique({ where: { id: userId }, select: { removal: true } }))
  if (!user || user.removal === null) return
  if (user.removal === 'delete') await deleteLinksOf(ctx, userId)
  await deleteConversionsOf(ctx.db, userId)
  while ((await ctx.db.atomic((tx) => letGo(tx, userId))) === KEPT_PIECE);
  while ((await letGoDeleted(ctx, userId)) === KEPT_PIECE);
  await deleteFilingOf(ctx, userId)
  await forgetHealthOf(ctx, userId)
  await forgetSumsOf(ctx.db, userId)
  await forgetAuthor(ctx, userId)
  await deleteJobsOf(ctx, userId)
  await ctx.db.atomic(async (tx) => {
    // Once more, in this order: what was restored or deleted meanwhile has changed its table. A restore either waits for this
    // or is waited for (lib/links/restore.ts), so that nothing is left to an owner who is gone.
    await tx.$executeRaw`UPDATE DeletedLink SET ownerId = NULL WHERE ownerId = ${userId}`
    while ((await letGo(tx, userId)) === KEPT_PIECE);
    const { handle } = (await tx.user.findUnique({ where: { id: userId } })) ?? {}
    const { count } = await tx.user.deleteMany({ where: { id: userId, removal: { not: null } } })
    if (count === 0) return
    await deleteBelongings(tx, userId)
    // Given again once its quarantine is over (lib/ids/handles.ts).
    if (handle) await tx.freedHandle.createMany({ data: [{ handle: Number(handle), freedAt: new Date() }] })
  })
}

/** What lets someone in, and what they have not given away. */
async function deleteBelongings(tx: Transaction, userId: string): Promise<void> {
  await tx.session.deleteMany({ where: { userId } })
  await tx.credential.deleteMany({ where: { userId } })
  await tx.passkey.deleteMany({ where: { userId } })
  await tx.twoFactor.deleteMany({ where: { userId } })
  await tx.preferences.deleteMany({ where: { userId } })
  await tx.qrLogo.deleteMany({ where: { userId } })
  await letGoSeries(tx, userId)
  await deleteTemplatesOf(tx, userId)
  await tx.apiKey.deleteMany({ where: { referenceId: userId } })
  await tx.statsShare.deleteMany({ where: { ownerId: userId } })
  await tx.webhook.deleteMany({ where: { ownerId: userId } })
  await tx.accountClick.deleteMany({ where: { ownerId: userId } })
  await tx.domain.updateMany({ where: { upstreamOwnerId: userId }, data: { upstreamOwnerId: null } })
  await tx.invitation.deleteMany({ where: { createdBy: userId, usedBy: null } })
}

async function deleteLinksOf(ctx: AccountContext, userId: string): Promise<void> {
  const owner: Actor = { account: null, ownerId: userId, scope: 'write', manageToken: null, origin: OURSELVES.origin }
  for (;;) {
    const links = await ctx.db.read((client) =>
      client.link.findMany({ where: { ownerId: userId }, select: { code: true, fullShortUrl: true }, take: DELETED_PIECE }),
    )
    if (links.length === 0) return
    await Promise.all(
      links.map(({ code, fullShortUrl }) =>
        deleteLink(ctx, owner, { code, domain: hostOf(fullShortUrl) }).catch((error: unknown) => {
          // Another process was faster.
          if (!isTerseError(error) || (error.code !== 'gone' && error.code !== 'not_found')) throw error
        }),
      ),
    )
  }
}

/**
 * Takes the owner from some links. Caches know nothing of owners. Their version grows, so that an edit under way does not put the
 * owner back, and the time tells the search index.
 */
async function letGo(tx: Transaction, userId: string): Promise<number> {
  const links = await tx.$queryRaw<LetGo[]>`
    SELECT id, version, listed FROM Link WHERE ownerId = ${userId} LIMIT ${KEPT_PIECE} FOR UPDATE`
  if (links.length === 0) return 0
  const ids = links.map(({ id }) => id)
  await tx.$executeRaw`
    UPDATE Link SET ownerId = NULL, listed = FALSE, version = version + 1, updatedAt = UTC_TIMESTAMP(3) WHERE id IN (${Prisma.join(ids)})`
  await noteLetGo(tx, ids, userId)
  const at = await databaseTime(tx)
  await noteChanges(
    tx,
    links.map((link) => letGoEntry(link, at)),
  )
  return ids.length
}

type LetGo = Pick<Link, 'id' | 'version'> & { listed: boolean | number }

const letGoEntry = ({ id, version, listed }: LetGo, at: Date): NewEntry => ({
  linkId: id,
  version: version + 1n,
  at,
  by: SYSTEM,
  wasOpen: false,
  changes: [
    ...(listed ? [{ field: 'listed', from: true, to: false } as const] : []),
    { field: 'owner', from: 'account', to: 'none' },
  ],
})

/** The same of links in the bin, which are not counted. */
function letGoDeleted(ctx: AccountContext, userId: string): Promise<number> {
  // What is restored at this moment takes locks of both tables.
  return retryTransaction(() =>
    ctx.db.write(
      (client) => client.$executeRaw`UPDATE DeletedLink SET ownerId = NULL WHERE ownerId = ${userId} LIMIT ${KEPT_PIECE}`,
    ),
  )
}

async function deleteJobsOf(ctx: AccountContext, userId: string): Promise<void> {
  // One that could not be cancelled goes on, and is swept when it is old.
  const where = { userId, state: { notIn: UNFINISHED } }
  const jobs = await ctx.db.read((client) => client.job.findMany({ where, select: { id: true } }))
  for (const { id } of jobs) {
    await ctx.db.atomic(async (tx) => {
      await tx.jobPart.deleteMany({ where: { jobId: id } })
      await tx.jobFile.deleteMany({ where: { jobId: id } })
      await tx.jobItem.deleteMany({ where: { jobId: id } })
      await tx.job.deleteMany({ where: { id } })
    })
  }
}

/**
 * Removes an account for its owner, who shows once more who it is.
 * @throws TerseError 'validation_failed' for a wrong handle or password, 'proof_needed' for an account without a
 *   password that did not sign in lately, 'rate_limited', 'conflict' for the last admin, 'unavailable'
 */
export async function deleteOwnAccount(
  ctx: AccountContext & { limits: Limits },
  account: Account,
  session: SessionFacts,
  { handle, password, links }: DeleteAccount,
  attempt: PasswordAttempt,
): Promise<void> {
  if (handle !== account.handle) throw invalidField('handle', say('api.account.wrongHandle'))
  const right = await checkPassword(ctx, account.id, password ?? '', attempt)
  if (right === null) requireRecent(session)
  else if (!right) throw invalidField('password', say('api.account.wrongPassword'))
  await removeAccount(ctx, account.id, links)
}

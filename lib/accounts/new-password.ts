import { randomUUID } from 'node:crypto'
import { APIError } from 'better-auth'
import { getSessionFromCtx } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { Config } from '@/lib/config'
import type { Database, Transaction } from '@/lib/db/client'
import { retryTransaction } from '@/lib/db/errors'
import { localeOf } from '@/lib/i18n/languages'
import { asText, say } from '@/lib/i18n/message'
import type { Mailer } from '@/lib/mail/mailer'
import type { Limits } from '@/lib/net/limits'
import { passwordTrouble } from './common-passwords'
import type { HookContext } from './hooks'
import { MAX_PASSWORD, MIN_PASSWORD, PASSWORD_PROVIDER, RESET_PREFIX, TRUSTED_BROWSER_PREFIX } from './names'
import { tellOwner } from './notices'

/**
 * What stands in the place of better-auth's reset and change of a password: theirs leave other links, sessions and
 * trusted browsers in force, and decide outside of a transaction which of two links was first.
 */

interface Parts {
  config: Pick<Config, 'BASE_URL'>
  db: Database
  mailer: Mailer
  limits: Pick<Limits, 'consume'>
}

/** Sets a new password by the token of a link, which ends with all others of that account. */
export async function resetPassword(ctx: HookContext, parts: Parts) {
  const { config, db } = parts
  const { token, newPassword } = ctx.body as { token: string; newPassword: string }
  requireLength(newPassword)
  const valid = { identifier: RESET_PREFIX + token, expiresAt: { gt: new Date() } }
  const link = await db.verification.findFirst({ where: valid })
  const user = link && (await db.user.findUnique({ where: { id: link.value } }))
  if (!user || user.removal !== null) throw staleLink()
  await requireGood(newPassword, { ...user, baseUrl: config.BASE_URL })
  const hash = await ctx.context.password.hash(newPassword)
  await locked(db, user.id, async (tx) => {
    // Of several links that are opened at once the lock lets one through, and it takes the others with it.
    if ((await tx.verification.deleteMany({ where: valid })).count === 0) throw staleLink()
    await replacePassword(tx, user.id, hash)
  })
  void tellOwner(parts, user, { kind: 'password' }, localeOf(ctx.headers))
  return { status: true }
}

/** Changes the password of who is signed in and knows the one before; this browser alone stays signed in. */
export async function changePassword(ctx: HookContext, parts: Parts) {
  const { config, db } = parts
  const { currentPassword, newPassword } = ctx.body as { currentPassword: string; newPassword: string }
  const session = await getSessionFromCtx(ctx)
  if (!session) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED', message: asText(say('api.auth.signIn')) })
  requireLength(newPassword)
  const { context } = ctx
  const { user } = session
  const credential = await context.internalAdapter.findCredentialAccount(user.id)
  const right =
    credential?.password &&
    currentPassword.length <= MAX_PASSWORD &&
    (await context.password.verify({ hash: credential.password, password: currentPassword }))
  if (!right) throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD', message: asText(say('api.account.wrongPassword')) })
  const row = await db.user.findUnique({ where: { id: user.id } })
  await requireGood(newPassword, { ...row, email: user.email, name: user.name, baseUrl: config.BASE_URL })
  const hash = await context.password.hash(newPassword)
  await locked(db, user.id, (tx) => replacePassword(tx, user.id, hash))
  void tellOwner(parts, row ?? user, { kind: 'password' }, localeOf(ctx.headers))
  // A new one, so that a copy of this browser's cookie ends too.
  await setSessionCookie(ctx, { session: await context.internalAdapter.createSession(user.id), user })
  return { status: true }
}

/** What every new password is asked. @throws APIError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG or PASSWORD_COMMON */
export async function requireGood(password: string, beside: Parameters<typeof passwordTrouble>[1]): Promise<void> {
  requireLength(password)
  const message = await passwordTrouble(password, beside)
  if (message !== null) throw new APIError('BAD_REQUEST', { code: 'PASSWORD_COMMON', message: asText(message) })
}

function requireLength(password: string): void {
  if (password.length < MIN_PASSWORD)
    throw new APIError('BAD_REQUEST', {
      code: 'PASSWORD_TOO_SHORT',
      message: asText(say('forms.field.tooShort', { least: MIN_PASSWORD })),
    })
  if (password.length > MAX_PASSWORD)
    throw new APIError('BAD_REQUEST', {
      code: 'PASSWORD_TOO_LONG',
      message: asText(say('forms.field.tooLong', { most: MAX_PASSWORD })),
    })
}

const staleLink = () => new APIError('BAD_REQUEST', { code: 'INVALID_TOKEN', message: asText(say('forms.auth.stale')) })

/** All of `work` or nothing, with nobody else at work on the account. */
function locked(db: Database, userId: string, work: (tx: Transaction) => Promise<void>): Promise<void> {
  return retryTransaction(() =>
    db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM User WHERE id = ${userId} FOR UPDATE`
      await work(tx)
    }),
  )
}

/**
 * Sets an account's password, and ends all that the one before may have let in: sessions, links for a new password, and
 * browsers that are asked for no second factor. The caller has locked the account.
 * @param hash of the new password
 */
export async function replacePassword(tx: Transaction, userId: string, hash: string): Promise<void> {
  const now = new Date()
  await tx.session.deleteMany({ where: { userId } })
  await endSecrets(tx, userId, [RESET_PREFIX, TRUSTED_BROWSER_PREFIX])
  const where = { userId, providerId: PASSWORD_PROVIDER }
  const { count } = await tx.credential.updateMany({ where, data: { password: hash, updatedAt: now } })
  if (count > 0) return
  const times = { createdAt: now, updatedAt: now }
  await tx.credential.createMany({ data: [{ id: randomUUID(), ...where, accountId: userId, password: hash, ...times }] })
}

/** Makes links for a new password useless, that were made for this account until now. */
export const endResetLinks = (tx: Pick<Transaction, 'verification'>, userId: string) => endSecrets(tx, userId, [RESET_PREFIX])

async function endSecrets(tx: Pick<Transaction, 'verification'>, userId: string, prefixes: string[]): Promise<void> {
  for (const startsWith of prefixes) {
    // By id: a range that is deleted from would be locked, and every other secret that is made in it would wait.
    const rows = await tx.verification.findMany({
      where: { identifier: { startsWith }, value: userId },
      select: { id: true },
    })
    if (rows.length > 0) await tx.verification.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } })
  }
}

import { randomBytes } from 'node:crypto'
import { TerseError } from '@/lib/errors'
import type { Locale } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { DAY, HOUR } from '@/lib/tools/time'
import type { AccountContext } from './context'
import { localeFor } from './language'
import { resetMail } from './mails'
import { RESET_PREFIX } from './names'
import { throughAuth } from './outage'

const LIFETIME = DAY

export interface ResetLink {
  url: string
  expiresAt: Date
}

/**
 * A link by which its holder sets a new password for the account, once, within a day. For an admin to hand over.
 * @throws TerseError 'not_found', 'unavailable'
 */
export async function createResetLink(ctx: AccountContext, userId: string): Promise<ResetLink> {
  const user = await ctx.db.read((client) => client.user.findUnique({ where: { id: userId } }))
  if (!user || user.removal !== null) throw new TerseError('not_found', say('api.account.none'))
  const { internalAdapter } = await (await ctx.auth()).$context
  const token = randomBytes(24).toString('base64url')
  const expiresAt = new Date(Date.now() + LIFETIME)
  // What better-auth's own reset leaves for POST /reset-password to find.
  await throughAuth(() => internalAdapter.createVerificationValue({ identifier: RESET_PREFIX + token, value: userId, expiresAt }))
  return { url: `${ctx.config.BASE_URL}/reset-password?token=${token}`, expiresAt }
}

/** Whether a link for a new password can still be used. @throws TerseError 'unavailable' */
export async function isResetLinkGood({ db }: Pick<AccountContext, 'db'>, token: string): Promise<boolean> {
  const where = { identifier: RESET_PREFIX + token, expiresAt: { gt: new Date() } }
  return (await db.read((client) => client.verification.findFirst({ where, select: { id: true } }))) !== null
}

/**
 * As `createResetLink`, and sends it to the account's address where there is a mail server.
 * @returns with `sent`: whether the mail server took it
 */
export async function sendResetLink(ctx: AccountContext, userId: string, locale: Locale): Promise<ResetLink & { sent: boolean }> {
  const link = await createResetLink(ctx, userId)
  const user = await ctx.db.read((client) => client.user.findUniqueOrThrow({ where: { id: userId } }))
  return { ...link, sent: await ctx.mailer.send(resetMail(user.email, link.url, LIFETIME / HOUR, localeFor(user, locale))) }
}

import type { Config } from '@/lib/config'
import type { Locale } from '@/lib/i18n/languages'
import type { Mailer } from '@/lib/mail/mailer'
import type { Limits } from '@/lib/net/limits'
import { localeFor } from './language'
import { changeMail } from './mails'

/** What the owner of an account is told by mail once it has happened: it decides who gets in. */
export type Change =
  | { kind: 'password' }
  | { kind: 'second factor'; on: boolean }
  | { kind: 'passkey'; name: string }
  | { kind: 'API key'; name: string }

interface Context {
  config: Pick<Config, 'BASE_URL'>
  mailer: Mailer
  limits: Pick<Limits, 'consume'>
}

/**
 * Tells the owner. Apart from the mails that strangers can ask for: they cannot use these up. Never throws; nobody has to wait
 * for the mail server.
 * @param locale of the request that changed it, where the owner's language is not known
 */
export async function tellOwner(
  ctx: Context,
  owner: { id: string; email: string; language?: string | null },
  change: Change,
  locale: Locale,
): Promise<void> {
  if (!ctx.mailer.enabled) return
  try {
    await ctx.limits.consume('mailTo', `told ${owner.id}`)
  } catch {
    // Ten mails in an hour have said already that something is wrong.
    return
  }
  await ctx.mailer.send(changeMail(owner.email, change, ctx.config.BASE_URL, localeFor(owner, locale)))
}

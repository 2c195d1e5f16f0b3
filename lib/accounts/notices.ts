import type { Config } from '@/lib/config'
import type { Locale } from '@/lib/i18n/languages'
import type { Mailer } from '@/lib/mail/mailer'
import type { Limits } from '@/lib/net/limits'
import { localeFor } from './language'
import { changeMail, usernameMail } from './mails'

/** What the owner of an account is told by mail once it has happened: it decides who gets in, or an admin did it. */
export type Change =
  | { kind: 'password' }
  | { kind: 'second factor'; on: boolean }
  | { kind: 'passkey'; name: string }
  | { kind: 'API key'; name: string }
  | UsernameBan

/** @property reason as the admin gave it; '' for none */
export interface UsernameBan {
  kind: 'username ban'
  username: string
  handle: string
  reason: string
}

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
  const { BASE_URL } = ctx.config
  const language = localeFor(owner, locale)
  await ctx.mailer.send(
    change.kind === 'username ban'
      ? usernameMail(owner.email, change, BASE_URL, language)
      : changeMail(owner.email, change, BASE_URL, language),
  )
}

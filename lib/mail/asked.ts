import type { Limits } from '@/lib/net/limits'
import type { Mail, Mailer } from './mailer'

interface Context {
  mailer: Mailer
  limits: Pick<Limits, 'consume'>
}

/** What a mail is for. */
export type Purpose = 'notice' | 'reset' | 'verification' | 'change' | 'report'

/**
 * Sends a mail that a stranger can cause, to an address that may not be theirs: so many an hour for one client, for one
 * address and purpose, and of these a few for each client, so that no purpose or client uses up what the owner asks for. More
 * are left out, and nobody is told: that would say what else was sent there. Never throws.
 * @param purpose `notice`: nobody who reads it asked for it
 * @param client who caused it, by `limitKey`; null where it is not known any more
 * @returns whether the mail server took it
 */
export async function sendAsked(
  { mailer, limits }: Context,
  mail: Mail,
  purpose: Purpose,
  client: string | null,
): Promise<boolean> {
  try {
    const to = `${purpose} ${mail.to.trim().toLowerCase()}`
    // Apart from what is asked for under this name, which is refused aloud (lib/api/auth-attempt.ts).
    if (client !== null) await limits.consume('mail', `sent by ${client}`)
    if (client !== null) await limits.consume('mailShare', `${client} ${to}`)
    await limits.consume(purpose === 'notice' ? 'mailNotice' : 'mailTo', to)
  } catch {
    return false
  }
  return mailer.send(mail)
}

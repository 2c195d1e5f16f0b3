import type { Limits } from '@/lib/net/limits'
import type { Mail, Mailer } from './mailer'

interface Context {
  mailer: Mailer
  limits: Pick<Limits, 'take'>
}

/**
 * Sends a mail that a stranger can cause, to an address that may not be theirs: so many an hour for one client, and for one
 * address. More are left out, and nobody is told: that would say what else was sent there. Never throws.
 * @param client who caused it, by `limitKey`; null where it is not known any more
 * @returns whether the mail server took it
 */
export async function sendAsked({ mailer, limits }: Context, mail: Mail, client: string | null): Promise<boolean> {
  try {
    // Apart from what is asked for under these names, which is refused aloud (lib/api/auth-attempt.ts).
    if (client !== null) await limits.take('mail', `sent by ${client}`)
    await limits.take('mailTo', `sent ${mail.to.trim().toLowerCase()}`)
  } catch {
    return false
  }
  return mailer.send(mail)
}

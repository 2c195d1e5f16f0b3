import type { Account } from '@/lib/actor'
import type { Config } from '@/lib/config'
import { TerseError } from '@/lib/errors'
import type { Locale } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { translator } from '@/lib/i18n/translate'
import type { Mailer } from '@/lib/mail/mailer'
import type { Limits } from '@/lib/net/limits'
import type { TestEmail } from './schemas'

interface Context {
  config: Pick<Config, 'BASE_URL'>
  mailer: Mailer
  limits: Pick<Limits, 'consume'>
}

/**
 * Sends an admin a mail, to see whether the mail server takes it.
 * @throws TerseError 'conflict' without a mail server, 'rate_limited'
 */
export async function sendTestEmail({ config, mailer, limits }: Context, to: Account, locale: Locale): Promise<TestEmail> {
  if (!mailer.enabled) throw new TerseError('conflict', say('api.system.noMail'))
  await limits.consume('mailTo', `test by ${to.id}`)
  const t = translator(locale, 'mail')
  const text = t('test.text', { site: new URL(config.BASE_URL).host })
  return { to: to.email, refusal: await mailer.refusalOf({ to: to.email, subject: t('test.subject'), text, locale }) }
}

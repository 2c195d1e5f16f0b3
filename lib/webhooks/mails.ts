import { localeFor } from '@/lib/accounts/language'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { negotiate } from '@/lib/i18n/languages'
import { translator } from '@/lib/i18n/translate'
import type { Mailer } from '@/lib/mail/mailer'
import type { TurnedOff } from './turn-off'

interface Context {
  config: Pick<Config, 'BASE_URL'>
  db: DatabaseGateway
  mailer: Mailer
}

/** Tells the owner of a webhook by mail that it was turned off. Never throws for the mail server. */
export const tellTurnedOff =
  ({ config: { BASE_URL }, db, mailer }: Context): TurnedOff =>
  async ({ ownerId, url, failingSince }) => {
    const owner = await db.read((client) => client.user.findUnique({ where: { id: ownerId } }))
    if (!owner || !mailer.enabled) return
    const locale = localeFor(owner, negotiate(''))
    const t = translator(locale, 'mail')
    const settingsUrl = `${BASE_URL}/dashboard/settings/webhooks`
    const { host: site } = new URL(BASE_URL)
    await mailer.send({
      to: owner.email,
      locale,
      subject: t('webhookOff.subject', { host: new URL(url).host }),
      text: t('webhookOff.text', { url, site, failingSince, settingsUrl }),
    })
  }

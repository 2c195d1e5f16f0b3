import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Domains } from '@/lib/domains/domains'
import { negotiate } from '@/lib/i18n/languages'
import { translator } from '@/lib/i18n/translate'
import { HEALTH_NUMBERS, healthStateOf } from '@/lib/links/health'
import { shortUrlOf } from '@/lib/links/view'
import type { Mailer } from '@/lib/mail/mailer'
import { localeFor } from './language'

interface Context {
  config: Pick<Config, 'BASE_URL'>
  db: DatabaseGateway
  domains: Domains
  mailer: Mailer
}

/** Links that a mail names; of more it says how many there are, up to a bound. */
const NAMED = 20
const MOST = 1_000

interface Row {
  id: bigint
  code: string
  fullShortUrl: string
  state: number
}

/**
 * Tells an account by one mail what was found since the last, at most once a day: each link once. Marked before the mail is sent,
 * so that nobody is told twice. Never throws for the mail server.
 */
export const tellHealth =
  ({ config: { BASE_URL }, db, domains, mailer }: Context) =>
  async (ownerId: string): Promise<void> => {
    const rows = await db.rows<Row>(
      `SELECT Link.id, code, fullShortUrl, LinkHealth.state AS state FROM LinkHealth JOIN Link ON Link.id = linkId
        WHERE LinkHealth.ownerId = ? AND isTold = FALSE AND LinkHealth.state > ${HEALTH_NUMBERS.failing} LIMIT ${MOST}`,
      ownerId,
    )
    if (rows.length === 0 || !mailer.enabled) return
    const taken = await db.change(
      `UPDATE HealthAccount SET toldAt = UTC_TIMESTAMP(3)
        WHERE ownerId = ? AND (toldAt IS NULL OR toldAt < UTC_TIMESTAMP(3) - INTERVAL 1 DAY)`,
      ownerId,
    )
    const owner = taken === 0 ? null : await db.read((client) => client.user.findUnique({ where: { id: ownerId } }))
    if (!owner) return
    await db.change(
      'UPDATE LinkHealth SET isTold = TRUE WHERE linkId IN (?)',
      rows.map(({ id }) => id),
    )
    const locale = localeFor(owner, negotiate(''))
    const t = translator(locale, 'mail')
    const { host: site } = new URL(BASE_URL)
    const links = rows
      .slice(0, NAMED)
      .map((row) => `${shortUrlOf({ domains }, row)}\n${t(`health.found.${healthStateOf(row.state) ?? 'dead'}`)}`)
      .join('\n\n')
    const rest = rows.length > NAMED ? t('health.more', { count: rows.length - NAMED }) : ''
    await mailer.send({
      to: owner.email,
      locale,
      subject: t('health.subject', { count: rows.length }),
      text: t('health.text', {
        site,
        links,
        rest,
        listUrl: `${BASE_URL}/dashboard?health=any`,
        settingsUrl: `${BASE_URL}/dashboard/settings`,
      }),
    })
  }

import { Fragment } from 'react'
import { useTranslations } from '#i18n'
import { type SentForm, sentOf } from '@/lib/forms/sent'
import type { Setting } from '@/lib/overview/first-settings'
import { SettingHint, SettingLine } from './setting-line'
import { TestEmailForm } from './test-email-form'

interface Props {
  /** Host and port of SMTP_URL; null: none is set. */
  server: string | null
  from: string | { name: string; address: string }
  settings: readonly Setting[]
  /** The admin's own. */
  email: string
  sent: SentForm | null
}

/** The mail server is a setting; whether it takes mails can be tried here. */
export function MailStep({ server, from, settings, email, sent }: Props) {
  const t = useTranslations('setup.mail')
  if (server === null) {
    return (
      <>
        <p>{t('off')}</p>
        <SettingHint />
        {settings.map((setting) => (
          <Fragment key={setting.name}>
            {setting.name === 'MAIL_FROM' && <p className="text-sm text-muted">{t('sender')}</p>}
            <SettingLine {...setting} />
          </Fragment>
        ))}
      </>
    )
  }
  const sender = typeof from === 'string' ? from : `${from.name} <${from.address}>`
  return (
    <>
      <p>
        {t.rich('on', {
          server: () => (
            <bdi key="server" className="font-semibold text-anywhere">
              {server}
            </bdi>
          ),
          from: () => (
            <bdi key="from" className="font-semibold text-anywhere">
              {sender}
            </bdi>
          ),
        })}
      </p>
      <TestEmailForm email={email} sent={sentOf(sent, 'test-email')} />
    </>
  )
}

import { useTranslations } from '#i18n'
import { LinkButton } from '@/app/_ui/base/button'
import type { Setting } from '@/lib/overview/first-settings'
import { SettingHint, SettingLine } from './setting-line'

interface Props {
  /** BASE_URL. */
  baseUrl: string
  /** The host that this page was opened at, where it is another one. */
  elsewhere: string | null
  done: boolean
  settings: readonly Setting[]
  /** Domains that were added and not verified. */
  waiting: number
}

/** The address of short links is a setting; more domains are added in the app. */
export function DomainStep({ baseUrl, elsewhere, done, settings, waiting }: Props) {
  const t = useTranslations('setup.domain')
  const { host } = new URL(baseUrl)
  return (
    <>
      <p>
        {t.rich('current', { base: () => <strong className="font-semibold text-anywhere">{baseUrl}</strong> })}{' '}
        {elsewhere ? t('elsewhere', { host: elsewhere, base: host }) : t(done ? 'works' : 'local')}
      </p>
      {settings.length > 0 && <SettingHint />}
      {settings.map((setting) => (
        <SettingLine key={setting.name} {...setting} />
      ))}
      <div className="pt-2">
        <h3 className="text-[15px] font-semibold">{t('more')}</h3>
        <p className="mt-1 text-sm text-muted">
          {t('moreText')} {waiting > 0 && t('waiting', { count: waiting })}
        </p>
      </div>
      <LinkButton href="/admin/domains" prefetch={false} size="small">
        {t('manage')}
      </LinkButton>
    </>
  )
}

import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import type { Config } from '@/lib/config'
import { SettingHint, SettingLine } from './setting-line'

const POLICIES = ['open', 'invitation', 'closed'] as const satisfies readonly Config['SIGN_UP'][]

interface Props {
  policy: Config['SIGN_UP']
  /** It was set, rather than left as it is. */
  given: boolean
  /** ANONYMOUS_LINKS. */
  anonymous: boolean
}

/** Who gets an account, and who needs none: both are settings. */
export function SignUpStep({ policy, given, anonymous }: Props) {
  const t = useTranslations('setup.signUp')
  return (
    <>
      <SettingHint />
      <ul aria-label={t('label')} className="grid gap-3 lg:grid-cols-3">
        {POLICIES.map((one) => (
          <li key={one} className="flex min-w-0 flex-col gap-2 rounded-card border border-line p-3">
            <p className="flex flex-wrap items-center gap-2 text-[15px] font-medium">
              {t(`policy.${one}.name`)}
              {one === policy && <Badge tone="ok">{t(given ? 'current' : 'default')}</Badge>}
            </p>
            <p className="flex-1 text-sm text-muted">{t(`policy.${one}.text`)}</p>
            <SettingLine name="SIGN_UP" value={one} />
          </li>
        ))}
      </ul>
      <div className="pt-2">
        <h3 className="text-[15px] font-semibold">{t('anonymous')}</h3>
        <p className="mt-1 text-sm text-muted">{t(anonymous ? 'anonymousOn' : 'anonymousOff')}</p>
      </div>
      <SettingLine name="ANONYMOUS_LINKS" value={anonymous ? 'off' : 'on'} />
    </>
  )
}

import { useTranslations } from '#i18n'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { type Setting, settingLine } from '@/lib/overview/first-settings'

/** Before the line of a setting: where it goes, and what makes it work. */
export function SettingHint() {
  const t = useTranslations('setup')
  return <p className="text-sm text-muted">{t.rich('lines', { code: (name) => <code className="text-fg">{name}</code> })}</p>
}

/** The line of a setting as it goes into `.env`, to copy. */
export function SettingLine(setting: Setting) {
  const t = useTranslations('setup')
  const line = settingLine(setting)
  return (
    <div className="flex items-center gap-2 rounded-control border border-line bg-bg py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 py-1 text-[13px] text-anywhere">{line}</code>
      <CopyIconButton text={line} name={`${t('line')} ${setting.name}`} />
    </div>
  )
}

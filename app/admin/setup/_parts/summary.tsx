import { useTranslations } from '#i18n'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { type Setting, settingLine } from '@/lib/overview/first-settings'

/** The end of the steps: all that is left to set, in one. */
export function Summary({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations('setup.summary')
  const lines = settings.map(settingLine).join('\n')
  return (
    <>
      {settings.length === 0 ? (
        <p>{t('none')}</p>
      ) : (
        <>
          <p>{t.rich('lines', { code: (name) => <code>{name}</code> })}</p>
          <div className="flex flex-col gap-3 rounded-control border border-line bg-bg p-3 sm:flex-row sm:items-start">
            <pre className="min-w-0 flex-1 font-mono text-[13px] leading-6 whitespace-pre-wrap text-anywhere">{lines}</pre>
            <CopyButton text={lines} name={t('settings')} />
          </div>
        </>
      )}
      <p className="text-sm text-muted">{t('again')}</p>
    </>
  )
}

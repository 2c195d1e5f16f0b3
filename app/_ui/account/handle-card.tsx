import { useTranslations } from '#i18n'
import { CopyIconButton } from '@/app/_ui/base/copy-button'

/** The account's number, large enough to be read over a shoulder. */
export function HandleCard({ handle }: { handle: string }) {
  const t = useTranslations('account.handle')
  return (
    <section
      aria-label={t('label')}
      className="flex items-center justify-between gap-4 rounded-card border border-line bg-surface p-5"
    >
      <div>
        <p className="text-sm text-muted">{t('label')}</p>
        <p className="mt-0.5 font-mono text-3xl font-semibold tracking-wide tabular-nums">{handle}</p>
        <p className="mt-1 text-[13px] text-muted">{t('hint')}</p>
      </div>
      <CopyIconButton text={handle} name={t('copy')} />
    </section>
  )
}

import { useTranslations } from '#i18n'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { LongText } from './long-text'

/** Where a link leads, to be read and copied. Never a way to go there: it may be what was reported. */
export function Destination({ url, label }: { url: string; label?: string }) {
  const t = useTranslations('admin.destination')
  return (
    <div className="rounded-control border border-line bg-bg py-2 pr-1 pl-3.5">
      <div className="flex items-center justify-between gap-2">
        <p className="text-[13px] text-muted">{label ?? t('label')}</p>
        <CopyIconButton text={url} name={t('copy')} />
      </div>
      <LongText className="pr-2.5 pb-1 font-mono text-[13px]">{url}</LongText>
    </div>
  )
}

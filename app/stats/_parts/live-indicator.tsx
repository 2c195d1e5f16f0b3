import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import type { LiveState } from '@/app/_ui/data/live'

const DOTS: Record<LiveState, string> = {
  connecting: 'bg-line-strong',
  connected: 'bg-ok',
  reconnecting: 'bg-warn',
  off: 'bg-line-strong',
}

/** Whether new clicks appear by themselves. */
export function LiveIndicator({ state }: { state: LiveState }) {
  const t = useTranslations('stats')
  return (
    <span
      role="status"
      title={t(`live.${state}.hint`)}
      className="scripts-only inline-flex h-8 items-center gap-2 rounded-full border border-line bg-surface px-3 text-[13px] font-medium text-muted"
    >
      <span aria-hidden="true" className={cx('size-2 rounded-full', DOTS[state])} />
      {t(`live.${state}.text`)}
    </span>
  )
}

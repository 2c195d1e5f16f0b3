import { cx } from '@/app/_ui/base/cx'
import type { LiveState } from '@/app/_ui/data/live'

const STATES: Record<LiveState, { text: string; hint: string; dot: string }> = {
  connecting: { text: 'Connecting…', hint: 'New clicks will appear by themselves.', dot: 'bg-line-strong' },
  connected: { text: 'Live', hint: 'New clicks appear by themselves.', dot: 'bg-ok' },
  reconnecting: { text: 'Reconnecting…', hint: 'The connection was lost. Numbers may be a little behind.', dot: 'bg-warn' },
  off: { text: 'Not live', hint: 'New clicks do not appear by themselves. Reload the page to see them.', dot: 'bg-line-strong' },
}

/** Whether new clicks appear by themselves. */
export function LiveIndicator({ state }: { state: LiveState }) {
  const { text, hint, dot } = STATES[state]
  return (
    <span
      role="status"
      title={hint}
      className="inline-flex h-8 items-center gap-2 rounded-full border border-line bg-surface px-3 text-[13px] font-medium text-muted"
    >
      <span aria-hidden="true" className={cx('size-2 rounded-full', dot)} />
      {text}
    </span>
  )
}

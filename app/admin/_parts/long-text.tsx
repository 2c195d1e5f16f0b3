import type { ReactNode } from 'react'
import { cx } from '@/app/_ui/base/cx'

/** Text of any length, of which only so much is in sight at a time. */
export function LongText({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className={cx('max-h-40 overflow-y-auto rounded-control text-anywhere', className)}
    >
      <bdi>{children}</bdi>
    </div>
  )
}

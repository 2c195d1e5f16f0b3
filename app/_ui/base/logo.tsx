import { brandMark } from '@/lib/brand'
import { cx } from './cx'

/** The logo. Decorative: the name stands beside it. */
export function Logo({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx('inline-flex shrink-0', className)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, shared with pages that have no React
      dangerouslySetInnerHTML={{ __html: brandMark }}
    />
  )
}

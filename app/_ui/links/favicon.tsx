import { cx } from '@/app/_ui/base/cx'
import type { LinkView } from '@/lib/links/schemas'

/** The icon of the site that a link leads to, on white as sites expect it; nothing where icons are turned off. */
export function Favicon({ of: { icon }, className }: { of: Pick<LinkView, 'icon'>; className?: string }) {
  if (!icon) return null
  const look = 'inline-block size-4 shrink-0 rounded-[4px] bg-white object-contain'
  // biome-ignore lint/performance/noImgElement: 16 pixels, and there is nothing to make smaller
  return <img src={icon} alt="" width={16} height={16} loading="lazy" decoding="async" className={cx(look, className)} />
}

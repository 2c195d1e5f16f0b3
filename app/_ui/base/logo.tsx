import { brandMark } from '@/lib/brand'

/** The logo. Decorative: the name stands beside it. */
export function Logo() {
  return (
    <span
      aria-hidden="true"
      className="inline-flex shrink-0"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, shared with pages that have no React
      dangerouslySetInnerHTML={{ __html: brandMark }}
    />
  )
}

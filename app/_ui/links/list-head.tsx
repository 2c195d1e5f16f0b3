import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import type { LinkTotal } from '@/lib/links/schemas'

/** Above a list of links: how many there are, and what changes its look. */
export function ListHead({ total, children }: { total: LinkTotal | null; children?: ReactNode }) {
  const t = useTranslations('linkList')
  const known = total !== null && total.count > 0
  return (
    <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-x-3 sm:min-h-9">
      <p role="status" className="text-[13px] text-muted tabular-nums">
        {known && t('total', { count: total.count, more: total.more ? 'more' : 'exact' })}
      </p>
      {children}
    </div>
  )
}

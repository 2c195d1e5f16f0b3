import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { Button } from './button'

interface Props {
  /** What is searched. */
  label: string
  /** Takes all filters off; null: nothing narrows the list. */
  onClear: (() => void) | null
  children: ReactNode
}

/** The search and the filters of a list, in one row where there is room. */
export function FilterBar({ label, onClear, children }: Props) {
  const t = useTranslations('base.filters')
  return (
    <search aria-label={label} className="mb-4 flex flex-wrap items-center gap-2 sm:gap-3">
      {children}
      {onClear && (
        <Button look="quiet" size="small" onClick={onClear} className="max-sm:-ml-3">
          {t('clear')}
        </Button>
      )}
    </search>
  )
}

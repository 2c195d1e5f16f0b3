import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'

interface Props {
  /** What it narrows the list to, read out in full. Left out where the chip itself says what it does. */
  label?: string
  children: ReactNode
  onRemove: (chip: HTMLButtonElement) => void
}

/** Something that is on, such as a filter, with a way to take it off. */
export function Chip({ label, children, onRemove }: Props) {
  const t = useTranslations('base.filters')
  return (
    <button
      type="button"
      onClick={({ currentTarget }) => onRemove(currentTarget)}
      aria-label={label === undefined ? undefined : t('remove', { filter: label })}
      className="inline-flex h-11 max-w-full items-center gap-2 rounded-full bg-accent-soft pr-2.5 pl-3.5 text-sm text-accent hover:text-accent-hover sm:h-8"
    >
      <span className="min-w-0 truncate">{children}</span>
      <X aria-hidden="true" className="size-4 shrink-0" />
    </button>
  )
}

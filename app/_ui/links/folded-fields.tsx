import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  label: string
  /** What each field is set to, in words; '' for one that isn’t. */
  said: readonly string[]
  /** What is said where none is set. */
  none: string
  /** One of the fields is wrong, and must be seen. */
  isWrong: boolean
  children: ReactNode
}

/** Fields that few links need: one step away, with what they are set to in a line. */
export function FoldedFields({ label, said, none, isWrong, children }: Props) {
  const set = said.filter((text) => text !== '')
  return (
    <details open={isWrong} className="group/fold rounded-control border border-line">
      <summary className="flex min-h-11 list-none items-center gap-2 rounded-control px-3 text-sm hover:bg-bg [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted transition-transform group-open/fold:rotate-90" />
        <span className="shrink-0 font-medium">{label}</span>
        <span className="ml-auto min-w-0 truncate pl-3 text-muted">
          <bdi>{set.length > 0 ? set.join(' · ') : none}</bdi>
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 border-t border-line p-3 sm:grid-cols-2 sm:[&>:last-child]:col-span-2">
        {children}
      </div>
    </details>
  )
}

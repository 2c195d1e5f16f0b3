import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** What went wrong with the whole request, read out as soon as it appears. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="flex gap-2.5 rounded-control bg-danger-soft px-3.5 py-3 text-sm text-danger">
      <CircleAlert aria-hidden="true" className="mt-px size-[18px] shrink-0" />
      <div className="min-w-0 text-anywhere">{children}</div>
    </div>
  )
}

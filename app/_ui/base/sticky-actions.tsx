import type { ReactNode } from 'react'

/** The buttons of a long form in a dialog: at its lower edge, however far it was scrolled. */
export function StickyActions({ children }: { children: ReactNode }) {
  return (
    <div
      data-sticky-actions
      className="sticky -bottom-5 -mx-5 -mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line bg-raised px-5 py-3 sm:-mx-6 sm:-bottom-6 sm:-mb-6 sm:px-6 sm:py-4"
    >
      {children}
    </div>
  )
}

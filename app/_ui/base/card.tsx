import type { ReactNode } from 'react'
import { useId } from 'react'
import { cx } from './cx'
import { Hint } from './hint'

interface Props {
  title: ReactNode
  /** What it means, behind a question mark. */
  hint?: ReactNode
  /** Beside the title. */
  action?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/** A titled part of a page, found by its name. */
export function Card({ title, hint, action, className, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      tabIndex={-1}
      className={cx('min-w-0 rounded-card border border-line bg-surface p-4 sm:p-5', className)}
    >
      <div className="mb-4 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex items-center gap-1">
          <h2 id={id} className="text-[15px] font-semibold">
            {title}
          </h2>
          {hint && typeof title === 'string' && <Hint about={title}>{hint}</Hint>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

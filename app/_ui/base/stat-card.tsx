import Link from 'next/link'
import type { ReactNode } from 'react'
import { Amount } from './amount'
import { cx } from './cx'
import { Hint } from './hint'

interface Props {
  name: string
  value: number
  /** What it means, behind a question mark. */
  hint?: ReactNode
  /** A line below the number. */
  note?: ReactNode
  /** Where the number leads. */
  href?: string
}

/** Numbers side by side. */
export function StatCards({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={cx('grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4', className)}>{children}</dl>
}

/** One number with its name; on its own it says nothing, so it stands among StatCards. */
export function StatCard({ name, value, hint, note, href }: Props) {
  return (
    <div
      className={cx('relative min-w-0 rounded-card border border-line bg-surface p-4 sm:p-5', href && 'hover:border-line-strong')}
    >
      <dt className="flex items-center gap-1 text-sm text-muted">
        {href ? (
          <Link href={href} prefetch={false} className="after:absolute after:inset-0 after:rounded-card">
            {name}
          </Link>
        ) : (
          name
        )}
        {hint && <Hint about={name}>{hint}</Hint>}
      </dt>
      <dd className="mt-1">
        <Amount value={value} className="block text-2xl font-semibold tracking-tight tabular-nums sm:text-3xl" />
        {note && <span className="mt-1 block text-[13px] text-muted">{note}</span>}
      </dd>
    </div>
  )
}

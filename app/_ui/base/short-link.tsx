import type { ReactNode } from 'react'
import { cx } from './cx'

/** A link that is followed as a visitor would, beside this page. */
export function ShortLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className={cx('text-accent underline-offset-4 text-anywhere hover:underline', className)}
    >
      {children}
    </a>
  )
}

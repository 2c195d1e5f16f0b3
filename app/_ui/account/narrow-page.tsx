import Link from 'next/link'
import type { ComponentProps, ReactNode, Ref } from 'react'
import { cx } from '@/app/_ui/base/cx'

interface Props {
  title: string
  /** Below the title. */
  intro?: ReactNode
  titleRef?: Ref<HTMLHeadingElement>
  /** Below everything: other ways to go. */
  footer?: ReactNode
  children?: ReactNode
}

/** A page with one thing to do. */
export function NarrowPage({ title, intro, titleRef, footer, children }: Props) {
  return (
    <div className="mx-auto w-full max-w-md pt-8 sm:pt-16">
      <h1 ref={titleRef} tabIndex={-1} className="text-3xl font-semibold tracking-tight text-balance">
        {title}
      </h1>
      {intro && <p className="mt-3 text-muted text-pretty text-anywhere">{intro}</p>}
      {children && <div className="mt-8">{children}</div>}
      {footer && <div className="mt-8 space-y-1 border-t border-line pt-5 text-sm text-muted">{footer}</div>}
    </div>
  )
}

/** A way to another page, in a text. */
export function TextLink({ className, ...link }: ComponentProps<typeof Link>) {
  return <Link {...link} className={cx(textLinkClass, className)} />
}

export const textLinkClass = 'font-medium text-accent underline-offset-4 hover:underline'

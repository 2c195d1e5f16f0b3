import type { ReactNode, Ref } from 'react'

interface Props {
  title: string
  /** Takes the cursor where what had it is gone. */
  ref?: Ref<HTMLHeadingElement>
  /** Beside the title. */
  children?: ReactNode
}

export function PageHead({ title, ref, children }: Props) {
  return (
    <div className="mb-5 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-3 sm:min-h-10">
      <h1 ref={ref} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
        {title}
      </h1>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </div>
  )
}

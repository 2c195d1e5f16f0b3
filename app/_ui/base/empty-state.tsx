import type { ReactNode } from 'react'

interface Props {
  title: string
  /** What to do next. */
  text: ReactNode
  children?: ReactNode
}

/** In place of a list that has nothing in it. */
export function EmptyState({ title, text, children }: Props) {
  return (
    <div className="px-5 py-14 text-center">
      <p className="text-lg font-semibold">{title}</p>
      <p className="mx-auto mt-1.5 max-w-md text-sm text-muted text-pretty">{text}</p>
      {children && <div className="mt-6 flex flex-wrap items-center justify-center gap-3">{children}</div>}
    </div>
  )
}

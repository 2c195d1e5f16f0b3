import type { ReactNode } from 'react'

interface Props {
  title: string
  /** What to do next. */
  text: ReactNode
  /** Whether this is all that a page has, and so its heading. */
  isPage?: boolean
  children?: ReactNode
}

/** In place of a list that has nothing in it. */
export function EmptyState({ title, text, isPage = false, children }: Props) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className="px-5 py-14 text-center">
      <Title className="text-lg font-semibold">{title}</Title>
      <p className="mx-auto mt-1.5 max-w-md text-sm text-muted text-pretty">{text}</p>
      {children && <div className="mt-6 flex flex-wrap items-center justify-center gap-3">{children}</div>}
    </div>
  )
}

import type { ReactNode } from 'react'

interface Props {
  name: ReactNode
  onOpen: () => void
  /** Below the name. */
  children: ReactNode
}

/** What a row is about; a press on it looks into that. */
export function RowName({ name, onOpen, children }: Props) {
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        className="line-clamp-2 text-left font-medium text-accent underline-offset-4 text-anywhere hover:underline"
      >
        {name}
      </button>
      {children}
    </div>
  )
}

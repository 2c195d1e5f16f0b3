/** A key of the keyboard, as it is written on it. */
export function KeyCap({ children }: { children: string }) {
  return (
    <kbd className="inline-flex h-6 min-w-6 items-center justify-center rounded-[6px] border border-line-strong bg-surface px-1.5 font-sans text-[13px] text-muted">
      {children}
    </kbd>
  )
}

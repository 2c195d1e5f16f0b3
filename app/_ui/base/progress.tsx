interface Props {
  label: string
  done: number
  total: number
}

/** How far something has come. */
export function Progress({ label, done, total }: Props) {
  const share = total > 0 ? Math.min(1, done / total) : 0
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.min(done, total)}
      aria-valuemin={0}
      aria-valuemax={Math.max(1, total)}
      aria-valuetext={`${Math.round(100 * share)}%`}
      className="h-2 w-full overflow-hidden rounded-full bg-line"
    >
      <div className="h-full rounded-full bg-accent transition-[width] duration-200" style={{ width: `${100 * share}%` }} />
    </div>
  )
}

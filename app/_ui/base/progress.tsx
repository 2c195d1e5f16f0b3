import { Progress as Radix } from 'radix-ui'

interface Props {
  label: string
  done: number
  total: number
}

/** How far something has come. */
export function Progress({ label, done, total }: Props) {
  const share = total > 0 ? Math.min(1, done / total) : 0
  return (
    <Radix.Root
      aria-label={label}
      value={Math.min(done, total)}
      max={Math.max(1, total)}
      className="h-2 w-full overflow-hidden rounded-full bg-line"
    >
      <Radix.Indicator
        className="h-full rounded-full bg-accent transition-[width] duration-200"
        style={{ width: `${100 * share}%` }}
      />
    </Radix.Root>
  )
}

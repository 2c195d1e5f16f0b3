import { useFormat } from '@/app/_ui/data/format'

/** A count at a glance, with the full number for those who hover or hear it. */
export function Amount({ value, className }: { value: number; className?: string }) {
  const format = useFormat()
  const [short, full] = [format.compact(value), format.number(value)]
  if (short === full) return <span className={className}>{full}</span>
  return (
    <span className={className} title={full}>
      <span aria-hidden="true">{short}</span>
      <span className="sr-only">{full}</span>
    </span>
  )
}

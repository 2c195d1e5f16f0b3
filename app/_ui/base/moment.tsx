import { useFormat } from '@/app/_ui/data/format'

/** A time in the reader's zone: the day, with the minute within reach, or both at once. */
export function Moment({ iso, exact = false }: { iso: string; exact?: boolean }) {
  const format = useFormat()
  return (
    <time dateTime={iso} title={format.time(iso)} className="whitespace-nowrap">
      {exact ? format.time(iso) : format.day(iso)}
    </time>
  )
}

/** The same where it stands beside what matters more. */
export function QuietMoment(props: { iso: string; exact?: boolean }) {
  return (
    <span className="text-[13px] text-muted">
      <Moment {...props} />
    </span>
  )
}

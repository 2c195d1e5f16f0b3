import { formatDay, formatTime } from '@/app/_ui/data/time'

/** A time in the reader's zone: the day, with the minute within reach, or both at once. */
export function Moment({ iso, exact = false }: { iso: string; exact?: boolean }) {
  return (
    <time dateTime={iso} title={formatTime(iso)} className="whitespace-nowrap">
      {exact ? formatTime(iso) : formatDay(iso)}
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

import { formatDay, formatTime } from '@/app/_ui/data/time'

/** A time in the reader's zone: the day, with the minute within reach, or both at once. */
export function Moment({ iso, exact = false }: { iso: string; exact?: boolean }) {
  return (
    <time dateTime={iso} title={formatTime(iso)} className="whitespace-nowrap">
      {exact ? formatTime(iso) : formatDay(iso)}
    </time>
  )
}

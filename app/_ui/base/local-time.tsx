'use client'

import { formatTime } from '@/app/_ui/data/time'
import { useInBrowser } from './use-in-browser'

/** A time in the reader's locale and zone, also on a page that the server writes: it knows neither, and writes it in UTC. */
export function LocalTime({ iso }: { iso: string }) {
  const inBrowser = useInBrowser()
  return <time dateTime={iso}>{inBrowser ? formatTime(iso) : `${iso.slice(0, 10)}, ${iso.slice(11, 16)} UTC`}</time>
}

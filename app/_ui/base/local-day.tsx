'use client'

import { formatDay, formatTime } from '@/app/_ui/data/time'
import { useInBrowser } from './use-in-browser'

/** A day in the reader's locale and zone, also on a page that the server writes: it knows neither, and writes the ISO day. */
export function LocalDay({ iso }: { iso: string }) {
  const inBrowser = useInBrowser()
  return (
    <time dateTime={iso} title={inBrowser ? formatTime(iso) : undefined}>
      {inBrowser ? formatDay(iso) : iso.slice(0, 10)}
    </time>
  )
}

'use client'

import { useFormat } from '@/app/_ui/data/format'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'

/** A day in the reader's zone, also on a page that the server writes: it does not know the zone, and writes the day in UTC. */
export function LocalDay({ iso }: { iso: string }) {
  const format = useFormat()
  const inBrowser = useInBrowser()
  return (
    <time dateTime={iso} title={inBrowser ? format.time(iso) : undefined}>
      {inBrowser ? format.day(iso) : format.date(iso)}
    </time>
  )
}

'use client'

import { useSyncExternalStore } from 'react'
import { formatDay, formatTime } from '@/app/_ui/data/time'

const never = () => () => undefined

/** A day in the reader's locale and zone, also on a page that the server writes: it knows neither, and writes the ISO day. */
export function LocalDay({ iso }: { iso: string }) {
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return (
    <time dateTime={iso} title={inBrowser ? formatTime(iso) : undefined}>
      {inBrowser ? formatDay(iso) : iso.slice(0, 10)}
    </time>
  )
}

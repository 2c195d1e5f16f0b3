'use client'

import { useFormat } from '@/app/_ui/data/format'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'

// Of these parts since `dateStyle` cannot name the zone.
const IN_UTC = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const

/** A time in the reader's zone, also on a page that the server writes: it does not know the zone, and writes the time in UTC. */
export function LocalTime({ iso }: { iso: string }) {
  return <time dateTime={iso}>{useLocalTime(iso)}</time>
}

/** The same to stand within a sentence. */
export function useLocalTime(iso: string): string {
  const format = useFormat()
  const inBrowser = useInBrowser()
  return inBrowser ? format.time(iso) : format.dates(IN_UTC).format(new Date(iso))
}

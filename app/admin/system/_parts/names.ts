import { formatSpan } from '@/app/_ui/data/numbers'
import type { SystemView } from '@/lib/overview/schemas'

export const ID_NAMES: Record<SystemView['ids'][number]['name'], string> = {
  handle: 'Handles',
  spoken: 'Spoken codes',
  reference: 'Report references',
  job: 'Job numbers',
}

export const BREAKERS: Record<SystemView['mysql']['breaker'], string> = {
  closed: 'Closed: it is asked as usual',
  open: 'Open: it is not asked for a moment',
  'half-open': 'Half open: it is being tried',
}

/** Where the answer to a request for a code was found. */
export const TIER_NAMES: Partial<Record<string, string>> = {
  memory: 'In this process',
  redis: 'In Redis',
  filter: 'In the code filter: there is none',
  mysql: 'In MySQL',
  stale: 'In this process, out of date',
}

export const FILTER_KINDS: Partial<Record<string, string>> = {
  native: 'RedisBloom',
  bitmap: 'Plain Redis',
  none: 'Nothing yet',
}

const SECONDS: Partial<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** A duration as settings have it, such as `90d`, in words. */
export function quarantineText(text: string): string {
  if (text === 'never') return 'Never'
  const seconds = Number.parseInt(text, 10) * (SECONDS[text.slice(-1)] ?? 0)
  return seconds > 0 ? formatSpan(seconds) : 'At once'
}

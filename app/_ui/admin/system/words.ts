import type { SystemView } from '@/lib/admin/schemas'

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

/** Where a redirect was found. */
export const TIER_NAMES: Partial<Record<string, string>> = { memory: 'This process', redis: 'Redis', mysql: 'MySQL' }

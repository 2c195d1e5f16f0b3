/**
 * What a destination can be, as LinkHealth has it. `failing`: something is wrong with it, and not for long enough to say so.
 */
export const HEALTH_NUMBERS = { failing: 0, dead: 1, parked: 2, threat: 3 } as const
/** What owners are told of. */
export const HEALTH_STATES = ['dead', 'parked', 'threat'] as const
export type HealthState = (typeof HEALTH_STATES)[number]

/** What links can be listed by. */
export const HEALTH_FILTERS = ['any', ...HEALTH_STATES] as const
export type HealthFilter = (typeof HEALTH_FILTERS)[number]

/** Why: no such name, no trust in its certificate, no connection, no answer in time, redirects without end, what it answered. */
export const HEALTH_REASONS = [
  'name',
  'certificate',
  'connection',
  'timeout',
  'redirects',
  'status',
  'parked',
  'threat',
  'maybe',
] as const
export type HealthReason = (typeof HEALTH_REASONS)[number]

export const healthStateOf = (number: number): HealthState | undefined =>
  HEALTH_STATES.find((state) => HEALTH_NUMBERS[state] === number)

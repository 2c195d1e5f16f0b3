import { DAY, HOUR, MINUTE } from '@/lib/tools/time'

const UNITS = [
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', 1_000],
] as const

/** A duration in ms as settings have it: `90d`, `12h`, `0`, or `never` without end. In the largest unit that divides it. */
export function durationText(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'never'
  const [unit, length] = UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? ['s', 1_000]
  return ms === 0 ? '0' : `${ms / length}${unit}`
}

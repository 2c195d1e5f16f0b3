/** A time as PHP writes it. */
export const timeText = (at: Date | null) => (at === null ? null : at.toISOString().replace(/\.\d{3}Z$/, '+00:00'))

/** A date and a time of day, without a zone. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/** A time, in UTC unless it names a zone. What is none is returned as it is: our schema says so. */
export function timeIn<T>(value: T): T | string {
  if (typeof value !== 'string') return value
  const at = new Date(WITHOUT_ZONE.test(value) ? `${value}Z` : value)
  return Number.isNaN(at.getTime()) ? value : at.toISOString()
}

/** Between the API's ISO times in UTC and what a person types, in the zone of this browser. */

/** An ISO time as the value of a `datetime-local` input; '' for none. */
export function toLocalInput(iso: string | null): string {
  return iso ? localInput(new Date(iso)) : ''
}

export function localInput(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The value of a `datetime-local` input as an ISO time; null for an empty one, and what was typed for a wrong one. */
export function fromLocalInput(value: string): string | null {
  if (value === '') return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : date.toISOString()
}

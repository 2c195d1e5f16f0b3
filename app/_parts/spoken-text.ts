/** A number in the groups in which people read numbers aloud: 48 21, 482 13, 482 133. */
export function groupsOf(digits: string): string[] {
  const first = Math.ceil(digits.length / 2)
  return [digits.slice(0, first), digits.slice(first)]
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** What is left of a time, in its two largest units: "6 days, 23 hours", "59 minutes, 3 seconds", "1 hour". */
export function remaining(seconds: number): string {
  const largest = UNITS.findIndex(([, size]) => seconds >= size)
  let rest = seconds
  const parts = UNITS.slice(largest, largest + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
  })
  return parts.join(', ')
}

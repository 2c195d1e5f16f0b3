/** A time to wait, as the pages and the API say it: in the words of the page's language, whatever the browser's is. */
export function inWords(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 1) return 'in a moment'
  if (seconds < 100) return count(seconds, 'second')
  if (seconds < 6000) return count(seconds / 60, 'minute')
  return count(seconds / 3600, 'hour')
}

/** @param seconds `Retry-After` */
export const tryAgain = (seconds: number) => `Try again ${inWords(seconds)}.`

function count(value: number, unit: string): string {
  const whole = Math.ceil(value)
  return `in ${whole} ${unit}${whole === 1 ? '' : 's'}`
}

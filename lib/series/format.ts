import { checkDigits } from './check-digits'
import type { Check, DatePattern } from './values'

/** How a number of a series is written: `prefix`, the day, the number with leading zeros, check digits. */
export interface Format {
  prefix: string
  date: DatePattern
  /** Digits that it has at least. */
  digits: number
  check: Check
}

/**
 * A number as it is written. Two numbers of one series are never written alike: all but the number has a fixed width, and leading
 * zeros make none of another.
 * @param at an instant of its day (UTC)
 */
export function writeNumber({ prefix, date, digits, check }: Format, number: number, at: Date): string {
  const text = prefix + dateText(date, at) + String(number).padStart(digits, '0')
  return text + checkDigits(text, check)
}

/** The day of an instant in UTC. */
function dateText(pattern: DatePattern, at: Date): string {
  if (pattern === 'none') return ''
  const [year = '', month = '', day = ''] = at.toISOString().slice(0, 10).split('-')
  return pattern.replace('yyyy', year).replace('yy', year.slice(2)).replace('MM', month).replace('dd', day)
}

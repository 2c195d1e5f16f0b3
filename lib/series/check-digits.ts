import type { Check } from './values'

/**
 * The check digits of a text: over all its digits, in their order; letters and signs are left out. Appended to it, they show
 * nearly every slip of the pen.
 * @param text holds one digit at least
 * @returns '' for none, one digit (Luhn, MOD 11-10) or two (MOD 97-10)
 */
export function checkDigits(text: string, check: Check): string {
  if (check === 'none') return ''
  const digits = digitsOf(text)
  if (check === 'luhn') return String(luhn(digits))
  return check === 'mod11-10' ? String(mod11And10(digits)) : mod97And10(digits)
}

/** Whether a text ends with its check digits. */
export function isChecked(text: string, check: Check): boolean {
  if (check === 'none') return true
  const length = check === 'mod97-10' ? 2 : 1
  return text.length > length && text.endsWith(checkDigits(text.slice(0, -length), check))
}

const digitsOf = (text: string): number[] => [...text.replace(/[^0-9]/g, '')].map(Number)

/** H. P. Luhn, US patent 2950048 (1960); ISO/IEC 7812-1, annex B. */
function luhn(digits: readonly number[]): number {
  const sum = digits.reduceRight((sum, digit, index) => {
    const isDoubled = (digits.length - 1 - index) % 2 === 0
    const value = isDoubled ? digit * 2 : digit
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** ISO/IEC 7064, MOD 11,10: a hybrid system with one digit. */
function mod11And10(digits: readonly number[]): number {
  const product = digits.reduce((before, digit) => (((before + digit) % 10 || 10) * 2) % 11, 10)
  return (11 - product) % 10
}

/** ISO/IEC 7064, MOD 97-10: a pure system with two digits, such that the whole is 1 modulo 97. */
function mod97And10(digits: readonly number[]): string {
  const rest = digits.reduce((before, digit) => (before * 10 + digit) % 97, 0)
  return String(98 - ((rest * 100) % 97)).padStart(2, '0')
}

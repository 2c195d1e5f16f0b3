import { memo } from './memo'

/** Amounts of money, in whole numbers of a currency's smallest unit: what is added up must not be rounded. */

/** The largest that one conversion may have, in the smallest unit, either way: below what a double holds exactly. */
export const MOST_VALUE = 10n ** 15n

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Whether it is a code of ISO 4217, as far as the runtime knows them. @param code in capitals */
export const isCurrency = (code: string) => CURRENCIES.has(code)

const styleOf = memo((currency) => new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions(), {
  entries: 400,
  characters: 2_000,
})

/** Digits behind the point: 2 of EUR, 0 of JPY, 3 of KWD. */
export const digitsOf = (currency: string): number => styleOf(currency).maximumFractionDigits ?? 2

/** An amount in the smallest unit of its currency; null where it has more digits than that, or is no number. */
export function toMinor(amount: string, currency: string): bigint | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,18})(?:\.(\d{1,18}))?$/.exec(amount) ?? []
  if (whole === '') return null
  const most = digitsOf(currency)
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > most) return null
  return BigInt(`${sign}${whole}${kept.padEnd(most, '0')}`)
}

/** The same the other way: `1234` of EUR is `12.34`. */
export function fromMinor(minor: bigint, currency: string): string {
  const most = digitsOf(currency)
  const text = (minor < 0n ? -minor : minor).toString().padStart(most + 1, '0')
  const whole = text.slice(0, text.length - most)
  return `${minor < 0n ? '-' : ''}${whole}${most === 0 ? '' : `.${text.slice(-most)}`}`
}

import type { Format } from '@/lib/i18n/format'

type Exact = `${number}`

/** An amount as the locale of the page writes it: digit by digit, since a sum may have more than a number holds. */
export const revenueText = ({ currency, value }: { currency: string; value: string }, { locale }: Format): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value as Exact)

/** A rate in per cent, to a tenth. */
export const rateText = (rate: number, { locale }: Format): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(rate)

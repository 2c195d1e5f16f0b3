/** Numbers in the reader's locale. For the browser only: the server would write them in its own. */

const plain = new Intl.NumberFormat()
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const fineShare = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

export const formatNumber = (value: number) => plain.format(value)

/** From 10,000 on rounded to what can be taken in at a glance: show the full number with it. */
export const formatCompact = (value: number) => (value < 10_000 ? plain.format(value) : short.format(value))

/** Of a whole; a share so small that it would read as none has a digit more. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return share.format(0)
  const ratio = part / whole
  if (ratio > 0 && ratio < 0.001) return `<${fineShare.format(0.001)}`
  return ratio < 0.01 && ratio > 0 ? fineShare.format(ratio) : share.format(ratio)
}

/** Bytes, in the largest unit that leaves a whole one. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  return inUnit(bytes / 1024 ** step, units[step] ?? 'byte')
}

/** Milliseconds; those below ten with a digit more. */
export const formatMs = (ms: number) => inUnit(ms, 'millisecond')

/** A length of time given in seconds, in its two largest units. */
export function formatSpan(seconds: number): string {
  const parts = SPANS.map(({ unit, length, of }) => ({ unit, count: Math.floor(seconds / length) % of }))
  const first = parts.findIndex(({ count }) => count > 0)
  if (first === -1) return inUnit(0, 'second')
  const shown = parts.slice(first, first + 2).filter(({ count }) => count > 0)
  return shown.map(({ unit, count }) => inUnit(count, unit)).join(' ')
}

const SPANS = [
  { unit: 'day', length: 86_400, of: Number.POSITIVE_INFINITY },
  { unit: 'hour', length: 3_600, of: 24 },
  { unit: 'minute', length: 60, of: 60 },
  { unit: 'second', length: 1, of: 60 },
] as const

function inUnit(value: number, unit: string): string {
  const maximumFractionDigits = value < 10 && !Number.isInteger(value) ? 1 : 0
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(value)
}

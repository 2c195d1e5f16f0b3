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

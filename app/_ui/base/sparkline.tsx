interface Props {
  /** Counts, the oldest first; undefined while they are on their way. */
  counts: readonly number[] | undefined
  /** What they are, read out in place of the picture. */
  label: string
}

const WIDTH = 72
const HEIGHT = 24

/** A line as small as a word. */
export function Sparkline({ counts, label }: Props) {
  if (!counts) return <span aria-hidden="true" className="inline-block h-6 w-[72px]" />
  const highest = Math.max(1, ...counts)
  const step = WIDTH / Math.max(1, counts.length - 1)
  const points = counts.map((count, index) => `${round(index * step)},${round(HEIGHT - 2 - (count / highest) * (HEIGHT - 4))}`)
  const none = counts.every((count) => count === 0)
  return (
    <svg role="img" aria-label={label} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="inline-block">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke={none ? 'var(--line-strong)' : 'var(--accent)'}
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}

const round = (value: number) => Math.round(value * 10) / 10

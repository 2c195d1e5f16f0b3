'use client'

import { ChartColumn } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from '#i18n'
import { useFormat } from '@/app/_ui/data/format'
import { ChartCard, ChartFrame, ChartTable } from './chart-card'
import { ticksTo } from './chart-scale'
import { useWidth } from './use-width'

/** A UTC day as `2026-11-21`, and how many. */
export interface Day {
  day: string
  count: number
}

interface Props {
  title: string
  /** What is counted: the head of its column. */
  counted: string
  /** A count with its noun: "3 clicks". */
  inWords: (count: number) => string
  /** All of it in a sentence, read out in place of the picture. */
  summary: string
  /** The oldest first, none left out. */
  days: readonly Day[]
  action?: ReactNode
}

const HEIGHT = 200
const TOP = 10
const BOTTOM = 26
const NAME_WIDTH = 84
/** At most what one takes, in px. */
const CHARACTER = 7

/** Counts by day as bars, and as a table for those who want the numbers. */
export function DayChart({ title, counted, inWords, summary, days, action }: Props) {
  const t = useTranslations('base.chart')
  const format = useFormat()
  return (
    <ChartCard
      title={title}
      icon={ChartColumn}
      action={action}
      chart={<Bars inWords={inWords} days={days} />}
      table={
        <ChartTable
          title={title}
          height="max-h-[200px]"
          names={[t('day'), counted]}
          rows={days.map(({ day, count }) => ({ key: day, name: format.date(day), values: [count] }))}
        />
      }
      caption={<figcaption className="sr-only">{summary}</figcaption>}
    />
  )
}

function Bars({ inWords, days }: Pick<Props, 'inWords' | 'days'>) {
  const format = useFormat()
  const axis = format.dates({ day: 'numeric', month: 'short', timeZone: 'UTC' })
  const [frame, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number | null>(null)
  const ticks = ticksTo(Math.max(1, ...days.map(({ count }) => count)))
  const top = ticks.at(-1) ?? 1
  const left = 10 + CHARACTER * Math.max(...ticks.map((tick) => format.compact(tick).length))
  const step = Math.max(0, width - left) / Math.max(1, days.length)
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const every = Math.max(1, Math.ceil(NAME_WIDTH / Math.max(1, step)))
  const point = (x: number | null) =>
    setAt(x === null ? null : Math.min(days.length - 1, Math.max(0, Math.floor((x - left) / Math.max(1, step)))))
  const day = at === null ? undefined : days[at]
  return (
    <ChartFrame ref={frame} height={HEIGHT} onPoint={point}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true" className="block" fontSize="12" fill="var(--muted)">
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
              <text x={left - 8} y={y(tick)} dy="0.35em" textAnchor="end">
                {format.compact(tick)}
              </text>
            </g>
          ))}
          {days.map(({ day: name, count }, index) => (
            <rect
              key={name}
              x={left + index * step + step * 0.15}
              width={Math.max(1, step * 0.7)}
              // Few are not none.
              y={count > 0 ? Math.min(y(count), y(0) - 2) : y(0)}
              height={count > 0 ? Math.max(2, y(0) - y(count)) : 0}
              rx={Math.min(3, step * 0.2)}
              fill="var(--accent)"
              opacity={at === null || at === index ? 1 : 0.45}
            />
          ))}
          {days.map(({ day: name }, index) => {
            const text = axis.format(new Date(name))
            const x = left + index * step
            return index % every === 0 && x + CHARACTER * text.length <= width ? (
              <text key={name} x={x} y={HEIGHT - 6}>
                {text}
              </text>
            ) : null
          })}
        </svg>
      )}
      {at !== null && day && (
        <p
          aria-hidden="true"
          className="pointer-events-none absolute top-0 z-10 rounded-control border border-line bg-raised px-3 py-2 text-[13px] whitespace-nowrap shadow-lg"
          style={at > days.length / 2 ? { right: width - left - at * step + 8 } : { left: left + (at + 1) * step + 8 }}
        >
          <span className="block font-medium">{format.date(day.day)}</span>
          <span className="text-muted tabular-nums">{inWords(day.count)}</span>
        </p>
      )}
    </ChartFrame>
  )
}

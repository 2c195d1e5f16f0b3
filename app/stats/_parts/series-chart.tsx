import { useState } from 'react'
import { useTranslations } from '#i18n'
import { ChartFrame } from '@/app/_ui/base/chart-card'
import { areaPath, type Box, linePath, type Scale, scaleOf } from '@/app/_ui/base/chart-scale'
import { useWidth } from '@/app/_ui/base/use-width'
import { useFormat } from '@/app/_ui/data/format'
import type { ClickKind } from '@/lib/clicks/dimensions'
import type { Note, Point, Stats } from '@/lib/stats/schemas'
import { type TimeNames, timeNames } from './times'

const HEIGHT = 240
const HOURS_OF_A_DAY = 24

/** Beside the blue of clicks, for eyes that tell red from green as well as for those that do not. */
export const VISITORS_COLOUR = 'light-dark(#b4540a, #f2b36b)'

/** Clicks and visitors over time as lines; the period before as a fainter one. For the eye: the same numbers are in a table. */
interface Props {
  stats: Stats
  /** Those of the range. */
  notes: readonly Note[]
  kind: ClickKind
}

export function SeriesChart({ stats, notes, kind }: Props) {
  const t = useTranslations('stats')
  const format = useFormat()
  const [frame, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number | null>(null)
  const { series, previous } = stats
  const before = previous?.series.slice(0, series.length) ?? []
  const highest = Math.max(1, ...[...series, ...before].map(({ clicks }) => clicks))
  const box: Box = { width, height: HEIGHT, left: 8 + 7 * format.compact(highest).length, right: 8, top: 10, bottom: 26 }
  const manyDays = stats.interval === 'hour' && series.length > 2 * HOURS_OF_A_DAY
  const scale = scaleOf(series.length, highest, box, manyDays ? HOURS_OF_A_DAY : 1)
  const names = timeNames(stats, format, t)
  const point = at === null ? undefined : series[at]
  const noted = notes.map((note) => ({ note, index: indexAt(series, note.at) }))
  const last = series.length - 1
  const follow = (x: number | null) => {
    if (x === null) return setAt(null)
    const share = (x - box.left) / Math.max(1, width - box.left - box.right)
    setAt(Math.min(last, Math.max(0, Math.round(share * last))))
  }
  return (
    <ChartFrame ref={frame} height={HEIGHT} onPoint={follow}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true" className="block overflow-visible **:transition-none">
          <Axes scale={scale} box={box} series={series} names={names} />
          <Lines
            scale={scale}
            series={series}
            before={before}
            people={kind === 'person'}
            unfinished={Date.parse(stats.to) >= Date.now()}
          />
          {noted.map(({ note, index }, place) => (
            <NoteMark key={note.id} x={scale.x(index)} number={place + 1} box={box} />
          ))}
          {at !== null && point && <Mark x={scale.x(at)} y={scale.y(point.clicks)} box={box} />}
        </svg>
      )}
      {at !== null && point && (
        <Tip
          x={scale.x(at)}
          width={width}
          point={point}
          before={before[at]}
          kind={kind}
          notes={noted.filter(({ index }) => index === at).map(({ note }) => note.text)}
          name={names.point(point.at)}
        />
      )}
    </ChartFrame>
  )
}

function Axes({ scale, box, series, names }: { scale: Scale; box: Box; series: Point[]; names: TimeNames }) {
  const format = useFormat()
  return (
    <g fontSize="12" fill="var(--muted)" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line x1={box.left} x2={box.width - box.right} y1={scale.y(tick)} y2={scale.y(tick)} stroke="var(--line)" />
          <text x={box.left - 8} y={scale.y(tick)} dy="0.35em" textAnchor="end">
            {format.compact(tick)}
          </text>
        </g>
      ))}
      {scale.named.map((index) => {
        const point = series[index]
        const x = scale.x(index)
        // The first and the last name must not stick out.
        const anchor = series.length === 1 ? 'middle' : x < box.left + 24 ? 'start' : x > box.width - 36 ? 'end' : 'middle'
        return (
          point && (
            <text key={point.at} x={x} y={box.height - 6} textAnchor={anchor}>
              {names.axis(point.at)}
            </text>
          )
        )
      })}
    </g>
  )
}

interface LinesProps {
  scale: Scale
  series: Point[]
  before: Point[]
  /** Visitors are people, and so there is a line of them. */
  people: boolean
  /** The last interval is not over yet. */
  unfinished: boolean
}

function Lines({ scale, series, before, people, unfinished }: LinesProps) {
  const values = series.map(({ clicks }) => clicks)
  const visitors = series.map((point) => point.visitors)
  const line = { fill: 'none', strokeLinejoin: 'round', strokeLinecap: 'round' } as const
  const split = unfinished && values.length > 2
  const last = values.length - 1
  return (
    <>
      {before.length > 1 && (
        <path
          d={linePath(
            before.map(({ clicks }) => clicks),
            scale,
          )}
          {...line}
          stroke="var(--line-strong)"
          strokeWidth="1.5"
          opacity="0.7"
        />
      )}
      <path d={areaPath(values, scale)} fill="var(--accent)" opacity="0.1" />
      <path d={linePath(split ? values.slice(0, -1) : values, scale)} {...line} stroke="var(--accent)" strokeWidth="2" />
      {people && values.length > 1 && (
        <path
          d={linePath(split ? visitors.slice(0, -1) : visitors, scale)}
          {...line}
          stroke="var(--muted)"
          style={{ stroke: VISITORS_COLOUR }}
          strokeWidth="1.5"
        />
      )}
      {split && (
        <line
          x1={scale.x(last - 1)}
          y1={scale.y(values[last - 1] ?? 0)}
          x2={scale.x(last)}
          y2={scale.y(values[last] ?? 0)}
          stroke="var(--accent)"
          strokeWidth="2"
          strokeDasharray="2 4"
          strokeLinecap="round"
        />
      )}
      {values.length === 1 && <circle cx={scale.x(0)} cy={scale.y(values[0] ?? 0)} r="4" fill="var(--accent)" />}
    </>
  )
}

/** The point of the time that holds an instant. */
function indexAt(series: Point[], at: string): number {
  return Math.max(
    0,
    series.findLastIndex((point) => point.at <= at),
  )
}

/** Where something was noted; its number is that in the list of notes. */
function NoteMark({ x, number, box }: { x: number; number: number; box: Box }) {
  return (
    <g>
      <line
        x1={x}
        x2={x}
        y1={box.top}
        y2={box.height - box.bottom}
        stroke="var(--fg)"
        strokeDasharray="1 4"
        strokeLinecap="round"
      />
      <circle cx={x} cy={box.top} r="8.5" fill="var(--fg)" />
      <text x={x} y={box.top} dy="0.36em" textAnchor="middle" fontSize="11" fontWeight="600" fill="var(--bg)">
        {number}
      </text>
    </g>
  )
}

function Mark({ x, y, box }: { x: number; y: number; box: Box }) {
  return (
    <>
      <line x1={x} x2={x} y1={box.top} y2={box.height - box.bottom} stroke="var(--line-strong)" strokeDasharray="3 3" />
      <circle cx={x} cy={y} r="4.5" fill="var(--accent)" stroke="var(--surface)" strokeWidth="2" />
    </>
  )
}

interface TipProps {
  x: number
  width: number
  point: Point
  before: Point | undefined
  kind: ClickKind
  /** What was noted of this time. */
  notes: string[]
  name: string
}

function Tip({ x, width, point, before, kind, notes, name }: TipProps) {
  const t = useTranslations('stats')
  const format = useFormat()
  const rows: [string, number][] = [[t(`kind.${kind}.clicks`), point.clicks]]
  if (kind === 'person') rows.push([t('visitors'), point.visitors])
  if (before) rows.push([t('series.comparison'), before.clicks])
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-0 z-10 w-max max-w-52 rounded-control border border-line bg-raised px-3 py-2 text-[13px] shadow-lg"
      style={x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }}
    >
      <p className="font-medium">{name}</p>
      {rows.map(([label, value]) => (
        <p key={label} className="flex justify-between gap-6 text-muted">
          {label} <span className="text-fg tabular-nums">{format.number(value)}</span>
        </p>
      ))}
      {notes.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same
        <p key={index} className="mt-1 border-t border-line pt-1 text-anywhere">
          <bdi>{text}</bdi>
        </p>
      ))}
    </div>
  )
}

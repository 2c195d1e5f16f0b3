import { ChartLine } from 'lucide-react'
import { ChartCard } from '@/app/_ui/base/chart-card'
import { formatNumber } from '@/app/_ui/data/numbers'
import { INTERVALS, type Stats } from '@/lib/stats/schemas'
import { INTERVAL_NAMES } from './labels'
import { SeriesChart } from './series-chart'
import { rangeName, timeNames } from './times'
import type { ViewControl } from './use-view'
import { intervalsFor } from './view'

interface Props {
  stats: Stats
  control: ViewControl
}

export function SeriesCard({ stats, control }: Props) {
  return (
    <ChartCard
      title="Clicks over time"
      icon={ChartLine}
      action={<IntervalPicker stats={stats} control={control} />}
      chart={<SeriesChart stats={stats} />}
      table={<SeriesTable stats={stats} />}
      caption={<Caption stats={stats} />}
    />
  )
}

function IntervalPicker({ stats, control }: Props) {
  const fitting = intervalsFor(stats.from, stats.to)
  const options = INTERVALS.filter((interval) => interval === stats.interval || fitting.includes(interval))
  return (
    <label className="text-sm text-muted">
      <span className="sr-only">Width of the intervals</span>
      <select
        value={stats.interval}
        onChange={({ currentTarget }) =>
          control.change({ interval: options.find((interval) => interval === currentTarget.value) ?? null })
        }
        className="h-11 rounded-control border border-line-strong bg-surface px-2 text-sm text-fg sm:h-8"
      >
        {options.map((interval) => (
          <option key={interval} value={interval}>
            {INTERVAL_NAMES[interval]}
          </option>
        ))}
      </select>
    </label>
  )
}

function Caption({ stats }: { stats: Stats }) {
  const { totals, previous } = stats
  const key = 'inline-block h-0 w-5 border-t-2 align-middle'
  return (
    <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-[13px] text-muted">
      <span>
        <span aria-hidden="true" className={`${key} mr-2 border-accent`} />
        {rangeName(stats)}
        <span className="sr-only">: {formatNumber(totals.clicks)} clicks</span>
      </span>
      {previous && (
        <span>
          <span aria-hidden="true" className={`${key} mr-2 border-line-strong opacity-70`} />
          {rangeName({ ...previous, timezone: stats.timezone })}, the period before
          <span className="sr-only">: {formatNumber(previous.totals.clicks)} clicks</span>
        </span>
      )}
    </figcaption>
  )
}

/** Newest first: what happened last is what one looks up. */
function SeriesTable({ stats }: { stats: Stats }) {
  const names = timeNames(stats)
  const { series, previous } = stats
  const cell = 'border-b border-line px-3 py-2 text-right tabular-nums'
  return (
    <section
      aria-label="Clicks over time, as a table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-control border border-line"
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            <th scope="col" className="border-b border-line px-3 py-2 text-left font-medium">
              Time
            </th>
            {['Clicks', 'Visitors', ...(previous ? ['Clicks before'] : [])].map((name) => (
              <th key={name} scope="col" className={`${cell} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series
            .map(({ at, clicks, visitors }, index) => (
              <tr key={at}>
                <th scope="row" className="border-b border-line px-3 py-2 text-left font-normal">
                  {names.point(at)}
                </th>
                <td className={cell}>{formatNumber(clicks)}</td>
                <td className={cell}>{formatNumber(visitors)}</td>
                {previous && <td className={cell}>{formatNumber(previous.series[index]?.clicks ?? 0)}</td>}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </section>
  )
}

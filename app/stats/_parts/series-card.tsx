import { ChartLine } from 'lucide-react'
import { ChartCard, ChartTable } from '@/app/_ui/base/chart-card'
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

function SeriesTable({ stats }: { stats: Stats }) {
  const names = timeNames(stats)
  const { series, previous } = stats
  return (
    <ChartTable
      title="Clicks over time"
      height="max-h-80"
      names={['Time', 'Clicks', 'Visitors', ...(previous ? ['Clicks before'] : [])]}
      rows={series.map(({ at, clicks, visitors }, index) => ({
        key: at,
        name: names.point(at),
        values: [clicks, visitors, ...(previous ? [previous.series[index]?.clicks ?? 0] : [])],
      }))}
    />
  )
}

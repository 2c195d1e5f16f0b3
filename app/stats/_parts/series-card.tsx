import { ChartLine } from 'lucide-react'
import { ChartCard, ChartTable } from '@/app/_ui/base/chart-card'
import { formatNumber } from '@/app/_ui/data/numbers'
import { useServerData } from '@/app/_ui/data/server-data'
import { getNotes, type LinkAccess } from '@/app/_ui/data/stats'
import type { ClickKind } from '@/lib/clicks/dimensions'
import { INTERVALS, type Stats } from '@/lib/stats/schemas'
import { Headline } from './headline'
import { INTERVAL_NAMES, KIND_NAMES } from './labels'
import { Notes, notesWithin } from './notes'
import { SeriesChart, VISITORS_COLOUR } from './series-chart'
import { rangeName, timeNames } from './times'
import type { ViewControl } from './use-view'
import { intervalsFor } from './view'

interface Props {
  access: LinkAccess
  stats: Stats
  control: ViewControl
}

export function SeriesCard({ access, stats, control }: Props) {
  const { kind } = control.view
  const { value, reload } = useServerData(['notes', access], (signal) => getNotes(access, signal))
  const notes = notesWithin(value ?? [], stats)
  return (
    <ChartCard
      title="Clicks over time"
      icon={ChartLine}
      action={<IntervalPicker stats={stats} control={control} />}
      head={<Headline stats={stats} kind={kind} />}
      chart={<SeriesChart stats={stats} notes={notes} kind={kind} />}
      table={<SeriesTable stats={stats} kind={kind} />}
      caption={<Caption stats={stats} kind={kind} />}
      foot={value && <Notes access={access} notes={notes} onChange={reload} />}
    />
  )
}

function IntervalPicker({ stats, control }: Omit<Props, 'access'>) {
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

interface PartProps {
  stats: Stats
  kind: ClickKind
}

function Caption({ stats, kind }: PartProps) {
  const { totals, previous } = stats
  const key = 'inline-block h-0 w-5 border-t-2 align-middle mr-2'
  return (
    <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-[13px] text-muted">
      <span>
        <span aria-hidden="true" className={`${key} border-accent`} />
        {KIND_NAMES[kind].clicks}
        <span className="sr-only">: {formatNumber(totals.clicks)}</span>
      </span>
      {kind === 'person' && (
        <span>
          <span aria-hidden="true" className={key} style={{ borderColor: VISITORS_COLOUR }} />
          Visitors<span className="sr-only">: {formatNumber(totals.visitors)}</span>
        </span>
      )}
      {previous && (
        <span>
          <span aria-hidden="true" className={`${key} border-line-strong opacity-70`} />
          {KIND_NAMES[kind].clicks} in {rangeName({ ...previous, timezone: stats.timezone })}
          <span className="sr-only">: {formatNumber(previous.totals.clicks)}</span>
        </span>
      )}
    </figcaption>
  )
}

function SeriesTable({ stats, kind }: PartProps) {
  const names = timeNames(stats)
  const { series, previous } = stats
  const people = kind === 'person'
  return (
    <ChartTable
      title="Clicks over time"
      height="max-h-80"
      names={['Time', KIND_NAMES[kind].clicks, ...(people ? ['Visitors'] : []), ...(previous ? ['Previous'] : [])]}
      rows={series.map(({ at, clicks, visitors }, index) => ({
        key: at,
        name: names.point(at),
        values: [clicks, ...(people ? [visitors] : []), ...(previous ? [previous.series[index]?.clicks ?? 0] : [])],
      }))}
    />
  )
}

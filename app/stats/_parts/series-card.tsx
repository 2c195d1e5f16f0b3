import { ChartLine } from 'lucide-react'
import { useTranslations } from '#i18n'
import { ChartCard, ChartTable } from '@/app/_ui/base/chart-card'
import { useFormat } from '@/app/_ui/data/format'
import { useServerData } from '@/app/_ui/data/server-data'
import { getNotes, type LinkAccess, type NoteOf, type ScopeAccess } from '@/app/_ui/data/stats'
import type { ClickKind } from '@/lib/clicks/dimensions'
import type { Stats } from '@/lib/stats/schemas'
import { INTERVALS } from '@/lib/stats/values'
import { Headline } from './headline'
import { Notes, notesWithin } from './notes'
import { SeriesChart, VISITORS_COLOUR } from './series-chart'
import { rangeName, timeNames } from './times'
import type { ViewControl } from './use-view'
import { intervalsFor } from './view'

interface Props {
  /** null: notes are not told. */
  access: LinkAccess | ScopeAccess | null
  stats: Stats
  control: ViewControl
  /** The notes that the page came with. */
  first: NoteOf[] | undefined
}

export function SeriesCard({ access, stats, control, first }: Props) {
  const t = useTranslations('stats')
  const { kind } = control.view
  const { value, reload } = useServerData<NoteOf[]>(
    ['notes', access],
    async (signal) => (access ? await getNotes(access, signal) : { ok: true, value: [] }),
    { first, enabled: access !== null },
  )
  const notes = notesWithin(value ?? [], stats)
  return (
    <ChartCard
      title={t('series.title')}
      icon={ChartLine}
      action={<IntervalPicker stats={stats} control={control} />}
      head={<Headline stats={stats} kind={kind} />}
      chart={<SeriesChart stats={stats} notes={notes} kind={kind} />}
      table={<SeriesTable stats={stats} kind={kind} />}
      caption={<Caption stats={stats} kind={kind} />}
      foot={access && value && <Notes access={access} notes={notes} timezone={stats.timezone} onChange={reload} />}
    />
  )
}

function IntervalPicker({ stats, control }: Omit<Props, 'access' | 'first'>) {
  const t = useTranslations('stats')
  const fitting = intervalsFor(stats.from, stats.to)
  const options = INTERVALS.filter((interval) => interval === stats.interval || fitting.includes(interval))
  return (
    <label className="text-sm text-muted">
      <span className="sr-only">{t('interval.label')}</span>
      <select
        value={stats.interval}
        onChange={({ currentTarget }) =>
          control.change({ interval: options.find((interval) => interval === currentTarget.value) ?? null })
        }
        className="h-11 rounded-control border border-line-strong bg-surface px-2 text-sm text-fg sm:h-8"
      >
        {options.map((interval) => (
          <option key={interval} value={interval}>
            {t(`interval.${interval}`)}
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
  const t = useTranslations('stats')
  const format = useFormat()
  const { totals, previous } = stats
  const clicks = t(`kind.${kind}.clicks`)
  const key = 'inline-block h-0 w-5 border-t-2 align-middle mr-2'
  return (
    <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-[13px] text-muted">
      <span>
        <span aria-hidden="true" className={`${key} border-accent`} />
        {clicks} <Hidden>{format.number(totals.clicks)}</Hidden>
      </span>
      {kind === 'person' && (
        <span>
          <span aria-hidden="true" className={key} style={{ borderColor: VISITORS_COLOUR }} />
          {t('visitors')} <Hidden>{format.number(totals.visitors)}</Hidden>
        </span>
      )}
      {previous && (
        <span>
          <span aria-hidden="true" className={`${key} border-line-strong opacity-70`} />
          {t('series.compared', { clicks, range: rangeName({ ...previous, timezone: stats.timezone }, format) })}{' '}
          <Hidden>{format.number(previous.totals.clicks)}</Hidden>
        </span>
      )}
    </figcaption>
  )
}

/** For those who cannot see the lines. */
const Hidden = ({ children }: { children: string }) => <span className="sr-only">{children}</span>

function SeriesTable({ stats, kind }: PartProps) {
  const t = useTranslations('stats')
  const names = timeNames(stats, useFormat(), t)
  const { series, previous } = stats
  const people = kind === 'person'
  return (
    <ChartTable
      title={t('series.title')}
      height="max-h-80"
      names={[
        t('series.time'),
        t(`kind.${kind}.clicks`),
        ...(people ? [t('visitors')] : []),
        ...(previous ? [t('series.comparison')] : []),
      ]}
      rows={series.map(({ at, clicks, visitors }, index) => ({
        key: at,
        name: names.point(at),
        values: [clicks, ...(people ? [visitors] : []), ...(previous ? [previous.series[index]?.clicks ?? 0] : [])],
      }))}
    />
  )
}

import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import { FailureNotice } from '@/app/_ui/base/failure-notice'
import { useFormat } from '@/app/_ui/data/format'
import type { StatsAccess } from '@/app/_ui/data/stats'
import type { Failure } from '@/lib/forms/failure'
import type { ScopeStats } from '@/lib/scopes/schemas'
import type { Stats } from '@/lib/stats/schemas'
import { BreakdownPanel } from './breakdown-panel'
import { ClicksList } from './clicks-list'
import { ConversionsCard } from './conversions-card'
import { EmptyView } from './empty'
import { FilterChips } from './filter-chips'
import type { FirstStats } from './first'
import { HeatMap } from './heat-map'
import { KindTabs } from './kind-tabs'
import { SeriesCard } from './series-card'
import { Toolbar } from './toolbar'
import { TopLinks } from './top-links'
import type { ViewControl } from './use-view'
import type { World } from './world'
import { WorldMap } from './world-map'

interface Props {
  access: StatsAccess
  stats: Stats | ScopeStats
  /** The numbers are those of another view; its own are on their way. */
  stale: boolean
  failure: Failure | null
  onAgain: () => void
  control: ViewControl
  world: World
  /** Grows with each click that was heard of. */
  news: number
  /** What the page came with, as long as it shows the view that it was opened with. */
  first: FirstStats | undefined
}

export function Dashboard({ access, stats, stale, failure, onAgain, control, world, news, first }: Props) {
  const t = useTranslations('stats')
  const base = useTranslations('base')
  const { view, change } = control
  const filtered = Object.keys(view.filters).length > 0
  return (
    <div className="mt-5">
      <Toolbar access={access} stats={stats} control={control} />
      <KindTabs stats={stats} control={control} />
      <FilterChips control={control} />
      {failure && (
        <FailureNotice
          failure={failure}
          stale
          outdated={t('page.outdated')}
          again={failure.kind === 'invalid' ? t('range.showDefault') : base('failure.again')}
          className="mt-4"
          onAgain={onAgain}
        />
      )}
      {stats.rawSince && <RawNote since={stats.rawSince} timezone={stats.timezone} />}
      <div aria-busy={stale} className={cx('transition-opacity', stale && 'opacity-60')}>
        <p role="status" className="sr-only">
          {stale ? t('page.updating') : ''}
        </p>
        {stats.totals.clicks === 0 && (filtered || isEmpty(stats)) ? (
          <EmptyView
            isMany={'links' in stats}
            filtered={filtered}
            onAllTime={() => change({ range: 'all', from: null, to: null, interval: null })}
            onClearFilters={() => change({ filters: {} })}
          />
        ) : (
          <Numbers access={access} stats={stats} control={control} world={world} news={news} first={first} />
        )}
      </div>
      <p className="mt-8 text-[13px] text-muted">
        {t.rich('page.places', {
          link: (name) => (
            <a href="https://db-ip.com" rel="noreferrer" target="_blank" className="underline underline-offset-2 hover:text-fg">
              {name}
            </a>
          ),
        })}
      </p>
    </div>
  )
}

const NOTE = 'rounded-control bg-warn-soft px-4 py-3 text-sm text-warn'

/** Nobody at all came, neither people nor programs. */
const isEmpty = ({ totals }: Stats) => totals.bots === 0 && totals.previews === 0

/** Of a link that leads everyone to the same there is nothing to compare. */
const hasDestinations = ({ breakdown }: Stats) => breakdown.destination.length > 0

type NumbersProps = Pick<Props, 'access' | 'stats' | 'control' | 'world' | 'news' | 'first'>

function Numbers({ access, stats, control, world, news, first }: NumbersProps) {
  const t = useTranslations('stats')
  const panel = { access, stats, control }
  const link = 'code' in access ? access : null
  const many = 'links' in stats ? stats : null
  const single = 'scope' in access && many?.hasClicks ? access : link
  return (
    <div className="mt-4 grid gap-4 lg:grid-cols-2">
      <div className="min-w-0 space-y-4 lg:col-span-2">
        <SeriesCard access={single} stats={stats} control={control} first={first?.notes} />
        {control.view.kind === 'person' && <ConversionsCard stats={stats} />}
        {many && <TopLinks stats={many} kind={control.view.kind} />}
        {many?.hasBreakdowns === false && <p className={NOTE}>{t('scope.noBreakdowns')}</p>}
      </div>
      {many?.hasBreakdowns !== false && <Breakdowns world={world} {...panel} />}
      <HeatMap hourOfWeek={stats.hourOfWeek} timezone={stats.timezone} />
      {single && <ClicksList access={single} control={control} timezone={stats.timezone} news={news} first={first?.clicks} />}
    </div>
  )
}

/** Where clicks come from, by all that is known of them. */
function Breakdowns({ world, ...panel }: Pick<Props, 'access' | 'stats' | 'control' | 'world'>) {
  const t = useTranslations('stats')
  return (
    <>
      {hasDestinations(panel.stats) && (
        <div className="min-w-0 lg:col-span-2">
          <BreakdownPanel {...panel} title={t('panel.destinations')} facets={['destination']} />
        </div>
      )}
      <div className="grid min-w-0 gap-4 lg:col-span-2 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <WorldMap world={world} stats={panel.stats} control={panel.control} />
        <BreakdownPanel {...panel} title={t('panel.places')} facets={['country', 'city']} />
      </div>
      <BreakdownPanel {...panel} title={t('panel.sources')} facets={['source', 'referrer']} />
      <BreakdownPanel {...panel} title={t('panel.software')} facets={['browser', 'os', 'device']} />
      <BreakdownPanel {...panel} title={t('panel.languages')} facets={['language']} />
      <BreakdownPanel
        {...panel}
        title={t('panel.campaigns')}
        facets={['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']}
      />
    </>
  )
}

/** Single clicks are kept for a while only; what reaches further back was counted in time, but not by everything at once. */
function RawNote({ since, timezone }: { since: string; timezone: string }) {
  const t = useTranslations('stats')
  const format = useFormat()
  return <p className={`mt-4 ${NOTE}`}>{t('page.since', { time: format.time(since, timezone) })}</p>
}

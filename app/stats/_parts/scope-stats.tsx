import { useState } from 'react'
import { useTranslations } from '#i18n'
import { LinkButton } from '@/app/_ui/base/button'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { LocalTime } from '@/app/_ui/base/local-time'
import { getScopeStats, type ScopeAccess } from '@/app/_ui/data/stats'
import type { ScopeStats as Stats } from '@/lib/scopes/schemas'
import { Dashboard } from './dashboard'
import type { FirstScopeStats } from './first'
import { LiveIndicator } from './live-indicator'
import { requestOf } from './request'
import { ScopeHead } from './scope-head'
import { StatsFailure } from './stats-failure'
import { useLive } from './use-live'
import { useNumbers } from './use-numbers'
import { useTimeZone } from './use-time-zone'
import { useView, type ViewControl } from './use-view'
import { DEFAULT_KIND, type View } from './view'
import { Waiting } from './waiting'
import type { World } from './world'

export interface ScopeProps {
  scope: ScopeAccess['scope']
  hosts: readonly string[]
  world: World
  first: FirstScopeStats | null
}

/** The statistics of several links. */
export function ScopeStats({ scope, hosts, world, first }: ScopeProps) {
  const t = useTranslations('stats.scope')
  const [access] = useState<ScopeAccess>({ scope })
  const given = useView()
  const timezone = useTimeZone(first?.stats.timezone)
  const asServed = first !== null && first.view === given.key && first.stats.timezone === timezone ? first : undefined
  const { stats, counted, failure, stale, again, reload } = useNumbers({
    key: ['scope', access, given.key, timezone],
    control: given,
    read: (signal) => getScopeStats(access, requestOf(given.view, timezone), signal),
    isCounting: ({ counting }) => counting,
    first: asServed?.stats,
  })
  const [news, setNews] = useState(0)
  const live = useLive(
    access,
    () => {
      reload()
      setNews((count) => count + 1)
    },
    stats?.hasClicks === true,
  )
  const control = stats && stats.countedAt !== null ? answerable(given) : given
  const [asked] = Object.keys(scope)
  return (
    <>
      <ScopeHead scope={scope} hosts={hosts} control={control} />
      {stats === null || failure?.kind === 'gone' ? (
        failure ? (
          <StatsFailure
            failure={failure}
            onAgain={again}
            gone={{ title: t(asked === 'domain' ? 'noDomain' : 'noLabel'), text: t('goneText') }}
          />
        ) : (
          <Waiting counted={counted} />
        )
      ) : stats.links === 0 && isPlain(given.view) ? (
        <NoClicks />
      ) : (
        <>
          <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <CountedAt stats={stats} />
            {stats.hasClicks && !failure && <LiveIndicator state={live} />}
          </div>
          <Dashboard
            access={access}
            stats={stats}
            stale={stale}
            failure={failure}
            onAgain={again}
            control={control}
            world={world}
            news={news}
            first={undefined}
          />
        </>
      )}
    </>
  )
}

const isPlain = ({ filters }: View) => Object.keys(filters).length === 0

/** Of links that are too many for it, no single clicks are counted: there is one filter at a time, on people, and no minutes. */
function answerable(control: ViewControl): ViewControl {
  const { view } = control
  const change: ViewControl['change'] = (changes) => {
    const next = { ...view, ...changes }
    const added = Object.entries(next.filters).filter(([facet, value]) => view.filters[facet as keyof View['filters']] !== value)
    const [filter] = added.length > 0 ? added : Object.entries(next.filters)
    const isOfPeople = next.kind === DEFAULT_KIND
    const filters = filter && isOfPeople ? Object.fromEntries([filter]) : {}
    control.change({ ...changes, filters, ...(next.interval === 'minute' && { interval: null }) })
  }
  const toggle: ViewControl['toggle'] = (facet, value) =>
    change({ kind: DEFAULT_KIND, filters: view.filters[facet] === value ? {} : { [facet]: value } })
  return { ...control, change, toggle }
}

/** Of when the numbers are, where they are not of now. */
function CountedAt({ stats: { links, countedAt, counting } }: { stats: Stats }) {
  const t = useTranslations('stats.scope')
  return (
    <p className="text-sm text-muted">
      {t('links', { links })}
      {countedAt !== null && (
        <>
          {' · '}
          {t.rich('countedAt', { time: () => <LocalTime iso={countedAt} /> })}
          {counting && ` · ${t('again')}`}
        </>
      )}
    </p>
  )
}

function NoClicks() {
  const t = useTranslations('stats')
  return (
    <div className="mt-8 rounded-card border border-dashed border-line-strong">
      <EmptyState title={t('empty.link.title')} text={t('scope.empty')}>
        <LinkButton href="/dashboard" look="primary">
          {t('page.back')}
        </LinkButton>
      </EmptyState>
    </div>
  )
}

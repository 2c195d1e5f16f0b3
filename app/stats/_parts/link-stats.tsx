import { useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { forgetAccess } from '@/app/_ui/data/access'
import { type RecentLink, refreshRecent } from '@/app/_ui/data/recents'
import { useServerData } from '@/app/_ui/data/server-data'
import { getOpenLink, getStats, type LinkAccess } from '@/app/_ui/data/stats'
import type { Stats } from '@/lib/stats/schemas'
import { Dashboard } from './dashboard'
import { EmptyLink } from './empty'
import type { FirstStats } from './first'
import { LinkTitle } from './link-title'
import { LiveIndicator } from './live-indicator'
import { requestOf } from './request'
import { DashboardSkeleton } from './skeleton'
import { StatsFailure } from './stats-failure'
import { useLive } from './use-live'
import { useTimeZone } from './use-time-zone'
import { useView } from './use-view'
import { PLAIN_VIEW, type View } from './view'
import type { World } from './world'

interface Props {
  access: LinkAccess
  /** What this browser remembers of the link. */
  known: RecentLink | undefined
  world: World
  first: FirstStats | null
}

/** The statistics of a link that is open to this browser, kept up to date. */
export function LinkStats({ access, known, world, first }: Props) {
  const control = useView()
  const timezone = useTimeZone(first?.stats.timezone)
  const asServed = first !== null && first.view === control.key && first.stats.timezone === timezone ? first : undefined
  const link = useServerData(['link', access], (signal) => getOpenLink(access, signal), { first: first?.link })
  const stats = useServerData(
    ['stats', access, control.key, timezone],
    (signal) => getStats(access, requestOf(control.view, timezone), signal),
    { first: asServed?.stats },
  )
  const [news, setNews] = useState(0)
  const live = useLive(access, () => {
    stats.reload()
    setNews((count) => count + 1)
  })
  const failure = stats.failure ?? link.failure
  useEffect(() => {
    if (failure?.kind === 'refused') forgetAccess(access)
  }, [failure, access])
  useEffect(() => {
    if (link.value) refreshRecent(link.value)
  }, [link.value])

  const again = () => {
    // An address typed by hand that asks for what there cannot be would only be refused again.
    if (failure?.kind === 'invalid') return control.change(PLAIN_VIEW)
    link.reload()
    stats.reload()
  }
  const shown = link.value ?? known
  return (
    <>
      <LinkTitle
        code={access.code}
        domain={access.domain}
        link={shown}
        aside={stats.value && !failure && <LiveIndicator state={live} />}
      />
      {link.value && link.value.clicksBefore > 0 && <ClicksBefore count={link.value.clicksBefore} />}
      {stats.value === null || failure?.kind === 'gone' ? (
        failure ? (
          <StatsFailure failure={failure} onAgain={again} />
        ) : (
          <DashboardSkeleton />
        )
      ) : shown && isUnclicked(stats.value, shown.clicks, control.view) ? (
        <EmptyLink shortUrl={shown.shortUrl} />
      ) : (
        <Dashboard
          access={access}
          stats={stats.value}
          stale={stats.stale}
          failure={stats.failure}
          onAgain={again}
          control={control}
          world={world}
          news={news}
          first={asServed}
        />
      )}
    </>
  )
}

/** What an imported link had where it was. */
function ClicksBefore({ count }: { count: number }) {
  const t = useTranslations('stats')
  return <p className="mb-4 text-sm text-muted tabular-nums">{t('clicksBefore', { count })}</p>
}

/** A link without any click, rather than a view without. */
const isUnclicked = ({ totals }: Stats, clicks: number, { filters }: View) =>
  totals.clicks === 0 && clicks === 0 && Object.keys(filters).length === 0

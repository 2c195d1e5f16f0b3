'use client'

import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { buttonClass } from '@/app/_ui/base/button'
import { cx } from '@/app/_ui/base/cx'
import { DayChart } from '@/app/_ui/base/day-chart'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { FailureNotice } from '@/app/_ui/base/failure'
import { PageHead } from '@/app/_ui/base/page-head'
import { Segments } from '@/app/_ui/base/segments'
import { StatCard, StatCards } from '@/app/_ui/base/stat-card'
import { getOverview } from '@/app/_ui/data/overview'
import { useServerData } from '@/app/_ui/data/server-data'
import { formatDay } from '@/app/_ui/data/time'
import { LinkList } from '@/app/_ui/links/link-list'
import { OVERVIEW_DAYS, type Overview } from '@/lib/overview/schemas'

const DEFAULT_DAYS = 30
const PERIODS = OVERVIEW_DAYS.map((value) => ({ value, label: `${value} days` }))

/** Numbers over all links of the account. */
export function OverviewPage() {
  const params = useSearchParams()
  const days = OVERVIEW_DAYS.find((known) => String(known) === params.get('days')) ?? DEFAULT_DAYS
  const overview = useServerData(['overview', days], (signal) => getOverview(days, signal))
  const { value, failure, stale, reload } = overview
  const show = (wanted: number) => {
    if (wanted !== days) window.history.pushState(null, '', wanted === DEFAULT_DAYS ? location.pathname : `?days=${wanted}`)
  }
  return (
    <>
      <PageHead title="Overview">
        <Segments label="Period" value={days} options={PERIODS} onChange={show} />
      </PageHead>
      {failure && <FailureNotice failure={failure} stale={value !== null} onAgain={reload} />}
      <div aria-busy={stale} className={cx('transition-opacity', stale && value && 'opacity-60')}>
        {value ? <Numbers overview={value} /> : !failure && <Skeleton />}
      </div>
    </>
  )
}

function Numbers({ overview }: { overview: Overview }) {
  const { links, clicks, clicksByDay, top, newest } = overview
  if (links === 0) return <NoLinks />
  const recent = clicksByDay.reduce((sum, { count }) => sum + count, 0)
  const best = clicksByDay.reduce<{ day: string; count: number } | null>(
    (most, day) => (day.count > (most?.count ?? 0) ? day : most),
    null,
  )
  return (
    <div className="space-y-4">
      <StatCards>
        <StatCard name="Links" value={links} href="/dashboard" />
        <StatCard name="Clicks" value={clicks} note="Of all time" />
        <StatCard name={`Clicks in ${clicksByDay.length} days`} value={recent} />
        <StatCard name="Best day" value={best?.count ?? 0} note={best ? formatDay(`${best.day}T12:00:00Z`) : 'No clicks yet'} />
      </StatCards>
      <DayChart title="Clicks by day" unit="click" days={clicksByDay} />
      <div className="grid gap-4 lg:grid-cols-2">
        <LinkList title="Most clicked" rows={top} empty="Nobody clicked in this time." />
        <LinkList title="Newest" rows={newest.map((link) => ({ link, clicks: link.clicks }))} empty="No links yet." />
      </div>
    </div>
  )
}

function NoLinks() {
  return (
    <div className="rounded-card border border-dashed border-line-strong">
      <EmptyState title="Nothing to count yet" text="Make a link and share it. Its clicks show up here.">
        <Link href="/dashboard" className={buttonClass('primary')}>
          Go to your links
        </Link>
      </EmptyState>
    </div>
  )
}

function Skeleton() {
  return (
    <div role="status" aria-label="Loading the numbers" className="space-y-4">
      <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {['links', 'clicks', 'recent', 'best'].map((name) => (
          <div key={name} className="skeleton h-[106px] rounded-card!" />
        ))}
      </div>
      <div className="skeleton h-72 rounded-card!" />
      <div className="grid gap-4 lg:grid-cols-2">
        <div className="skeleton h-64 rounded-card!" />
        <div className="skeleton h-64 rounded-card!" />
      </div>
    </div>
  )
}

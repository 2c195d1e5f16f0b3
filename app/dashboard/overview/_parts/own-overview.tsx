'use client'

import { LinkButton } from '@/app/_ui/base/button'
import { DayChart } from '@/app/_ui/base/day-chart'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { FailureNotice } from '@/app/_ui/base/failure'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { StatCard, StatCards } from '@/app/_ui/base/stat-card'
import { getOverview } from '@/app/_ui/data/account'
import { formatDay } from '@/app/_ui/data/time'
import { LinkLists } from '@/app/_ui/links/link-list'
import { OverviewPage } from '@/app/_ui/links/overview-page'
import type { Overview } from '@/lib/overview/schemas'

/** Numbers over all links of the account. */
export function OwnOverview() {
  return (
    <OverviewPage
      name="overview"
      load={getOverview}
      Failed={FailureNotice}
      cardHeight="h-[106px]"
      skeleton={<Skeletons count={2} height="h-64" className="grid gap-4 lg:grid-cols-2" />}
    >
      {(overview) => <Numbers overview={overview} />}
    </OverviewPage>
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
      <LinkLists top={top} newest={newest} none="No links yet." />
    </div>
  )
}

function NoLinks() {
  return (
    <div className="rounded-card border border-dashed border-line-strong">
      <EmptyState title="Nothing to count yet" text="Make a link and share it. Its clicks show up here.">
        <LinkButton href="/dashboard" look="primary">
          Go to your links
        </LinkButton>
      </EmptyState>
    </div>
  )
}

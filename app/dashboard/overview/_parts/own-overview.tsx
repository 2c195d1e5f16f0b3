'use client'

import { LinkButton } from '@/app/_ui/base/button'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { FailureNotice } from '@/app/_ui/base/failure'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { StatCard, StatCards } from '@/app/_ui/base/stat-card'
import { getOverview } from '@/app/_ui/data/account'
import { formatNumber } from '@/app/_ui/data/numbers'
import { formatDay } from '@/app/_ui/data/time'
import { CLICKS_HINT, ClickDays, totalsOf, VISITORS_HINT } from '@/app/_ui/links/click-days'
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
  const { links, clicksByDay, top, newest } = overview
  if (links === 0) return <NoLinks />
  const { clicks, visitors, bots } = totalsOf(clicksByDay)
  const period = `Last ${clicksByDay.length} days`
  const best = clicksByDay.reduce<{ day: string; count: number } | null>(
    (most, day) => (day.count > (most?.count ?? 0) ? day : most),
    null,
  )
  return (
    <div className="space-y-4">
      <StatCards>
        <StatCard
          name="Clicks"
          value={clicks}
          hint={CLICKS_HINT}
          note={bots > 0 ? `${period}, plus ${formatNumber(bots)} by bots` : period}
        />
        <StatCard name="Visitors" value={visitors} hint={VISITORS_HINT} note={period} />
        <StatCard
          name="Best day"
          value={best?.count ?? 0}
          hint="The day with the most clicks in this period. Days are those of UTC."
          note={best ? formatDay(`${best.day}T12:00:00Z`) : 'No clicks yet'}
        />
        <StatCard name="Links" value={links} note="Total" href="/dashboard" />
      </StatCards>
      <ClickDays days={clicksByDay} />
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

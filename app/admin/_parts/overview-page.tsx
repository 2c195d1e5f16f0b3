'use client'

import { useSearchParams } from 'next/navigation'
import { Amount } from '@/app/_ui/base/amount'
import { Card } from '@/app/_ui/base/card'
import { cx } from '@/app/_ui/base/cx'
import { DayChart } from '@/app/_ui/base/day-chart'
import { PageHead } from '@/app/_ui/base/page-head'
import { Segments } from '@/app/_ui/base/segments'
import { StatCard, StatCards } from '@/app/_ui/base/stat-card'
import { getAdminOverview } from '@/app/_ui/data/admin'
import { formatNumber } from '@/app/_ui/data/numbers'
import { useServerData } from '@/app/_ui/data/server-data'
import { formatCount, formatTime } from '@/app/_ui/data/time'
import { LinkList } from '@/app/_ui/links/link-list'
import { unicodeHost } from '@/lib/net/shown-host'
import type { AdminOverview } from '@/lib/overview/schemas'
import { OVERVIEW_DAYS } from '@/lib/overview/schemas'
import { AdminFailure } from './admin-failure'

const DEFAULT_DAYS = 30
const PERIODS = OVERVIEW_DAYS.map((value) => ({ value, label: `${value} days` }))

type Days = AdminOverview['linksByDay']

/** Numbers over the whole installation. */
export function OverviewPage() {
  const params = useSearchParams()
  const days = OVERVIEW_DAYS.find((known) => String(known) === params.get('days')) ?? DEFAULT_DAYS
  const { value, failure, stale, reload } = useServerData(['admin overview', days], (signal) => getAdminOverview(days, signal))
  const show = (wanted: number) => {
    if (wanted !== days) window.history.pushState(null, '', wanted === DEFAULT_DAYS ? location.pathname : `?days=${wanted}`)
  }
  return (
    <>
      <PageHead title="Overview">
        <Segments label="Period" value={days} options={PERIODS} onChange={show} />
      </PageHead>
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={reload} />}
      <div aria-busy={stale && failure === null} className={cx('transition-opacity', stale && value && 'opacity-60')}>
        {value ? <Numbers overview={value} /> : !failure && <Skeleton />}
      </div>
    </>
  )
}

function Numbers({ overview }: { overview: AdminOverview }) {
  const { links, clicks, accounts, openReports, clicksByDay, linksByDay, accountsByDay, reportsByDay } = overview
  return (
    <div className="space-y-4">
      <StatCards>
        <StatCard name="Links" value={links} note={`${sum(linksByDay)} new`} href="/admin/links" />
        <StatCard name="Clicks" value={clicks} note={`${sum(clicksByDay)} in ${clicksByDay.length} days`} />
        <StatCard name="Accounts" value={accounts} note={`${sum(accountsByDay)} new`} href="/admin/accounts" />
        <StatCard
          name="Open reports"
          value={openReports}
          note={`${formatCount(total(reportsByDay), 'report', 'reports')} in ${reportsByDay.length} days`}
          href="/admin/reports"
        />
      </StatCards>
      <DayChart title="Clicks" unit="click" days={clicksByDay} />
      <div className="grid gap-4 lg:grid-cols-3">
        <DayChart title="New links" unit="link" days={linksByDay} />
        <DayChart title="New accounts" unit="account" days={accountsByDay} />
        <DayChart title="Reports" unit="report" days={reportsByDay} />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <LinkList title="Most clicked" rows={overview.top} empty="Nobody clicked in this time." />
        <LinkList
          title="Newest"
          rows={overview.newest.map((link) => ({ link, clicks: link.clicks }))}
          empty="Nobody has made a link yet."
        />
      </div>
      <Hosts hosts={overview.topHosts} />
      <p className="text-[13px] text-muted">Counted at {formatTime(overview.at)}; days are those of UTC.</p>
    </div>
  )
}

const total = (days: Days) => days.reduce((before, { count }) => before + count, 0)
const sum = (days: Days) => formatNumber(total(days))

function Hosts({ hosts }: { hosts: AdminOverview['topHosts'] }) {
  return (
    <Card title="Where links lead">
      {hosts.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">No links yet.</p>
      ) : (
        <table className="w-full text-sm">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="pb-2 text-left font-medium">
                Host
              </th>
              <th scope="col" className="w-14 pb-2 text-right font-medium sm:w-32">
                Links
              </th>
              <th scope="col" className="w-14 pb-2 text-right font-medium sm:w-32">
                Clicks
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {hosts.map(({ host, links, clicks }) => (
              <tr key={host}>
                <th scope="row" className="py-2 pr-3 text-left font-normal text-anywhere">
                  <bdi title={host}>{unicodeHost(host)}</bdi>
                </th>
                <td className="py-2 text-right tabular-nums">
                  <Amount value={links} />
                </td>
                <td className="py-2 text-right tabular-nums">
                  <Amount value={clicks} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function Skeleton() {
  return (
    <div role="status" aria-label="Loading the numbers" className="space-y-4">
      <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {['links', 'clicks', 'accounts', 'reports'].map((name) => (
          <div key={name} className="skeleton h-[127px] rounded-card!" />
        ))}
      </div>
      <div className="skeleton h-72 rounded-card!" />
      <div className="grid gap-4 lg:grid-cols-3">
        {['links', 'accounts', 'reports'].map((name) => (
          <div key={name} className="skeleton h-72 rounded-card!" />
        ))}
      </div>
    </div>
  )
}

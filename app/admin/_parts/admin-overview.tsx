'use client'

import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { Card } from '@/app/_ui/base/card'
import { DayChart } from '@/app/_ui/base/day-chart'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { StatCard, StatCards } from '@/app/_ui/base/stat-card'
import { getAdminOverview } from '@/app/_ui/data/admin'
import { formatNumber } from '@/app/_ui/data/numbers'
import { formatCount, formatTime } from '@/app/_ui/data/time'
import { ClickDays, totalsOf } from '@/app/_ui/links/click-days'
import { LinkLists } from '@/app/_ui/links/link-list'
import { OverviewPage } from '@/app/_ui/links/overview-page'
import { unicodeHost } from '@/lib/net/shown-host'
import type { AdminOverview as Overview } from '@/lib/overview/schemas'
import { AdminFailure } from './admin-failure'

type Days = Overview['linksByDay']

/** Numbers over the whole installation. */
export function AdminOverview() {
  return (
    <OverviewPage
      name="admin overview"
      load={getAdminOverview}
      Failed={AdminFailure}
      cardHeight="h-[127px]"
      skeleton={<Skeletons count={3} height="h-72" className="grid gap-4 lg:grid-cols-3" />}
    >
      {(overview) => <Numbers overview={overview} />}
    </OverviewPage>
  )
}

function Numbers({ overview }: { overview: Overview }) {
  const { links, accounts, openReports, clicksByDay, linksByDay, accountsByDay, reportsByDay } = overview
  const words = useTranslations('overview')
  const recent = totalsOf(clicksByDay)
  return (
    <div className="space-y-4">
      <StatCards>
        <StatCard name="Links" value={links} note={`${sum(linksByDay)} new`} href="/admin/links" />
        <StatCard
          name="Clicks"
          value={recent.clicks}
          hint={words('clicks.hint')}
          note={`Last ${clicksByDay.length} days, ${formatCount(recent.visitors, 'visitor', 'visitors')}`}
        />
        <StatCard name="Accounts" value={accounts} note={`${sum(accountsByDay)} new`} href="/admin/accounts" />
        <StatCard
          name="Open reports"
          value={openReports}
          note={`${formatCount(total(reportsByDay), 'report', 'reports')} in ${reportsByDay.length} days`}
          href="/admin/reports"
        />
      </StatCards>
      <ClickDays days={clicksByDay} />
      <div className="grid gap-4 lg:grid-cols-3">
        <NewByDay title="New links" one="link" many="links" days={linksByDay} />
        <NewByDay title="New accounts" one="account" many="accounts" days={accountsByDay} />
        <NewByDay title="Reports" one="report" many="reports" days={reportsByDay} />
      </div>
      <LinkLists top={overview.top} newest={overview.newest} none="Nobody has made a link yet." />
      <Hosts hosts={overview.topHosts} />
      <p className="text-[13px] text-muted">Counted at {formatTime(overview.at)}; days are those of UTC.</p>
    </div>
  )
}

const total = (days: Days) => days.reduce((before, { count }) => before + count, 0)
const sum = (days: Days) => formatNumber(total(days))

function NewByDay({ title, one, many, days }: { title: string; one: string; many: string; days: Days }) {
  const inWords = (count: number) => formatCount(count, one, many)
  const summary = `${inWords(total(days))} in ${days.length} days`
  return <DayChart title={title} counted={title} inWords={inWords} summary={summary} days={days} />
}

function Hosts({ hosts }: { hosts: Overview['topHosts'] }) {
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

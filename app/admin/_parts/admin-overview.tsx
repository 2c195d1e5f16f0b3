'use client'

import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { Card } from '@/app/_ui/base/card'
import { DayChart } from '@/app/_ui/base/day-chart'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { StatCard, StatCards } from '@/app/_ui/base/stat-card'
import { getAdminOverview } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
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
  const t = useTranslations('admin.overview')
  const words = useTranslations('overview')
  const format = useFormat()
  const recent = totalsOf(clicksByDay)
  const days = clicksByDay.length
  return (
    <div className="space-y-4">
      <StatCards>
        <StatCard name={t('links')} value={links} note={t('new', { count: total(linksByDay), days })} href="/admin/links" />
        <StatCard
          name={words('clicks.title')}
          value={recent.clicks}
          hint={words('clicks.hint')}
          note={t('clicks', { visitors: recent.visitors, days })}
        />
        <StatCard
          name={t('accounts')}
          value={accounts}
          note={t('new', { count: total(accountsByDay), days })}
          href="/admin/accounts"
        />
        <StatCard
          name={t('openReports')}
          value={openReports}
          note={t('reports', { count: total(reportsByDay), days })}
          href="/admin/reports"
        />
      </StatCards>
      <ClickDays days={clicksByDay} />
      <div className="grid gap-4 lg:grid-cols-3">
        <NewByDay of="links" days={linksByDay} />
        <NewByDay of="accounts" days={accountsByDay} />
        <NewByDay of="reports" days={reportsByDay} />
      </div>
      <LinkLists top={overview.top} newest={overview.newest} none={t('noLinks')} />
      <Hosts hosts={overview.topHosts} />
      <p className="text-[13px] text-muted">{t('at', { time: format.time(overview.at) })}</p>
    </div>
  )
}

const total = (days: Days) => days.reduce((before, { count }) => before + count, 0)

function NewByDay({ of, days }: { of: 'links' | 'accounts' | 'reports'; days: Days }) {
  const t = useTranslations('admin.overview')
  const title = t(`chart.${of}.title`)
  return (
    <DayChart
      title={title}
      counted={title}
      inWords={(count) => t(`chart.${of}.count`, { count })}
      summary={t(`chart.${of}.summary`, { count: total(days), days: days.length })}
      days={days}
    />
  )
}

function Hosts({ hosts }: { hosts: Overview['topHosts'] }) {
  const t = useTranslations('admin.overview.destinations')
  return (
    <Card title={t('title')}>
      {hosts.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">{t('empty')}</p>
      ) : (
        <table className="w-full text-sm">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="pb-2 text-left font-medium">
                {t('host')}
              </th>
              <th scope="col" className="w-14 pb-2 text-right font-medium sm:w-32">
                {t('links')}
              </th>
              <th scope="col" className="w-14 pb-2 text-right font-medium sm:w-32">
                {t('clicks')}
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

'use client'

import { ChartColumn } from 'lucide-react'
import { useTranslations } from '#i18n'
import { LinkButton } from '@/app/_ui/base/button'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { FailureNotice } from '@/app/_ui/base/failure-notice'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { StatCard, StatCards } from '@/app/_ui/base/stat-card'
import { getOverview } from '@/app/_ui/data/account'
import { useFormat } from '@/app/_ui/data/format'
import { ClickDays, totalsOf } from '@/app/_ui/links/click-days'
import { LinkLists } from '@/app/_ui/links/link-list'
import { OverviewPage } from '@/app/_ui/links/overview-page'
import { scopePath } from '@/app/_ui/links/scope-path'
import type { Overview } from '@/lib/overview/schemas'

/** Numbers over all links of the account. */
export function OwnOverview() {
  const t = useTranslations('overview')
  return (
    <OverviewPage
      name="overview"
      load={getOverview}
      Failed={FailureNotice}
      action={
        <LinkButton size="small" look="quiet" href={scopePath()} prefetch={false}>
          <ChartColumn aria-hidden="true" className="size-4" />
          {t('statistics')}
        </LinkButton>
      }
      cardHeight="h-[106px]"
      skeleton={<Skeletons count={2} height="h-64" className="grid gap-4 lg:grid-cols-2" />}
    >
      {(overview) => <Numbers overview={overview} />}
    </OverviewPage>
  )
}

function Numbers({ overview }: { overview: Overview }) {
  const t = useTranslations('overview')
  const format = useFormat()
  const { links, clicksByDay, top, newest } = overview
  if (links === 0) return <NoLinks />
  const { clicks, visitors, bots } = totalsOf(clicksByDay)
  const days = clicksByDay.length
  const period = t('lastDays', { days })
  const best = clicksByDay.reduce<{ day: string; count: number } | null>(
    (most, day) => (day.count > (most?.count ?? 0) ? day : most),
    null,
  )
  return (
    <div className="space-y-4">
      <StatCards>
        <StatCard
          name={t('clicks.title')}
          value={clicks}
          hint={t('clicks.hint')}
          note={bots > 0 ? t('lastDaysWithBots', { days, bots }) : period}
        />
        <StatCard name={t('visitors.title')} value={visitors} hint={t('visitors.hint')} note={period} />
        <StatCard
          name={t('bestDay.title')}
          value={best?.count ?? 0}
          hint={t('bestDay.hint')}
          note={best ? format.date(best.day) : t('bestDay.none')}
        />
        <StatCard name={t('links.title')} value={links} note={t('links.total')} href="/dashboard" />
      </StatCards>
      <ClickDays days={clicksByDay} />
      <LinkLists top={top} newest={newest} none={t('links.none')} />
    </div>
  )
}

function NoLinks() {
  const t = useTranslations('overview')
  return (
    <div className="rounded-card border border-dashed border-line-strong">
      <EmptyState title={t('empty.title')} text={t('empty.text')}>
        <LinkButton href="/dashboard" look="primary">
          {t('empty.action')}
        </LinkButton>
      </EmptyState>
    </div>
  )
}

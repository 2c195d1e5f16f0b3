'use client'

import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import { PageHead } from '@/app/_ui/base/page-head'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { getSystem } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
import { type ServerData, useServerData } from '@/app/_ui/data/server-data'
import { useVisible } from '@/app/_ui/data/visible'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import { healthOf } from '@/lib/overview/health'
import type { SystemView } from '@/lib/overview/schemas'
import { CopiesCard } from './copies-card'
import { DeadLetters } from './dead-letters'
import { Jobs } from './jobs'
import { CacheCard, FilterCard } from './lookup-cards'
import { NumbersCard } from './numbers-card'
import { ClicksCard, MysqlCard, ProcessCard, RedisCard } from './service-cards'
import { Verdict } from './verdict'

const POLL_MS = 2000

/** How everything is that links depend on, as it is now. */
export function SystemPage() {
  const t = useTranslations('system')
  // Asked for only while somebody looks.
  const visible = useVisible()
  const system = useServerData(['system'], getSystem, { enabled: visible, refetchInterval: POLL_MS })
  const { value, failure } = system
  return (
    <>
      <PageHead title={t('title')}>
        <Liveness system={system} asking={visible} />
      </PageHead>
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={system.reload} />}
      {value ? <Cards system={value} /> : !failure && <Skeleton />}
      <div className="mt-4 space-y-4">
        <DeadLetters count={value?.clicks.deadLetters ?? 0} />
        <Jobs at={value?.at ?? null} />
      </div>
    </>
  )
}

function Cards({ system }: { system: SystemView }) {
  const health = healthOf(system)
  return (
    <div className="space-y-4">
      <Verdict health={health} />
      <div className="grid gap-4 md:grid-cols-2">
        <MysqlCard system={system} health={health} />
        <RedisCard system={system} health={health} />
        <ClicksCard system={system} health={health} />
        <CacheCard system={system} health={health} />
        <FilterCard system={system} health={health} />
        <ProcessCard system={system} />
        {system.copies && <CopiesCard copies={system.copies} health={health} />}
        <NumbersCard system={system} health={health} />
      </div>
    </div>
  )
}

/** Whether what is seen is what is. */
function Liveness({ system: { value, readAt, failure }, asking }: { system: ServerData<SystemView>; asking: boolean }) {
  const t = useTranslations('system.live')
  const format = useFormat()
  const live = value !== null && failure === null && asking
  const behind = value !== null && failure !== null
  return (
    <span className="inline-flex h-8 items-center gap-2 rounded-full border border-line bg-surface px-3 text-[13px] font-medium text-muted tabular-nums">
      <span aria-hidden="true" className={cx('size-2 rounded-full', live ? 'bg-ok' : failure ? 'bg-danger' : 'bg-line-strong')} />
      {behind
        ? t('behind', { span: format.span(Math.round((Date.now() - readAt) / 1000)) })
        : t(live ? 'live' : failure ? 'failed' : asking ? 'connecting' : 'paused')}
    </span>
  )
}

function Skeleton() {
  const t = useTranslations('system')
  return (
    <div role="status" aria-label={t('loading')} className="space-y-4">
      <div className="skeleton h-13 rounded-card!" />
      <Skeletons count={4} height="h-64" className="grid gap-4 md:grid-cols-2" />
    </div>
  )
}

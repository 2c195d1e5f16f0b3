'use client'

import { CircleAlert, CircleCheck } from 'lucide-react'
import { cx } from '@/app/_ui/base/cx'
import { PageHead } from '@/app/_ui/base/page-head'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { getSystem } from '@/app/_ui/data/admin'
import { formatSpan } from '@/app/_ui/data/numbers'
import { type ServerData, useServerData } from '@/app/_ui/data/server-data'
import { formatCount } from '@/app/_ui/data/time'
import { useVisible } from '@/app/_ui/data/visible'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import type { SystemView } from '@/lib/overview/schemas'
import { CacheCard, CodesCard, IdsCard } from './code-cards'
import { DeadLetters } from './dead-letters'
import { Jobs } from './jobs'
import { ClicksCard, MysqlCard, ProcessCard, RedisCard } from './service-cards'
import { warningsOf } from './warnings'

const POLL_MS = 2000

/** How everything is that links depend on, as it is now. */
export function SystemPage() {
  // Asked for only while somebody looks.
  const visible = useVisible()
  const system = useServerData(['system'], getSystem, { enabled: visible, refetchInterval: POLL_MS })
  const { value, failure } = system
  return (
    <>
      <PageHead title="System">
        <Liveness system={system} asking={visible} />
      </PageHead>
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={system.reload} />}
      {value ? (
        <div className="space-y-4">
          <Verdict warnings={warningsOf(value)} />
          <Cards system={value} />
        </div>
      ) : (
        !failure && <Skeleton />
      )}
      <div className="mt-4 space-y-4">
        <DeadLetters count={value?.clicks.deadLetters ?? 0} />
        <Jobs at={value?.at ?? null} />
      </div>
    </>
  )
}

function Cards({ system }: { system: SystemView }) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <MysqlCard mysql={system.mysql} />
      <RedisCard redis={system.redis} />
      <ClicksCard clicks={system.clicks} />
      <CacheCard cache={system.cache} />
      <CodesCard bloom={system.bloom} freed={system.freed} />
      <ProcessCard process={system.process} />
      <IdsCard ids={system.ids} />
    </div>
  )
}

/** Whether what is seen is what is. */
function Liveness({ system: { value, readAt, failure }, asking }: { system: ServerData<SystemView>; asking: boolean }) {
  const live = value !== null && failure === null && asking
  const behind = value !== null && failure !== null && `Last seen ${formatSpan(Math.round((Date.now() - readAt) / 1000))} ago`
  return (
    <span className="inline-flex h-8 items-center gap-2 rounded-full border border-line bg-surface px-3 text-[13px] font-medium text-muted tabular-nums">
      <span aria-hidden="true" className={cx('size-2 rounded-full', live ? 'bg-ok' : failure ? 'bg-danger' : 'bg-line-strong')} />
      {live ? 'Live' : behind || (failure ? 'Not reached' : asking ? 'Connecting…' : 'Paused')}
    </span>
  )
}

/** What is wrong, in words; or that nothing is. */
function Verdict({ warnings }: { warnings: readonly string[] }) {
  const well = warnings.length === 0
  const Icon = well ? CircleCheck : CircleAlert
  return (
    <section
      aria-label="What needs attention"
      className={cx(
        'flex gap-3 rounded-card px-4 py-3.5 text-sm sm:px-5',
        well ? 'bg-ok-soft text-ok' : 'bg-danger-soft text-danger',
      )}
    >
      <Icon aria-hidden="true" className="mt-px size-5 shrink-0" />
      <div className="min-w-0">
        <p role="status" className="text-[15px] font-semibold">
          {well ? 'All is well' : `${formatCount(warnings.length, 'thing needs', 'things need')} attention`}
        </p>
        {!well && (
          <ul className="mt-1.5 list-disc space-y-1 pl-4">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function Skeleton() {
  return (
    <div role="status" aria-label="Loading the state of the system" className="space-y-4">
      <div className="skeleton h-13 rounded-card!" />
      <Skeletons count={4} height="h-64" className="grid gap-4 md:grid-cols-2" />
    </div>
  )
}

import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import type { FailureNotice } from '@/app/_ui/base/failure-notice'
import { PageHead } from '@/app/_ui/base/page-head'
import { Segments } from '@/app/_ui/base/segments'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { showQuery, useAddressQuery } from '@/app/_ui/data/address'
import type { Result } from '@/app/_ui/data/http'
import { useServerData } from '@/app/_ui/data/server-data'
import { OVERVIEW_DAYS } from '@/lib/overview/values'

const DEFAULT_DAYS = 30

interface Props<T> {
  /** What the browser keeps the numbers under. */
  name: string
  load: (days: number, signal: AbortSignal) => Promise<Result<T>>
  /** Says why they could not be read. */
  Failed: ComponentType<Pick<ComponentProps<typeof FailureNotice>, 'failure' | 'stale' | 'onAgain'>>
  /** Class of the height of a card with a number. */
  cardHeight: string
  /** The outline of what is below those and the first chart. */
  skeleton: ReactNode
  /** Beside the choice of a period. */
  action?: ReactNode
  children: (value: T) => ReactNode
}

/** Numbers over many links, of the period that the address names. */
export function OverviewPage<T>({ name, load, Failed, cardHeight, skeleton, action, children }: Props<T>) {
  const t = useTranslations('overview')
  const params = new URLSearchParams(useAddressQuery())
  const asked = params.get('days')
  const days = OVERVIEW_DAYS.find((known) => String(known) === asked) ?? DEFAULT_DAYS
  const { value, failure, stale, reload } = useServerData([name, days], (signal) => load(days, signal))
  const show = (wanted: number) => {
    if (wanted === days) return
    const query = new URLSearchParams(params)
    if (wanted === DEFAULT_DAYS) query.delete('days')
    else query.set('days', String(wanted))
    showQuery(query.toString())
  }
  return (
    <>
      <PageHead title={t('title')}>
        <Segments
          label={t('period')}
          value={days}
          options={OVERVIEW_DAYS.map((value) => ({ value, label: t('days', { days: value }) }))}
          onChange={show}
        />
        {action}
      </PageHead>
      {failure && <Failed failure={failure} stale={value !== null} onAgain={reload} />}
      <div aria-busy={stale && failure === null} className={cx('transition-opacity', stale && value && 'opacity-60')}>
        {value && children(value)}
        {!value && !failure && (
          <div role="status" aria-label={t('loading')} className="space-y-4">
            <Skeletons count={4} height={cardHeight} className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4" />
            <div className="skeleton h-72 rounded-card!" />
            {skeleton}
          </div>
        )}
      </div>
    </>
  )
}

'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from '#i18n'
import { getJobItems } from '@/app/_ui/data/jobs'
import { valueOrThrow } from '@/app/_ui/data/server-data'
import type { JobItemView, JobView } from '@/lib/jobs/schemas'
import { groupBy } from '@/lib/tools/group-by'
import { Button } from './button'
import { LoadMore } from './pager'

interface Props {
  job: JobView
  /** Nothing is shown before it is asked for: the job is one of many. */
  folded?: boolean
}

/** What became of each row of a job that is over: those that failed at first, all where that is asked for. */
export function JobRows({ job, folded = false }: Props) {
  const t = useTranslations('base.job')
  const [all, setAll] = useState(false)
  if (job.done === 0) return null
  return (
    <>
      {(all || (job.failed > 0 && !folded)) && <Rows key={String(all)} job={job} outcome={all ? null : 'failed'} />}
      <Button size="small" look="quiet" aria-expanded={all} className="mt-2 -ml-3" onClick={() => setAll(!all)}>
        {all ? t('hideRows') : t('showRows', { count: job.done })}
      </Button>
    </>
  )
}

function Rows({ job, outcome }: { job: JobView; outcome: JobItemView['outcome'] | null }) {
  const t = useTranslations('base.job')
  const { number } = job
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['job rows', number, job.state, outcome],
    queryFn: ({ pageParam: cursor, signal }) => valueOrThrow(getJobItems(number, { outcome, cursor }, signal)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const items = data?.pages.flatMap((page) => page.items) ?? []
  const { grouped, single } = byReason(items)
  return (
    <Frame label={outcome === null ? t('allRows') : t('failedRows')}>
      {grouped.map(({ message, rows }) => (
        <details key={message} className="border-b border-line py-2">
          <summary className="cursor-pointer text-anywhere">
            <span className="font-medium">{t('sameReason', { count: rows.length, more: hasNextPage ? 'yes' : 'no' })}</span>
            <span className="block text-danger">{message}</span>
          </summary>
          <p className="mt-1 text-muted tabular-nums text-anywhere">
            {rows.map(({ line, target }) => (line === null ? target : t('line', { line }))).join(', ')}
          </p>
        </details>
      ))}
      <ul className="divide-y divide-line">
        {single.map((item) => (
          <li key={item.position} className="py-2">
            <span className="font-medium text-anywhere">
              {item.line !== null && <span className="mr-2 text-muted tabular-nums">{t('line', { line: item.line })}</span>}
              {item.target}
            </span>
            <span className={`block text-anywhere ${item.outcome === 'failed' ? 'text-danger' : 'text-muted'}`}>
              {item.message ||
                (job.dryRun && item.result === 'created'
                  ? t('result.wouldBe')
                  : item.result
                    ? t(`result.${item.result}`)
                    : t(`outcome.${item.outcome}`))}
            </span>
          </li>
        ))}
      </ul>
      {error && <p className="py-2 text-danger">{error.message}</p>}
      {(hasNextPage || isPending) && <LoadMore busy={isFetching} onMore={() => void fetchNextPage()} />}
    </Frame>
  )
}

/** Rows that failed for one reason are told once, where they are as many. */
const MANY = 5

function byReason(items: readonly JobItemView[]) {
  const reasons = groupBy(
    items.filter(({ outcome, message }) => outcome === 'failed' && message !== ''),
    ({ message }) => message,
  )
  const grouped = [...reasons].flatMap(([message, rows]) => (rows.length >= MANY ? [{ message, rows }] : []))
  const told = new Set(grouped.flatMap(({ rows }) => rows))
  return { grouped, single: items.filter((item) => !told.has(item)) }
}

function Frame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className="mt-3 max-h-60 overflow-y-auto border-t border-line text-sm"
    >
      {children}
    </section>
  )
}

'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { QuietMoment } from '@/app/_ui/base/moment'
import { getHistory, type LinkKey } from '@/app/_ui/data/api'
import type { Failure } from '@/lib/forms/failure'
import type { HistoryEntry } from '@/lib/history/schemas'
import { ChangeLine } from './change-line'

interface Props {
  link: LinkKey
  createdAt: string
}

interface State {
  entries: readonly HistoryEntry[]
  /** Where the next page begins; null: there is none. undefined: none was read yet. */
  next: string | null | undefined
  failure: Failure | null
  busy: boolean
}

/** What changed of a link, the latest first, a page at a time. Read again whenever it is opened. */
export function HistoryList({ link, createdAt }: Props) {
  const t = useTranslations('links.history')
  const base = useTranslations('base')
  const { state, more } = useHistory(link)
  const { entries, next, failure, busy } = state
  return (
    <div aria-busy={busy} className="min-w-0">
      {failure && (
        <div className="mb-3 space-y-2">
          <FailureMessage>{failure.message}</FailureMessage>
          <Button size="small" onClick={more}>
            {base('failure.again')}
          </Button>
        </div>
      )}
      {next === undefined && !failure && <div aria-hidden="true" className="skeleton h-24" />}
      {(next !== undefined || entries.length > 0) && (
        <ol aria-label={t('label')} className="divide-y divide-line text-sm">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
          {next === null && (
            <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5 last:pb-0">
              <span className="font-medium">{t('created')}</span>
              <QuietMoment iso={createdAt} exact />
            </li>
          )}
        </ol>
      )}
      {next && (
        <Button size="small" className="mt-3" busy={busy} onClick={more}>
          {base('pages.more')}
        </Button>
      )}
    </div>
  )
}

function Entry({ entry: { at, by, changes, dropped } }: { entry: HistoryEntry }) {
  const t = useTranslations('links.history')
  const who = by.name ?? by.handle
  const named = who === null ? t(`by.${by.kind}`) : t(`by.named.${by.kind === 'admin' ? 'admin' : 'account'}`, { who })
  return (
    <li className="py-2.5 first:pt-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <bdi className="text-[13px] text-muted">{by.job ? t('inJob', { who: named }) : named}</bdi>
        <QuietMoment iso={at} exact />
      </div>
      <dl className="mt-1 grid gap-1.5">
        {changes.map((change) => (
          <ChangeLine key={change.field} change={change} />
        ))}
      </dl>
      {dropped > 0 && <p className="mt-1 text-[13px] text-muted">{t('dropped', { count: dropped })}</p>}
    </li>
  )
}

function useHistory({ code, domain, manageToken }: LinkKey) {
  const [state, setState] = useState<State>({ entries: [], next: undefined, failure: null, busy: true })
  /** Grows with each page that is asked for. */
  const [asked, setAsked] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is read when it is asked for, and begins where the last ended
  useEffect(() => {
    const abort = new AbortController()
    setState((before) => ({ ...before, failure: null, busy: true }))
    void getHistory({ code, domain, manageToken }, state.next ?? null, abort.signal).then((result) => {
      if (abort.signal.aborted) return
      setState(({ entries, next }) =>
        result.ok
          ? { entries: [...entries, ...result.value.entries], next: result.value.nextCursor, failure: null, busy: false }
          : { entries, next, failure: result.failure, busy: false },
      )
    })
    return () => abort.abort()
  }, [asked, code, domain, manageToken])
  return { state, more: () => setAsked(asked + 1) }
}

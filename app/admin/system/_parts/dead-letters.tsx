import { useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { Moment } from '@/app/_ui/base/moment'
import { actOnDeadLetters, listDeadLetters } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
import { useServerData } from '@/app/_ui/data/server-data'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import { useAct } from '@/app/admin/_parts/use-act'
import type { DeadLetterView } from '@/lib/clicks/schemas'

/** Clicks that could not be counted. Nothing where there are none. @param count as the state of the system tells it */
export function DeadLetters({ count }: { count: number }) {
  const t = useTranslations('system.failed')
  const format = useFormat()
  const { act, confirmed } = useAct()
  const { value, failure, reload } = useServerData(['dead letters'], listDeadLetters)
  const [dropping, setDropping] = useState<readonly DeadLetterView[] | null>(null)
  const known = useRef(count)
  useEffect(() => {
    if (known.current !== count) reload()
    known.current = count
  }, [count, reload])
  const letters = value?.letters ?? []
  if (letters.length === 0 && count === 0) return null
  const retry = async (chosen?: readonly DeadLetterView[]) => {
    await act(
      actOnDeadLetters(
        'retry',
        chosen?.map(({ id }) => id),
      ),
      {
        done: t('retried'),
        failed: t('notRetried'),
      },
    )
    reload()
  }
  const drop = (chosen: readonly DeadLetterView[]) => {
    const ids = chosen === letters ? undefined : chosen.map(({ id }) => id)
    return confirmed(actOnDeadLetters('drop', ids), t('deleted'), { onDone: reload })
  }
  return (
    <Card
      title={t('title')}
      action={
        <div className="flex gap-2">
          <Button size="small" onClick={() => void retry()}>
            {t('retryAll')}
          </Button>
          <Button size="small" look="danger" onClick={() => setDropping(letters)}>
            {t('deleteAll')}
          </Button>
        </div>
      }
    >
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={reload} />}
      {value !== null && value.total > letters.length && (
        <p className="mb-2 text-sm text-muted">
          {t('first', { shown: format.number(letters.length), total: format.number(value.total) })}
        </p>
      )}
      <ul className="divide-y divide-line text-sm">
        {letters.map((letter) => (
          <li key={`${letter.partition} ${letter.id}`} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium">
                {t('clicks', { count: letter.clicks })} · <Moment iso={letter.at} exact />
              </p>
              <p className="text-[13px] text-danger text-anywhere">
                <bdi>{letter.error || t('noError')}</bdi>
              </p>
              <p className="text-[13px] text-muted">{t('tries', { count: letter.tries, partition: letter.partition })}</p>
            </div>
            <div className="flex gap-2">
              <Button size="small" aria-label={t('retryOne', { id: letter.id })} onClick={() => void retry([letter])}>
                {t('retry')}
              </Button>
              <Button
                size="small"
                look="danger"
                aria-label={t('deleteOne', { id: letter.id })}
                onClick={() => setDropping([letter])}
              >
                {t('delete')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {dropping && (
        <ConfirmDialog
          title={t(dropping === letters ? 'confirm.all' : 'confirm.one')}
          action={t('delete')}
          danger
          onConfirm={() => drop(dropping)}
          onClose={() => setDropping(null)}
        >
          <p>{t('confirm.text')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

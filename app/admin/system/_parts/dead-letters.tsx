import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { Moment } from '@/app/_ui/base/moment'
import { actOnDeadLetters, listDeadLetters } from '@/app/_ui/data/admin'
import { formatNumber } from '@/app/_ui/data/numbers'
import { useServerData } from '@/app/_ui/data/server-data'
import { formatCount } from '@/app/_ui/data/time'
import { act, confirmed } from '@/app/admin/_parts/act'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import type { DeadLetterView } from '@/lib/clicks/schemas'

/** Clicks that could not be counted. Nothing where there are none. @param count as the state of the system tells it */
export function DeadLetters({ count }: { count: number }) {
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
        done: 'They are counted again, if they can be',
        failed: 'They were not sent on their way again',
      },
    )
    reload()
  }
  const drop = (chosen: readonly DeadLetterView[]) => {
    const ids = chosen === letters ? undefined : chosen.map(({ id }) => id)
    return confirmed(actOnDeadLetters('drop', ids), 'Dropped', { onDone: reload })
  }
  return (
    <Card
      title="Dead letters"
      action={
        <div className="flex gap-2">
          <Button size="small" onClick={() => void retry()}>
            Retry all
          </Button>
          <Button size="small" look="danger" onClick={() => setDropping(letters)}>
            Drop all
          </Button>
        </div>
      }
    >
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={reload} />}
      {value !== null && value.total > letters.length && (
        <p className="mb-2 text-sm text-muted">
          The first {formatNumber(letters.length)} of {formatNumber(value.total)}.
        </p>
      )}
      <ul className="divide-y divide-line text-sm">
        {letters.map((letter) => (
          <li key={`${letter.partition} ${letter.id}`} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium">
                {formatCount(letter.clicks, 'click', 'clicks')}, <Moment iso={letter.at} exact />
              </p>
              <p className="text-[13px] text-danger text-anywhere">
                <bdi>{letter.error || 'No reason was noted.'}</bdi>
              </p>
              <p className="text-[13px] text-muted">
                {formatCount(letter.tries, 'try', 'tries')}, partition {letter.partition}
              </p>
            </div>
            <div className="flex gap-2">
              <Button size="small" onClick={() => void retry([letter])}>
                Retry<span className="sr-only"> {letter.id}</span>
              </Button>
              <Button size="small" look="danger" onClick={() => setDropping([letter])}>
                Drop<span className="sr-only"> {letter.id}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {dropping && (
        <ConfirmDialog
          title={dropping === letters ? 'Drop all dead letters?' : 'Drop this dead letter?'}
          action="Drop"
          danger
          onConfirm={() => drop(dropping)}
          onClose={() => setDropping(null)}
        >
          <p>Its clicks will never be counted. Retrying them first does no harm: none is counted twice.</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

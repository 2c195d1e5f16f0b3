'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button, buttonClass } from '@/app/_ui/base/button'
import { createLink } from '@/app/_ui/data/api'
import { attemptKey } from '@/app/_ui/data/browser'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { completeAddress } from '@/lib/forms/fields'
import type { LinkView } from '@/lib/links/schemas'
import { WAITING_KEY, type WaitingUrl } from '@/lib/offline/waiting'
import { readWaiting, writeWaiting } from './waiting'

/** For how long an answer that was lost is surely given again: the API keeps it for a day. */
const ANSWERED_AGAIN = 23 * 3_600_000
/** Between two tries, in ms. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [2_000, 60_000]

const change = (id: string, changes: Partial<WaitingUrl>) =>
  writeWaiting(readWaiting().map((one) => (one.id === id ? { ...one, ...changes } : one)))
const drop = (id: string) => writeWaiting(readWaiting().filter((one) => one.id !== id))

/**
 * Creates what waits, one after the other, by one tab alone. A URL leaves the list when its answer is there, and until then is
 * sent under the same name: however often that is, it is one link.
 * @param stale said of one whose answer was lost too long ago to be asked for again
 */
function sendAll(onCreated: (link: LinkView) => void, stale: string): Promise<void> {
  const send = async () => {
    for (const { id } of readWaiting()) {
      const waiting = readWaiting().find((one) => one.id === id)
      if (!waiting || waiting.failure !== undefined) continue
      const sentAt = waiting.sentAt ?? Date.now()
      if (Date.now() - sentAt > ANSWERED_AGAIN) {
        change(id, { failure: stale })
        continue
      }
      change(id, { sentAt })
      const result = await createLink({ url: completeAddress(waiting.url) }, id)
      if (result.ok) {
        drop(id)
        onCreated(result.value)
        continue
      }
      const { kind, message, fields } = result.failure
      // Nothing else says that there is no link: the answer may come again.
      if (kind !== 'invalid' && kind !== 'refused') return
      change(id, { failure: fields.url ?? message, final: true })
    }
  }
  return navigator.locks ? navigator.locks.request(WAITING_KEY, send) : send()
}

/** URLs that were kept without a network, until their links are created. */
export function WaitingLinks({ onCreated }: { onCreated: (link: LinkView) => void }) {
  const t = useTranslations('waiting')
  const [list, setList] = useState<readonly WaitingUrl[]>(readWaiting)
  const created = useRef(onCreated)
  created.current = onCreated
  const stale = t('stale')

  useEffect(() => {
    let pause = FIRST_PAUSE
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => setList(readWaiting())
    const send = async () => {
      clearTimeout(timer)
      await sendAll((link) => created.current(link), stale)
      look()
      if (readWaiting().some(({ failure }) => failure === undefined)) timer = setTimeout(send, pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE)
    }
    void send()
    addEventListener('online', send)
    addEventListener('storage', look)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', send)
      removeEventListener('storage', look)
    }
  }, [stale])

  const again = (id: string) => {
    // Refused, it is no link; so what is sent now is another try.
    change(id, { id: attemptKey(), failure: undefined, sentAt: undefined })
    void sendAll((link) => created.current(link), stale).then(() => setList(readWaiting()))
  }
  const remove = (id: string) => {
    drop(id)
    setList(readWaiting())
  }
  if (list.length === 0) return null
  return (
    <section aria-labelledby="waiting-title" className="mt-10">
      <h2 id="waiting-title" className="text-base font-semibold">
        {t('title')}
      </h2>
      {list.some(({ failure }) => failure === undefined) && <p className="mt-1 text-sm text-muted">{t('text')}</p>}
      <ul className="mt-4 divide-y divide-line rounded-card border border-line bg-surface">
        {list.map(({ id, url, failure, final }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
            <div className="min-w-0 flex-1 basis-52">
              <p className="truncate text-[15px] font-medium">
                <bdi>{readableUrl(completeAddress(url))}</bdi>
              </p>
              {failure !== undefined && <p className="mt-0.5 text-[13px] text-danger">{failure}</p>}
            </div>
            <div className="flex gap-2">
              {final && (
                <a
                  href={`/?url=${encodeURIComponent(url)}`}
                  onClick={() => drop(id)}
                  className={buttonClass('secondary', undefined, 'small')}
                  aria-label={t('editName', { url })}
                >
                  {t('edit')}
                </a>
              )}
              {failure !== undefined && !final && (
                <Button size="small" onClick={() => again(id)} aria-label={t('againName', { url })}>
                  {t('again')}
                </Button>
              )}
              <Button size="small" onClick={() => remove(id)} aria-label={t('removeName', { url })}>
                {t('remove')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

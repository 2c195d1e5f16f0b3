import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Drawer } from '@/app/_ui/base/dialog'
import { FailureNotice } from '@/app/_ui/base/failure-notice'
import { LoadMore } from '@/app/_ui/base/pager'
import { toast } from '@/app/_ui/base/toast'
import { useFormat } from '@/app/_ui/data/format'
import { valueOrThrow } from '@/app/_ui/data/server-data'
import { getDelivery, listDeliveries, resendDelivery } from '@/app/_ui/data/webhooks'
import type { DeliveryView, WebhookView } from '@/lib/webhooks/schemas'
import { hostOf } from './webhook-item'

/** How often a log that is open is read again, in ms. */
const REFRESH = 5_000
const TONES = { waiting: 'warn', delivered: 'ok', failed: 'danger' } as const

/** What a webhook was told, newest first. */
export function Deliveries({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
  const t = useTranslations('settings.webhooks.deliveries')
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['deliveries', webhook.id],
    queryFn: ({ pageParam: cursor, signal }) => valueOrThrow(listDeliveries(webhook.id, cursor, signal)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: REFRESH,
  })
  const deliveries = data?.pages.flatMap((page) => page.deliveries) ?? []
  const resend = async ({ id }: DeliveryView) => {
    const result = await resendDelivery(webhook.id, id)
    if (result.ok) toast(t('resent'))
    else toast(t('notResent'), { description: result.failure.message })
    void refetch()
  }
  return (
    <Drawer title={t('title')} description={t('of', { host: hostOf(webhook.url) })} onClose={onClose}>
      {error && <FailureNotice failure={error} stale={data !== undefined} onAgain={() => void refetch()} />}
      {!isPending && deliveries.length === 0 && !error && <p className="py-2 text-sm text-muted">{t('empty')}</p>}
      {deliveries.length > 0 && (
        <ul aria-label={t('title')} className="divide-y divide-line border-y border-line">
          {deliveries.map((delivery) => (
            <li key={delivery.id} className="pt-3 pb-1.5">
              <Delivery webhook={webhook} delivery={delivery} onResend={() => resend(delivery)} />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && <LoadMore busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
    </Drawer>
  )
}

interface DeliveryProps {
  webhook: WebhookView
  delivery: DeliveryView
  onResend: () => Promise<void>
}

function Delivery({ webhook, delivery, onResend }: DeliveryProps) {
  const t = useTranslations('settings.webhooks.deliveries')
  const format = useFormat()
  const [busy, setBusy] = useState(false)
  const [open, setOpen] = useState(false)
  const { id, event, state, attempts, createdAt, nextAt } = delivery
  const resend = async () => {
    setBusy(true)
    await onResend()
    setBusy(false)
  }
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-mono text-[13px] font-medium">{event}</span>
        <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>
      </p>
      <p className="mt-1 text-[13px] text-muted text-anywhere">
        {[
          format.time(createdAt),
          outcomeOf(delivery, t),
          attempts > 1 && t('attempts', { count: attempts }),
          nextAt !== null && attempts > 0 && t('next', { time: format.time(nextAt) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div className="mt-1 -ml-3 flex gap-1">
        <Button
          size="small"
          look="quiet"
          aria-expanded={open}
          aria-label={t(open ? 'hideName' : 'detailsName', { event, id })}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'hide' : 'details')}
        </Button>
        <Button
          size="small"
          look="quiet"
          busy={busy}
          disabled={!webhook.enabled}
          aria-label={t('resendName', { event })}
          onClick={resend}
        >
          {t('resend')}
        </Button>
      </div>
      {open && <Details webhook={webhook} delivery={delivery} />}
    </>
  )
}

/** What was answered, or why nothing was, in a few words. */
function outcomeOf(
  { status, failure, took }: DeliveryView,
  t: ReturnType<typeof useTranslations<'settings.webhooks.deliveries'>>,
): string | null {
  if (status !== null) return t('answered', { status: String(status), took: took ?? 0 })
  return failure === null ? null : t(`failure.${failure}`)
}

function Details({ webhook, delivery }: Pick<DeliveryProps, 'delivery' | 'webhook'>) {
  const t = useTranslations('settings.webhooks.deliveries')
  const { data, error } = useQuery({
    queryKey: ['delivery', webhook.id, delivery.id],
    queryFn: ({ signal }) => valueOrThrow(getDelivery(webhook.id, delivery.id, signal)),
  })
  return (
    <div className="mt-2 space-y-3 text-[13px]">
      <Text label="webhook-id">{delivery.id}</Text>
      {delivery.answer !== '' && <Text label={t('answer')}>{delivery.answer}</Text>}
      <Text label={t('sent')}>{error ? error.message : (pretty(data?.body) ?? '…')}</Text>
    </div>
  )
}

function Text({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <p className="mb-1 font-medium">{label}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-control border border-line bg-bg p-3 font-mono text-xs whitespace-pre-wrap text-anywhere"
      >
        {children}
      </pre>
    </div>
  )
}

/** As people read it; what is sent has no spaces. */
function pretty(body: string | undefined): string | undefined {
  if (body === undefined || body === '') return body
  return JSON.stringify(JSON.parse(body), null, 2)
}

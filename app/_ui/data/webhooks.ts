import type { CreateWebhook, DeliveryPage, DeliveryView, UpdateWebhook, WebhookView } from '@/lib/webhooks/schemas'
import { send } from './http'

const PATH = '/api/v1/webhooks'

export const listWebhooks = (signal?: AbortSignal) => send<{ webhooks: WebhookView[] }>('GET', PATH, { signal })
export const createWebhook = (body: CreateWebhook) => send<WebhookView>('POST', PATH, { body })
export const updateWebhook = (id: string, body: UpdateWebhook) => send<WebhookView>('PATCH', `${PATH}/${id}`, { body })
export const deleteWebhook = (id: string) => send<unknown>('DELETE', `${PATH}/${id}`)
export const testWebhook = (id: string) => send<DeliveryView>('POST', `${PATH}/${id}/test`)
export const rollSecret = (id: string) => send<WebhookView>('POST', `${PATH}/${id}/secret`)

export const listDeliveries = (id: string, cursor: string | null, signal?: AbortSignal) =>
  send<DeliveryPage>('GET', `${PATH}/${id}/deliveries?limit=20${cursor === null ? '' : `&cursor=${cursor}`}`, { signal })
export const getDelivery = (id: string, delivery: string, signal?: AbortSignal) =>
  send<DeliveryView>('GET', `${PATH}/${id}/deliveries/${delivery}`, { signal })
export const resendDelivery = (id: string, delivery: string) =>
  send<DeliveryView>('POST', `${PATH}/${id}/deliveries/${delivery}/resend`)

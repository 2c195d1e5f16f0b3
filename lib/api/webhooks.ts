import { z } from 'zod'
import { getDelivery, listDeliveries, resendDelivery, testWebhook } from '@/lib/webhooks/deliveries'
import {
  CreateWebhook,
  DeliveriesQuery,
  DeliveryId,
  DeliveryPage,
  DeliveryView,
  UpdateWebhook,
  WebhookId,
  Webhooks,
  WebhookView,
} from '@/lib/webhooks/schemas'
import { createWebhook, deleteWebhook, listWebhooks, rollSecret, updateWebhook } from '@/lib/webhooks/webhooks'
import { endpoint } from './endpoint'

const COMMON = { auth: 'account', proof: 'key', limit: 'account' } as const
const ONE = { ...COMMON, params: z.object({ id: WebhookId }) } as const
const DELIVERY = { ...COMMON, params: z.object({ id: WebhookId, delivery: DeliveryId }) } as const

export const getWebhooks = endpoint(
  'GET /api/v1/webhooks',
  { ...COMMON, id: 'listWebhooks', summary: 'List your webhooks', answers: { 200: ['The webhooks, oldest first', Webhooks] } },
  async ({ ctx, account }) => ({ webhooks: await listWebhooks(ctx, account.id) }),
)

export const postWebhook = endpoint(
  'POST /api/v1/webhooks',
  {
    ...COMMON,
    id: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Events are sent as Standard Webhooks define: a POST with a JSON body and the headers `webhook-id`, `webhook-timestamp` and ' +
      '`webhook-signature`. The secret is shown only in this response. Every event after this response is sent, at least once, ' +
      'with the same `webhook-id` each time. An event that isn’t answered with a 2xx status within 10 seconds is sent again for ' +
      'a day; a webhook that fails for three days is turned off. Addresses in private networks aren’t allowed.',
    body: CreateWebhook,
    answers: { 201: ['The new webhook', WebhookView] },
    errors: [409],
  },
  ({ ctx, account, body }) => createWebhook(ctx, account, body),
)

export const patchWebhook = endpoint(
  'PATCH /api/v1/webhooks/{id}',
  {
    ...ONE,
    id: 'updateWebhook',
    summary: 'Edit a webhook',
    body: UpdateWebhook,
    answers: { 200: ['The edited webhook', WebhookView] },
  },
  ({ ctx, account, params, body }) => updateWebhook(ctx, account, params.id ?? '', body),
)

export const removeWebhook = endpoint(
  'DELETE /api/v1/webhooks/{id}',
  { ...ONE, id: 'deleteWebhook', summary: 'Delete a webhook', answers: { 204: 'The webhook is deleted' } },
  ({ ctx, account, params }) => deleteWebhook(ctx, account.id, params.id ?? ''),
)

export const postSecret = endpoint(
  'POST /api/v1/webhooks/{id}/secret',
  {
    ...ONE,
    id: 'rollWebhookSecret',
    summary: 'Roll a webhook’s secret',
    description: 'For a day, deliveries are signed with both the new and the former secret.',
    answers: { 200: ['The webhook, with its new secret', WebhookView] },
  },
  ({ ctx, account, params }) => rollSecret(ctx, account.id, params.id ?? ''),
)

export const postTest = endpoint(
  'POST /api/v1/webhooks/{id}/test',
  {
    ...ONE,
    id: 'testWebhook',
    summary: 'Send a test event',
    description: 'An event `webhook.test`, signed and sent again as any other.',
    answers: { 202: ['The delivery, which now waits', DeliveryView] },
    errors: [409],
  },
  ({ ctx, account, params }) => testWebhook(ctx, account.id, params.id ?? ''),
)

export const getDeliveries = endpoint(
  'GET /api/v1/webhooks/{id}/deliveries',
  {
    ...ONE,
    id: 'listWebhookDeliveries',
    summary: 'List a webhook’s deliveries',
    description: 'Newest first. Deliveries are kept for 7 days.',
    query: DeliveriesQuery,
    answers: { 200: ['A page of deliveries', DeliveryPage] },
    errors: [400],
  },
  ({ ctx, account, params, query }) => listDeliveries(ctx, account.id, params.id ?? '', query),
)

export const getOneDelivery = endpoint(
  'GET /api/v1/webhooks/{id}/deliveries/{delivery}',
  {
    ...DELIVERY,
    id: 'getWebhookDelivery',
    summary: 'Retrieve a delivery',
    answers: { 200: ['The delivery, with what was sent', DeliveryView] },
  },
  ({ ctx, account, params }) => getDelivery(ctx, account.id, params.id ?? '', params.delivery ?? ''),
)

export const postResend = endpoint(
  'POST /api/v1/webhooks/{id}/deliveries/{delivery}/resend',
  {
    ...DELIVERY,
    id: 'resendWebhookDelivery',
    summary: 'Send a delivery again',
    description: 'It’s sent at once with the same `webhook-id`, and again for a day if that fails.',
    answers: { 202: ['The delivery, which now waits', DeliveryView] },
    errors: [409],
  },
  ({ ctx, account, params }) => resendDelivery(ctx, account.id, params.id ?? '', params.delivery ?? ''),
)

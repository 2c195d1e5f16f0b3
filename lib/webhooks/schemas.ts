import { z } from 'zod'
import { EVENT_KINDS, TEST_EVENT } from '@/lib/events/kinds'
import { readWebAddress } from '@/lib/links/destination-schema'
import { issue } from '@/lib/tools/issues'
import { ID, isoTime, paged, pageQuery } from '@/lib/tools/schema'
import { DELIVERY_FAILURES, DELIVERY_STATES, MOST_WEBHOOK_URL } from './values'

/** The contract of webhooks. The page takes its types, and never the schemas with their zod. */

const url = z.string().max(MOST_WEBHOOK_URL).transform(readWebAddress).meta({
  type: 'string',
  maxLength: MOST_WEBHOOK_URL,
  description: 'Where events are sent: an http or https URL of the public internet, at port 80, 443 or any from 1024.',
  example: 'https://example.com/hooks/terse',
})

const events = z
  .array(z.enum(EVENT_KINDS))
  .min(1, issue('forms.webhook.events'))
  .max(EVENT_KINDS.length)
  .meta({ description: 'Which events are sent. Only admins can choose `report.received`.' })

export const CreateWebhook = z.strictObject({ url, events }).meta({ id: 'CreateWebhook' })

export const UpdateWebhook = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    enabled: z
      .boolean()
      .optional()
      .meta({ description: 'Whether events are sent. What happens while it’s off isn’t sent later.' }),
  })
  .refine((body) => Object.keys(body).length > 0, issue('forms.nothing'))
  .meta({ id: 'UpdateWebhook', description: 'The fields to edit. Fields you leave out stay as they are.' })

export const WebhookId = z.string().regex(ID).meta({ example: '117093590311632896' })

export const WebhookView = z
  .object({
    id: WebhookId,
    url: z.url(),
    events: z.array(z.enum(EVENT_KINDS)),
    enabled: z.boolean(),
    failingSince: isoTime('Since when no delivery has succeeded, in UTC. If null, the last one did.').nullable(),
    turnedOffAt: isoTime('When Terse turned it off because it failed for three days, in UTC.').nullable(),
    createdAt: isoTime(),
    secret: z
      .string()
      .optional()
      .meta({ description: 'The secret that signs deliveries. Only returned when it’s created or rolled.', example: 'whsec_…' }),
  })
  .meta({ id: 'Webhook' })

export const Webhooks = z.object({ webhooks: z.array(WebhookView) }).meta({ id: 'Webhooks' })

export const DeliveryId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .meta({ description: 'The `webhook-id` of the delivery.', example: '019ab1f2c3d4e5f60718293a4b5c6d7e' })

export const DeliveryView = z
  .object({
    id: DeliveryId,
    event: z.enum([...EVENT_KINDS, TEST_EVENT]),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int().nonnegative(),
    createdAt: isoTime(),
    triedAt: isoTime('When it was last tried, in UTC.').nullable(),
    nextAt: isoTime('When it’s tried next, in UTC.').nullable(),
    took: z.int().nonnegative().nullable().meta({ description: 'How long the last attempt took, in milliseconds.' }),
    status: z.int().nullable().meta({ description: 'The HTTP status of the last answer. If null, there was none.' }),
    failure: z.enum(DELIVERY_FAILURES).nullable().meta({ description: 'Why the last attempt failed.' }),
    answer: z.string().meta({ description: 'The beginning of the last answer.' }),
    body: z.string().optional().meta({ description: 'What was sent. Only for a single delivery.' }),
  })
  .meta({ id: 'WebhookDelivery' })

export const DeliveriesQuery = z.strictObject(pageQuery)
export const DeliveryPage = paged('deliveries', DeliveryView).meta({ id: 'WebhookDeliveryPage' })

export type CreateWebhook = z.infer<typeof CreateWebhook>
export type UpdateWebhook = z.infer<typeof UpdateWebhook>
export type WebhookView = z.infer<typeof WebhookView>
export type DeliveryView = z.infer<typeof DeliveryView>
export type DeliveryPage = z.infer<typeof DeliveryPage>
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>

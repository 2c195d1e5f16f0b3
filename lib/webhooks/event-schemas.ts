import { z } from 'zod'
import type { SentKind } from '@/lib/events/kinds'
import { Change } from '@/lib/history/schemas'
import { HealthView } from '@/lib/links/health-schema'
import { LinkView } from '@/lib/links/schemas'
import { REPORT_REASONS } from '@/lib/reports/values'
import { ClickView } from '@/lib/stats/schemas'
import { isoTime } from '@/lib/tools/schema'

/** The contract of what webhooks are sent. */

const link = LinkView.extend({
  routing: LinkView.shape.routing.optional().meta({ description: 'Left out if it is longer than 4,000 characters of JSON.' }),
})

const namedLink = z.object({
  id: z.string(),
  domain: z.string().optional(),
  code: z.string().optional(),
  shortUrl: z.string().optional().meta({ description: 'Left out, as domain and code, if the link is gone for good.' }),
})

const { id: _id, destination, ...ofClick } = ClickView.shape

const conversion = z.object({
  id: z.string(),
  eventId: z.string(),
  name: z.string(),
  value: z.string().nullable(),
  currency: z.string().nullable(),
  at: isoTime(),
  clickedAt: isoTime(),
})

const report = z.object({
  id: z.string(),
  reference: z.string(),
  shortUrl: z.string(),
  url: z.string(),
  reason: z.enum(REPORT_REASONS),
  details: z.string(),
  createdAt: isoTime(),
})

const changed = z.array(z.string()).meta({ description: 'The fields that were edited, as a link has them, and `password`.' })

/** What is sent of each kind, and when. */
const DATA: Record<SentKind, [when: string, data: z.ZodObject]> = {
  'link.created': ['A link was created', z.object({ link })],
  'link.changed': [
    'A link was edited, turned on or off, banned, unbanned or restored',
    z.object({ link, changed, changes: z.array(Change) }),
  ],
  'link.deleted': ['A link was deleted', z.object({ link })],
  'link.clicked': [
    'Links were clicked: up to 500 clicks at once',
    z.object({ clicks: z.array(z.object({ link: namedLink, ...ofClick, destination: destination.optional() })) }),
  ],
  'link.limit_reached': ['A link had the last click that its limit allows', z.object({ link })],
  'conversion.created': ['A conversion was counted', z.object({ link: namedLink, conversion })],
  'link.health_changed': ['What is known of a link’s destination changed', z.object({ link, health: HealthView.nullable() })],
  'report.received': ['A link of this site was reported. For admins', z.object({ report })],
  'webhook.test': ['You asked for it', z.object({ webhook: z.object({ id: z.string(), url: z.string() }) })],
}

/** What webhooks are sent of each kind. */
export const WEBHOOK_EVENTS = (Object.keys(DATA) as SentKind[]).map((type) => {
  const [when, data] = DATA[type]
  const body = z.object({ type: z.literal(type), timestamp: isoTime('When it happened, in UTC.'), data })
  return { type, when, body }
})

/** Headers of each request, as Standard Webhooks have them. */
export const WebhookHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'The same for each attempt to send this event.' }),
  'webhook-timestamp': z.string().meta({ description: 'When this attempt was made, in seconds since 1970.' }),
  'webhook-signature': z.string().meta({ description: 'HMAC-SHA256 of ID, timestamp and body, by the webhook’s secret.' }),
})

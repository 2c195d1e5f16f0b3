import { z } from 'zod'
import { answerReport } from '@/lib/conversions/answer'
import { ReportConversions, ReportedConversions } from '@/lib/conversions/schemas'
import { MOST_EVENTS, MOST_REPORTED } from '@/lib/conversions/values'
import { writer } from '@/lib/i18n/translate'
import { idempotencyOf } from '@/lib/links/idempotency'
import { POLICIES } from '@/lib/net/policies'
import { WINDOW_DAYS } from '@/lib/routing/click-ids'
import { endpoint } from './endpoint'
import { json } from './problem'

export const postConversions = endpoint(
  'POST /api/v1/conversions',
  {
    auth: 'account',
    proof: 'key',
    limit: 'api',
    id: 'reportConversions',
    summary: 'Report conversions',
    description: `Reports what came of clicks on your links: up to ${MOST_REPORTED} conversions at a time. A link with \`routing.clickId\` adds an ID of the click to the query of its destination; keep it with the visitor and send it here. It’s valid for ${WINDOW_DAYS} days, whether or not the click was counted yet. Each conversion is checked by itself: those that are wrong are refused, and the others are counted. If all are refused, the response is 422. Up to ${MOST_EVENTS} events count for a click, and an account can report ${POLICIES.conversions.points} conversions per minute. Requires an API key that can write, of the account that has the link.`,
    headers: z.object({
      'Idempotency-Key': z.string().max(255).optional().meta({
        description: 'For 24 hours, repeating a request with the same key and body returns the same answer and counts nothing.',
      }),
    }),
    body: ReportConversions,
    answers: { 200: ['What became of each', ReportedConversions] },
  },
  async ({ ctx, account, request, body, locale }) => {
    await ctx.limits.consumeAll('conversions', account.id, body.conversions.length)
    const key = request.headers.get('idempotency-key')
    const named = key === null ? null : idempotencyOf(ctx.config.APP_SECRET, key, account.id, { conversions: body.conversions })
    const { isReplayed, ...reported } = await answerReport(ctx, account, body.conversions, named, writer(locale))
    return json(200, reported, isReplayed ? { 'Idempotency-Replayed': 'true' } : {})
  },
)

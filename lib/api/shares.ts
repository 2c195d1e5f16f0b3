import { z } from 'zod'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { PICTURE_POLICY } from '@/lib/redirect/decide'
import type { Runtime } from '@/lib/runtime'
import { ScopeCounting } from '@/lib/scopes/schemas'
import { badgeOf, embedPage } from '@/lib/shares/embed'
import { CreateShare, SharedAbout, SharedQuery, SharedStats, Shares, ShareView, Unlock, Unlocked } from '@/lib/shares/schemas'
import { createShare, listShares, revokeShare } from '@/lib/shares/shares'
import { EMBED_DAYS, MOST_SHARES, PASS_HEADER } from '@/lib/shares/values'
import {
  aboutOf,
  findShare,
  isUnlocked,
  noteSeen,
  type OpenShare,
  requireUnlocked,
  sharedStats,
  unlock,
} from '@/lib/shares/visit'
import { type Call, endpoint } from './endpoint'
import { idOf } from './path'
import { json } from './problem'

const OWN = { auth: 'account', proof: 'key', limit: 'api' } as const

export const getShares = endpoint(
  'GET /api/v1/shares',
  { ...OWN, id: 'listShares', summary: 'List your shares of statistics', answers: { 200: ['The shares', Shares] } },
  async ({ ctx, account }) => ({ shares: await listShares(ctx, account) }),
)

export const postShare = endpoint(
  'POST /api/v1/shares',
  {
    ...OWN,
    id: 'createShare',
    summary: 'Share statistics',
    description: `Creates a link to the statistics of a link, a tag, a folder, a domain, or all your links, for anyone who has it. Visitors see what you see, but no single clicks, notes, and conversions, and can change nothing. It ends when you revoke it, at \`expiresAt\`, and while the link is deleted. An account can have up to ${MOST_SHARES}.`,
    body: CreateShare,
    answers: { 201: ['The new share, with its link', ShareView] },
    errors: [404, 409],
  },
  async ({ ctx, account, address, body }) => json(201, await createShare(ctx, { account, address }, body)),
)

export const removeShare = endpoint(
  'DELETE /api/v1/shares/{id}',
  {
    ...OWN,
    params: z.object({ id: z.string().meta({ description: 'The ID of the share.' }) }),
    id: 'revokeShare',
    summary: 'Revoke a share',
    description: 'Its link stops working at once. A badge or a chart may be shown from caches for up to 5 minutes.',
    answers: { 204: 'The share is revoked' },
  },
  ({ ctx, account, address, params }) => revokeShare(ctx, { account, address }, idOf(params, 'share')),
)

/** For anyone who has the link. */
const VISIT = {
  auth: 'anyone',
  limit: 'shared',
  params: z.object({ token: z.string().meta({ description: 'What stands behind `share=` in the link.' }) }),
} as const

const PASS = z.object({
  'Share-Pass': z.string().optional().meta({ description: 'The pass that the password gave, if the share has one.' }),
})

const opened = ({ ctx, params }: Pick<Call<unknown, unknown>, 'ctx' | 'params'>) => findShare(ctx, params.token ?? '')

/** Nobody waits for it, and an outage of the database keeps nobody from what is shared. */
const seen = (ctx: Runtime, { share }: OpenShare) =>
  void noteSeen(ctx, share).catch((err: unknown) => ctx.log.debug({ err }, 'when a share was seen is not known'))

export const getShared = endpoint(
  'GET /api/v1/shared/{token}',
  {
    ...VISIT,
    id: 'getShared',
    summary: 'Look at a share',
    headers: PASS,
    answers: { 200: ['What it is of', SharedAbout] },
  },
  async (call) => {
    const open = await opened(call)
    if (!isUnlocked(call.ctx, open.share, call.request.headers.get(PASS_HEADER))) {
      return { locked: true, about: null, expiresAt: open.share.expiresAt?.toISOString() ?? null }
    }
    seen(call.ctx, open)
    return aboutOf(call.ctx, open)
  },
)

export const postUnlock = endpoint(
  'POST /api/v1/shared/{token}/unlock',
  {
    ...VISIT,
    id: 'unlockShare',
    summary: 'Give a share’s password',
    body: Unlock,
    answers: { 200: ['The pass', Unlocked] },
  },
  async (call) => {
    const { share } = await opened(call)
    return { pass: await unlock({ ...call.ctx, ...call.ctx.answering }, share, call.body.password, call.client) }
  },
)

export const getSharedStats = endpoint(
  'GET /api/v1/shared/{token}/stats',
  {
    ...VISIT,
    id: 'getSharedStats',
    summary: 'Retrieve shared statistics',
    headers: PASS,
    query: SharedQuery.omit({ domain: true }),
    answers: {
      200: ['Totals, a time series, and breakdowns', SharedStats],
      202: ['The links are being counted for the first time', ScopeCounting],
    },
  },
  async (call) => {
    const open = await opened(call)
    requireUnlocked(call.ctx, open.share, call.request.headers.get(PASS_HEADER))
    const stats = await sharedStats(call.ctx, open, call.query)
    return 'counted' in stats ? json(202, stats, { 'Retry-After': '1' }) : stats
  },
)

/** Kept by browsers and proxies: a page that is read by many asks once in five minutes. */
const CACHED = { 'Cache-Control': 'public, max-age=300', Vary: 'Accept-Language', 'X-Content-Type-Options': 'nosniff' }

/** @throws TerseError 'not_found' also for a share without badge and chart */
async function embedded(call: Pick<Call<unknown, unknown>, 'ctx' | 'params'>) {
  const open = await opened(call)
  if (!open.share.embeddable) throw new TerseError('not_found', say('api.share.notEmbeddable'))
  const recent = await call.ctx.recentClicks.of(open)
  seen(call.ctx, open)
  return { open, recent }
}

export const getBadge = endpoint(
  'GET /api/v1/shared/{token}/badge.svg',
  {
    ...VISIT,
    id: 'getBadge',
    summary: 'Show a badge',
    description: `Human clicks of the last ${EMBED_DAYS} days, as an SVG. Can be cached for 5 minutes.`,
    answers: { 200: ['The badge', z.string(), 'image/svg+xml'] },
  },
  async (call) => {
    const { recent } = await embedded(call)
    return new Response(badgeOf(recent, call.request.headers), {
      headers: {
        ...CACHED,
        'Content-Type': 'image/svg+xml',
        'Content-Security-Policy': PICTURE_POLICY,
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    })
  },
)

export const getEmbed = endpoint(
  'GET /api/v1/shared/{token}/embed',
  {
    ...VISIT,
    id: 'getEmbed',
    summary: 'Show a chart in a frame',
    description: `Human clicks of the last ${EMBED_DAYS} days, as a page for an iframe, without scripts. Can be cached for 5 minutes.`,
    answers: { 200: ['The page', z.string(), 'text/html'] },
  },
  async (call) => {
    const { open, recent } = await embedded(call)
    return new Response(embedPage(open, recent, call.request.headers, call.ctx.brand), {
      headers: {
        ...CACHED,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *",
        'X-Robots-Tag': 'noindex',
        'Referrer-Policy': 'no-referrer',
      },
    })
  },
)

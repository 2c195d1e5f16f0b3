import { z } from 'zod'
import type { Actor } from '@/lib/actor'
import { healthOf } from '@/lib/destinations/health'
import { JobView } from '@/lib/jobs/schemas'
import { filingOf, NOT_FILED } from '@/lib/labels/filing'
import { manageToken } from '@/lib/links/access'
import { queueBulk } from '@/lib/links/bulk-job'
import { BulkLinks } from '@/lib/links/bulk-schemas'
import { listAndCount } from '@/lib/links/count'
import { createOnce } from '@/lib/links/create-once'
import { deleteLink } from '@/lib/links/delete'
import { type Expected, etagOf } from '@/lib/links/etag'
import { managedBy } from '@/lib/links/filter'
import { findManaged, type LinkAddress } from '@/lib/links/find'
import { idempotencyOf, scopeWithoutAccount } from '@/lib/links/idempotency'
import { restoreLink } from '@/lib/links/restore'
import { createOrReuse } from '@/lib/links/reuse'
import {
  CreateLink,
  LinkPage,
  LinkView,
  ListLinks,
  SharedLinkView,
  Sparklines,
  SparklinesQuery,
  SpokenInput,
  SpokenView,
  UpdateLink,
} from '@/lib/links/schemas'
import { getSparklines } from '@/lib/links/sparklines'
import { createSpoken } from '@/lib/links/spoken'
import { updateLink } from '@/lib/links/update'
import { toView } from '@/lib/links/view'
import type { Runtime } from '@/lib/runtime'
import { type Call, endpoint } from './endpoint'
import { jobAnswer } from './jobs'
import { AddressQuery, CodePath } from './path'
import { json } from './problem'

/** What all of them state that are about one link. */
const ONE = { auth: 'link', limit: 'api', params: CodePath, query: AddressQuery, errors: [403, 410] } as const

/** Names the link that a request is about. */
export const addressOf = ({ params, query }: Call<unknown, z.output<typeof AddressQuery>>): LinkAddress => ({
  code: params.code ?? '',
  domain: query.domain,
})

export const postLink = endpoint(
  'POST /api/v1/links',
  {
    id: 'createLink',
    summary: 'Create a link',
    description:
      'Without an account, the response includes a manage token, which is shown only once. With `reuse`, you may get an existing plain link instead of a new one.',
    auth: 'anyone',
    limit: 'post',
    headers: z.object({
      'Idempotency-Key': z.string().max(255).optional().meta({
        description:
          'For 24 hours, repeating a request with the same key and body returns the same response. Without an account, the key must be a random UUID (version 4 or 7), or two of them joined by a dot. Two also work after your network has changed.',
      }),
    }),
    body: CreateLink,
    answers: {
      201: ['The new link', LinkView],
      200: [
        'An existing link, with `reuse`: one of your own, or without an account the public details of anyone’s',
        z.union([LinkView, SharedLinkView]),
      ],
    },
    errors: [409],
  },
  async ({ ctx, actor, request, client, body }) => {
    const key = request.headers.get('idempotency-key')
    const scope = actor.ownerId ?? (key ? scopeWithoutAccount(key, client) : client)
    const named = key === null ? null : idempotencyOf(ctx.config.APP_SECRET, key, scope, body)
    const { view, isNew, isReplayed } = await createOnce(ctx, named, (once) => createOrReuse(ctx, actor, body, once))
    if (!isNew) return json(200, view)
    return json(201, view, { Location: view.shortUrl, ...(isReplayed && { 'Idempotency-Replayed': 'true' }) })
  },
)

type Shown = Parameters<typeof toView>[0]

/** Links as they are shown to who asks: how they are filed is for their owner alone. */
async function viewsOf(ctx: Runtime, { account, ownerId }: Actor, links: readonly Shown[]): Promise<LinkView[]> {
  const own = links.filter((link) => ownerId !== null && link.ownerId === ownerId).map(({ id }) => id)
  const filings = await filingOf(ctx, ownerId ?? '', own)
  const found = await healthOf(ctx, ownerId ?? '', own)
  return links.map((link) => {
    const isOwn = own.includes(link.id)
    const besides = isOwn ? { ...(filings.get(link.id) ?? NOT_FILED), health: found.get(link.id) ?? null } : null
    return ctx.favicons.withIcon({ ...toView(link, ctx.domains), ...besides }, account)
  })
}

async function viewOf(ctx: Runtime, actor: Actor, link: Shown): Promise<LinkView> {
  const [view] = await viewsOf(ctx, actor, [link])
  return view ?? toView(link, ctx.domains)
}

/** One link, and its version for a change of this one only. */
async function shown({ ctx, actor }: Pick<Call<unknown, unknown>, 'ctx' | 'actor'>, link: Shown): Promise<Response> {
  const view = await viewOf(ctx, actor, link)
  return json(200, view, { ETag: etagOf(link, view) })
}

const ETAG = 'The header `ETag` names the version of the link, for `If-Match`.'

const IF_MATCH = z.object({
  'If-Match': z.string().max(1000).optional().meta({
    description:
      'The `ETag` of the link that you saw. If someone edited it since, nothing happens and the response is 412. Clicks don’t count as edits.',
  }),
})

function expectedBy({ request }: Pick<Call<unknown, unknown>, 'request'>): Expected | undefined {
  const ifMatch = request.headers.get('if-match')
  return ifMatch === null ? undefined : { ifMatch }
}

export const getLinks = endpoint(
  'GET /api/v1/links',
  {
    id: 'listLinks',
    summary: 'List your links',
    description: 'Returns the links of your account. With a manage token, returns the link it manages.',
    auth: 'link',
    limit: 'api',
    query: ListLinks,
    answers: { 200: ['A page of links', LinkPage] },
    errors: [400],
  },
  async ({ ctx, actor, query }) => {
    const { links, ...page } = await listAndCount(ctx, managedBy(actor), query)
    return { links: await viewsOf(ctx, actor, links), ...page }
  },
)

export const getLink = endpoint(
  'GET /api/v1/links/{code}',
  { ...ONE, id: 'getLink', summary: 'Retrieve a link', description: ETAG, answers: { 200: ['The link', LinkView] } },
  async (call) => shown(call, await findManaged(call.ctx, call.actor, addressOf(call), 'read')),
)

export const patchLink = endpoint(
  'PATCH /api/v1/links/{code}',
  {
    ...ONE,
    id: 'updateLink',
    summary: 'Edit a link',
    description: `Changes take effect everywhere within a second. ${ETAG}`,
    headers: IF_MATCH,
    body: UpdateLink,
    answers: { 200: ['The edited link', LinkView] },
    errors: [...ONE.errors, 409, 412],
  },
  async (call) => shown(call, await updateLink(call.ctx, call.actor, addressOf(call), call.body, expectedBy(call))),
)

export const removeLink = endpoint(
  'DELETE /api/v1/links/{code}',
  {
    ...ONE,
    id: 'deleteLink',
    summary: 'Delete a link',
    description: 'The short link answers 410 from then on. You can restore it until its code becomes available again.',
    headers: IF_MATCH,
    answers: { 204: 'The link is deleted' },
    errors: [...ONE.errors, 412],
  },
  (call) => deleteLink(call.ctx, call.actor, addressOf(call), expectedBy(call)),
)

export const postRestore = endpoint(
  'POST /api/v1/links/{code}/restore',
  { ...ONE, id: 'restoreLink', summary: 'Restore a link', answers: { 200: ['The restored link', LinkView] }, errors: [403, 409] },
  async (call) => viewOf(call.ctx, call.actor, await restoreLink(call.ctx, call.actor, addressOf(call))),
)

export const getLines = endpoint(
  'GET /api/v1/links/sparklines',
  {
    id: 'getSparklines',
    summary: 'Retrieve daily clicks for multiple links',
    description:
      'Returns all clicks, including those of bots and previews, for each of the last 30 days (UTC). Links you can’t access are left out.',
    auth: 'link',
    limit: 'api',
    query: SparklinesQuery,
    answers: { 200: ['Daily clicks by link ID', Sparklines] },
  },
  ({ ctx, actor, query }) => getSparklines(ctx, actor, query.ids),
)

export const postBulk = endpoint(
  'POST /api/v1/links/bulk',
  {
    id: 'changeLinks',
    summary: 'Turn on, turn off, delete, restore, tag, move, or archive multiple links',
    description:
      'Starts a job that handles each link as a single request would. If one fails, the others still go through. List the job’s items for the result of each link.',
    auth: 'account',
    proof: 'key',
    limit: 'api',
    body: BulkLinks,
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address, locale, body }) =>
    jobAnswer(ctx, await queueBulk(ctx, { account, address, locale }, body, 'owner')),
)

export const postSpoken = endpoint(
  'POST /api/v1/spoken',
  {
    id: 'createSpoken',
    summary: 'Create a spoken number',
    description:
      'Creates a link whose code is a number of 4 to 6 digits, easy to say aloud. List, edit, delete and restore it as any other link; only when it expires can’t change. Some time after the link expires, its number can go to another link. If all numbers are in use, the response is 503, and `Retry-After` tells when the next one becomes available.',
    auth: 'anyone',
    limit: 'post',
    body: SpokenInput,
    answers: { 201: ['The new spoken number', SpokenView] },
  },
  async ({ ctx, actor, body }) => {
    const link = await createSpoken(ctx, actor, body)
    const token = link.ownerId === null ? manageToken(ctx.config.APP_SECRET, link.id) : null
    const view = { ...toView(link, ctx.domains), ...(token !== null && { manageToken: token }) }
    return json(201, { ...view, digits: view.code }, { Location: view.shortUrl })
  },
)

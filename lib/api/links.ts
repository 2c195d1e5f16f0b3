import { z } from 'zod'
import type { Actor } from '@/lib/actor'
import { JobView } from '@/lib/jobs/schemas'
import { manageToken } from '@/lib/links/access'
import { queueBulk } from '@/lib/links/bulk-job'
import { listAndCount } from '@/lib/links/count'
import { createOnce } from '@/lib/links/create-once'
import { deleteLink } from '@/lib/links/delete'
import { managedBy } from '@/lib/links/filter'
import { findManaged, type LinkAddress } from '@/lib/links/find'
import { idempotencyOf, scopeWithoutAccount } from '@/lib/links/idempotency'
import { queueImport } from '@/lib/links/import-job'
import { COLUMN_NAMES } from '@/lib/links/import-rows'
import { restoreLink } from '@/lib/links/restore'
import { createOrReuse } from '@/lib/links/reuse'
import {
  BulkLinks,
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
import { LIST_MB } from '@/lib/tools/list-size'
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

const viewOf = ({ domains, favicons }: Runtime, actor: Actor, link: Parameters<typeof toView>[0]) =>
  favicons.withIcon(toView(link, domains), actor.account)

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
    return { links: links.map((link) => viewOf(ctx, actor, link)), ...page }
  },
)

export const getLink = endpoint(
  'GET /api/v1/links/{code}',
  { ...ONE, id: 'getLink', summary: 'Retrieve a link', answers: { 200: ['The link', LinkView] } },
  async (call) => viewOf(call.ctx, call.actor, await findManaged(call.ctx, call.actor, addressOf(call), 'read')),
)

export const patchLink = endpoint(
  'PATCH /api/v1/links/{code}',
  {
    ...ONE,
    id: 'updateLink',
    summary: 'Edit a link',
    description: 'Changes take effect everywhere within a second.',
    body: UpdateLink,
    answers: { 200: ['The edited link', LinkView] },
    errors: [...ONE.errors, 409],
  },
  async (call) => viewOf(call.ctx, call.actor, await updateLink(call.ctx, call.actor, addressOf(call), call.body)),
)

export const removeLink = endpoint(
  'DELETE /api/v1/links/{code}',
  {
    ...ONE,
    id: 'deleteLink',
    summary: 'Delete a link',
    description: 'The short link answers 410 from then on. You can restore it until its code becomes available again.',
    answers: { 204: 'The link is deleted' },
  },
  (call) => deleteLink(call.ctx, call.actor, addressOf(call)),
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
    summary: 'Turn on, turn off, delete, or restore multiple links',
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

const OPTIONAL = COLUMN_NAMES.filter((name) => name !== 'url')
  .map((name) => `\`${name}\``)
  .join(', ')

export const postImport = endpoint(
  'POST /api/v1/links/import',
  {
    id: 'importLinks',
    summary: 'Import links from CSV',
    description: `Starts a job that creates each link as a single request would. List the job’s items for the result of each link. The first line names the columns: \`url\`, and any of ${OPTIONAL}. Column names from other shorteners are recognized, and unknown columns are ignored. Without a header line, the columns are \`url\`, \`code\`, and \`title\`. Times without a time zone are in UTC. The limit is ${LIST_MB['text/csv']} MB and, unless this server is set up otherwise, 100,000 links, for one file and for all unfinished imports of an account together.`,
    auth: 'account',
    proof: 'key',
    limit: 'upload',
    body: z.string().meta({ example: 'links.csv' }),
    bodyType: 'text/csv',
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address, locale, body }) => {
    // By account too: what an import leaves is kept, from wherever it was sent.
    await ctx.limits.consume('upload', `account ${account.id}`)
    return jobAnswer(ctx, await queueImport(ctx, { account, address, locale }, body))
  },
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

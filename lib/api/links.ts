import { z } from 'zod'
import { JobView } from '@/lib/jobs/schemas'
import { queueBulk } from '@/lib/links/bulk-job'
import { listAndCount } from '@/lib/links/count'
import { createOnce } from '@/lib/links/create-once'
import { deleteLink } from '@/lib/links/delete'
import { managedBy } from '@/lib/links/filter'
import { findManaged, type LinkAddress } from '@/lib/links/find'
import { idempotencyOf, requireRandomKey } from '@/lib/links/idempotency'
import { queueImport } from '@/lib/links/import-job'
import { COLUMN_NAMES, MAX_ROWS } from '@/lib/links/import-rows'
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
    summary: 'Make a link',
    description:
      'Without an account the answer holds a manage token, shown this once. With `reuse`, an existing plain link may be the answer.',
    auth: 'anyone',
    limit: 'post',
    headers: z.object({
      'Idempotency-Key': z.string().max(255).optional().meta({
        description:
          'The same key with the same body gets the same answer for 24 hours. Without an account: a random UUID (version 4 or 7).',
      }),
    }),
    body: CreateLink,
    answers: {
      201: ['Made', LinkView],
      200: [
        'An existing link (`reuse`): one of your account, or, without an account, what can be known of anyone’s',
        z.union([LinkView, SharedLinkView]),
      ],
    },
    errors: [409],
  },
  async ({ ctx, actor, request, client, body }) => {
    const key = request.headers.get('idempotency-key')
    if (key && actor.ownerId === null) requireRandomKey(key)
    const named = key === null ? null : idempotencyOf(ctx.config.APP_SECRET, key, actor.ownerId ?? client, body)
    const { view, isNew, isReplayed } = await createOnce(ctx, named, (once) => createOrReuse(ctx, actor, body, once))
    if (!isNew) return json(200, view)
    return json(201, view, { Location: view.shortUrl, ...(isReplayed && { 'Idempotency-Replayed': 'true' }) })
  },
)

export const getLinks = endpoint(
  'GET /api/v1/links',
  {
    id: 'listLinks',
    summary: 'List your links',
    description: 'Those of your account, or with a manage token the link that it manages.',
    auth: 'link',
    limit: 'api',
    query: ListLinks,
    answers: { 200: ['A page', LinkPage] },
    errors: [400],
  },
  async ({ ctx, actor, query }) => {
    const { links, ...page } = await listAndCount(ctx, managedBy(actor), query)
    return { links: links.map((link) => toView(link, ctx.domains)), ...page }
  },
)

export const getLink = endpoint(
  'GET /api/v1/links/{code}',
  { ...ONE, id: 'getLink', summary: 'Look at a link', answers: { 200: ['The link', LinkView] } },
  async (call) => toView(await findManaged(call.ctx, call.actor, addressOf(call), 'read'), call.ctx.domains),
)

export const patchLink = endpoint(
  'PATCH /api/v1/links/{code}',
  {
    ...ONE,
    id: 'updateLink',
    summary: 'Change a link',
    description: 'Visible everywhere within a second.',
    body: UpdateLink,
    answers: { 200: ['The link as it is now', LinkView] },
    errors: [...ONE.errors, 409],
  },
  async (call) => toView(await updateLink(call.ctx, call.actor, addressOf(call), call.body), call.ctx.domains),
)

export const removeLink = endpoint(
  'DELETE /api/v1/links/{code}',
  {
    ...ONE,
    id: 'deleteLink',
    summary: 'Delete a link',
    description: 'The code answers 410 from then on and can be restored until it is free again.',
    answers: { 204: 'Deleted' },
  },
  (call) => deleteLink(call.ctx, call.actor, addressOf(call)),
)

export const postRestore = endpoint(
  'POST /api/v1/links/{code}/restore',
  { ...ONE, id: 'restoreLink', summary: 'Undo a deletion', answers: { 200: ['The link', LinkView] }, errors: [403, 409] },
  async (call) => toView(await restoreLink(call.ctx, call.actor, addressOf(call)), call.ctx.domains),
)

export const getLines = endpoint(
  'GET /api/v1/links/sparklines',
  {
    id: 'getSparklines',
    summary: 'Count the clicks of many links by day',
    description: 'Links that you may not look at are left out.',
    auth: 'link',
    limit: 'api',
    query: SparklinesQuery,
    answers: { 200: ['Clicks by day', Sparklines] },
  },
  ({ ctx, actor, query }) => getSparklines(ctx, actor, query.ids),
)

export const postBulk = endpoint(
  'POST /api/v1/links/bulk',
  {
    id: 'changeLinks',
    summary: 'Enable, disable, delete or restore many links',
    description:
      'A job does to each link what a request for it alone would; one that cannot be changed stops no other. `…/items` of the job tells what came of each.',
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
    description: `A job makes each link as a request for it alone would; \`…/items\` of the job tells what came of each. The first line names the columns: \`url\`, and any of ${OPTIONAL}. The names that other shorteners give them are understood, other columns are passed over, and without such a line the columns are \`url\`, \`code\` and \`title\`. A time without a zone is of UTC. At most ${MAX_ROWS.toLocaleString('en')} links and 5 MB.`,
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
    summary: 'Make a link to be read aloud',
    description:
      'Its code is a number of 4 to 6 digits, which goes to another link some time after this one has expired. When all numbers are in use, 503 says in Retry-After when the next one frees.',
    auth: 'anyone',
    limit: 'post',
    body: SpokenInput,
    answers: { 201: ['Made', SpokenView] },
  },
  async ({ ctx, actor, body }) => {
    const link = await createSpoken(ctx, actor, body)
    const { code, shortUrl, expiresAt } = toView(link, ctx.domains)
    return json(201, { digits: code, shortUrl, expiresAt }, { Location: shortUrl })
  },
)

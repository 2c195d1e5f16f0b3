import type { z } from 'zod'
import { isUniqueViolation } from '@/lib/db/errors'
import { isTerseError } from '@/lib/errors'
import { queueBulk } from '@/lib/links/bulk-job'
import { deleteLink } from '@/lib/links/delete'
import { managedBy } from '@/lib/links/filter'
import { findManaged, type LinkAddress } from '@/lib/links/find'
import { type Idempotency, idempotencyOf, replay, requireRandomKey } from '@/lib/links/idempotency'
import { queueImport } from '@/lib/links/import-job'
import { listLinks } from '@/lib/links/list'
import { restoreLink } from '@/lib/links/restore'
import { createdView, createOrReuse } from '@/lib/links/reuse'
import {
  BulkLinks,
  CreateLink,
  type CreateLinkData,
  ListLinks,
  SparklinesQuery,
  SpokenInput,
  UpdateLink,
} from '@/lib/links/schemas'
import { getSparklines } from '@/lib/links/sparklines'
import { createSpoken } from '@/lib/links/spoken'
import { updateLink } from '@/lib/links/update'
import { toView } from '@/lib/links/view'
import { readList } from './body'
import { jobAnswer } from './jobs'
import { AddressQuery } from './query'
import { type Call, json, route } from './route'

/** Names the link that a request is about. */
export const addressOf = ({ params, query }: Call<unknown, z.output<typeof AddressQuery>>): LinkAddress => ({
  code: params.code ?? '',
  domain: query.domain,
})

export const postLink = route({ auth: 'anyone', limit: 'post', body: CreateLink }, async (call) => {
  const { ctx, actor, request, client, body } = call
  const key = request.headers.get('idempotency-key')
  if (key && actor.ownerId === null) requireRandomKey(key)
  const idempotency = key === null ? null : idempotencyOf(ctx.config.APP_SECRET, key, actor.ownerId ?? client, body)
  const before = idempotency && (await replayed(call, idempotency))
  if (before) return before
  try {
    const created = await createOrReuse(ctx, actor, body, idempotency)
    const view = createdView(created, ctx.domains)
    if (created.isNew) return json(201, view, { Location: view.shortUrl })
    // Not new, perhaps, because the same request came twice at once and the other was first.
    return (idempotency && (await replayed(call, idempotency))) ?? json(200, view)
  } catch (error) {
    // The same again: the other took the key, or the custom code.
    const lost = isUniqueViolation(error) || (isTerseError(error) && error.code === 'conflict')
    const other = idempotency && lost ? await replayed(call, idempotency) : null
    if (other) return other
    throw error
  }
})

/** The answer that this Idempotency-Key got before, or null. */
async function replayed({ ctx }: Call<CreateLinkData, unknown>, idempotency: Idempotency): Promise<Response | null> {
  const link = await replay(ctx, idempotency)
  return link && json(201, link, { Location: link.shortUrl, 'Idempotency-Replayed': 'true' })
}

export const getLinks = route({ auth: 'anyone', limit: 'api', query: ListLinks }, async ({ ctx, actor, query }) => {
  const { links, nextCursor } = await listLinks(ctx, managedBy(actor), query)
  return json(200, { links: links.map((link) => toView(link, ctx.domains)), nextCursor })
})

export const getLines = route({ auth: 'anyone', limit: 'api', query: SparklinesQuery }, async ({ ctx, actor, query }) =>
  json(200, await getSparklines(ctx, actor, query.ids)),
)

export const postBulk = route(
  { auth: 'account', proof: 'key', limit: 'api', body: BulkLinks },
  async ({ ctx, account, address, body }) => jobAnswer(ctx, await queueBulk(ctx, { account, address }, body, 'owner')),
)

export const postImport = route(
  { auth: 'account', proof: 'key', limit: 'upload' },
  async ({ ctx, account, address, request }) => {
    // By account too: what an import leaves is kept, from wherever it was sent.
    await ctx.limits.take('upload', `account ${account.id}`)
    return jobAnswer(ctx, await queueImport(ctx, { account, address }, await readList(request, 'text/csv')))
  },
)

export const postSpoken = route({ auth: 'anyone', limit: 'post', body: SpokenInput }, async ({ ctx, actor, body }) => {
  const link = await createSpoken(ctx, actor, body)
  const { code, shortUrl, expiresAt } = toView(link, ctx.domains)
  return json(201, { digits: code, shortUrl, expiresAt }, { Location: shortUrl })
})

export const getLink = route({ auth: 'anyone', limit: 'api', query: AddressQuery }, async (call) =>
  json(200, toView(await findManaged(call.ctx, call.actor, addressOf(call), 'read'), call.ctx.domains)),
)

export const patchLink = route({ auth: 'anyone', limit: 'api', query: AddressQuery, body: UpdateLink }, async (call) =>
  json(200, toView(await updateLink(call.ctx, call.actor, addressOf(call), call.body), call.ctx.domains)),
)

export const removeLink = route({ auth: 'anyone', limit: 'api', query: AddressQuery }, async (call) => {
  await deleteLink(call.ctx, call.actor, addressOf(call))
  return new Response(null, { status: 204 })
})

export const postRestore = route({ auth: 'anyone', limit: 'api', query: AddressQuery }, async (call) =>
  json(200, toView(await restoreLink(call.ctx, call.actor, addressOf(call)), call.ctx.domains)),
)

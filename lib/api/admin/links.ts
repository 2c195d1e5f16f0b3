import { actOnLink, linkDetail } from '@/lib/admin/link'
import { listAllLinks } from '@/lib/admin/list-links'
import { TerseError } from '@/lib/errors'
import { queueBulk } from '@/lib/links/bulk-job'
import { AdminBulkLinks, ListAllLinks } from '@/lib/links/schemas'
import { json, route } from '../route'
import { adminAction } from './action'

export const getAllLinks = route({ auth: 'admin', proof: 'key', limit: 'api', query: ListAllLinks }, async ({ ctx, query }) =>
  json(200, await listAllLinks(ctx, query)),
)

/** What became of each link is written down by the job; here, that it was asked for. */
export const postAdminBulk = adminAction(
  { proof: 'key', action: ({ body }) => `links.${body.action}`, body: AdminBulkLinks },
  async ({ ctx, account, address, body }) => {
    const job = await queueBulk(ctx, { account, address }, body, 'admin')
    ctx.jobs.look()
    const { ids, reason } = body
    return { target: `job ${job.number}`, details: { ids, reason }, answer: job, status: 202 }
  },
)

export const getAdminLink = route({ auth: 'admin', proof: 'key', limit: 'account' }, async ({ ctx, params }) =>
  json(200, await linkDetail(ctx, idOf(params))),
)

const Reason = AdminBulkLinks.pick({ reason: true })
const Action = AdminBulkLinks.shape.action

/** One thing done to one link: the last segment of the path says what. */
export const postLinkAction = adminAction(
  { proof: 'key', action: ({ params }) => `link.${params.action}`, body: Reason },
  async ({ ctx, actor, params, body }) => {
    const action = Action.safeParse(params.action)
    if (!action.success) throw new TerseError('not_found', 'The API has nothing at this address.')
    const id = idOf(params)
    const { fullShortUrl } = await actOnLink(ctx, actor, id, action.data, body.reason)
    return { target: fullShortUrl, details: body.reason === '' ? {} : body, answer: await linkDetail(ctx, id) }
  },
)

function idOf({ id = '' }: Record<string, string>): bigint {
  if (!/^\d{1,19}$/.test(id)) throw new TerseError('not_found', 'There is no such link.')
  return BigInt(id)
}

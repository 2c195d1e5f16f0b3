import { listAllLinks } from '@/lib/admin/list-links'
import { queueBulk } from '@/lib/links/bulk-job'
import { AdminBulkLinks, ListAllLinks } from '@/lib/links/schemas'
import { json, route } from '../route'
import { adminAction } from './action'

export const getAllLinks = route({ auth: 'admin', limit: 'api', query: ListAllLinks }, async ({ ctx, query }) =>
  json(200, await listAllLinks(ctx, query)),
)

/** What became of each link is written down by the job; here, that it was asked for. */
export const postAdminBulk = adminAction(
  { action: ({ body }) => `links.${body.action}`, body: AdminBulkLinks },
  async ({ ctx, account, address, body }) => {
    const job = await queueBulk(ctx, account, body, address)
    ctx.jobs.look()
    const { ids, reason } = body
    return { target: `job ${job.number}`, details: { ids, reason }, answer: job, status: 202 }
  },
)

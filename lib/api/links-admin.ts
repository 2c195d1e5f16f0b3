import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { JobView } from '@/lib/jobs/schemas'
import { actOnLink } from '@/lib/links/act'
import { queueBulk } from '@/lib/links/bulk-job'
import { AdminBulkFields, AdminBulkLinks } from '@/lib/links/bulk-schemas'
import { listAllLinks } from '@/lib/links/list-all'
import { AdminLinkPage, ListAllLinks } from '@/lib/links/schemas'
import { linkDetail } from '@/lib/reports/detail'
import { AdminLinkDetail } from '@/lib/reports/schemas'
import { adminAction, LOOKING } from './admin-action'
import { endpoint } from './endpoint'
import { idOf } from './path'

export const getAllLinks = endpoint(
  'GET /api/v1/admin/links',
  {
    ...LOOKING,
    limit: 'api',
    summary: 'List all links',
    query: ListAllLinks,
    answers: { 200: ['A page of links', AdminLinkPage] },
  },
  async ({ ctx, account, query }) => {
    const page = await listAllLinks(ctx, query)
    return { ...page, links: page.links.map((link) => ctx.favicons.withIcon(link, account)) }
  },
)

/** What became of each link is written down by the job; here, that it was asked for. */
export const postAdminBulk = adminAction(
  'POST /api/v1/admin/links/bulk',
  {
    summary: 'Turn on, turn off, delete, restore, ban, or unban multiple links',
    proof: 'key',
    action: ({ body }) => `links.${body.action}`,
    body: AdminBulkLinks,
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address, locale, body }) => {
    const job = await queueBulk(ctx, { account, address, locale }, body, 'admin')
    const { action: _action, ...details } = body
    return { target: `job ${job.number}`, details, job }
  },
)

export const getAdminLink = endpoint(
  'GET /api/v1/admin/links/{id}',
  { ...LOOKING, summary: 'Retrieve any link', answers: { 200: ['The link, its reports, and its history', AdminLinkDetail] } },
  ({ ctx, params }) => linkDetail(ctx, idOf(params, 'link')),
)

const Reason = AdminBulkFields.pick({ reason: true })
const Action = AdminBulkFields.shape.action

/** One thing done to one link: the last segment of the path says what. */
export const postLinkAction = adminAction(
  'POST /api/v1/admin/links/{id}/{action}',
  {
    summary: 'Turn on, turn off, delete, restore, ban, or unban any link',
    proof: 'key',
    action: ({ params }) => `link.${Action.parse(params.action)}`,
    body: Reason,
    answers: { 200: ['The updated link', AdminLinkDetail] },
    errors: [409],
  },
  async ({ ctx, actor, params, body }) => {
    const action = Action.safeParse(params.action)
    if (!action.success) throw new TerseError('not_found', say('api.request.endpoint'))
    const id = idOf(params, 'link')
    const { fullShortUrl } = await actOnLink(ctx, actor, id, action.data, body.reason)
    return { target: fullShortUrl, details: body.reason === '' ? {} : body, answer: await linkDetail(ctx, id) }
  },
)

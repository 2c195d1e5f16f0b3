import { listAudit } from '@/lib/audit/audit'
import { AuditPage, AuditQuery } from '@/lib/audit/schemas'
import { handleDeadLetters, listDeadLetters } from '@/lib/clicks/dead-letters'
import { DeadLetterAction, DeadLetterPage, DeadLettersHandled } from '@/lib/clicks/schemas'
import { queueRebuild } from '@/lib/codes/rebuild-job'
import { withIcons } from '@/lib/favicons/favicons'
import { JobView } from '@/lib/jobs/schemas'
import { typedLink } from '@/lib/links/find'
import { AdminOverview, OverviewQuery, SystemView, TestEmail } from '@/lib/overview/schemas'
import { sendTestEmail } from '@/lib/overview/test-email'
import { adminAction, LOOKING } from './admin-action'
import { endpoint } from './endpoint'

export const getAdminOverview = endpoint(
  'GET /api/v1/admin/overview',
  {
    ...LOOKING,
    summary: 'Retrieve an overview of the site',
    query: OverviewQuery,
    answers: { 200: ['The overview', AdminOverview] },
  },
  async ({ ctx, account, query }) => withIcons(ctx, await ctx.adminOverviews.of(query.days), account),
)

export const getSystem = endpoint(
  'GET /api/v1/admin/system',
  {
    ...LOOKING,
    limit: 'api',
    summary: 'Retrieve the system status',
    answers: { 200: ['The status of each component, as this process sees it', SystemView] },
  },
  ({ ctx }) => ctx.system.view(),
)

export const getAudit = endpoint(
  'GET /api/v1/admin/audit',
  {
    ...LOOKING,
    summary: 'List audit log entries',
    query: AuditQuery,
    answers: { 200: ['A page of entries, newest first', AuditPage] },
  },
  ({ ctx, query }) => listAudit(ctx, query, (target) => typedLink(ctx, target)),
)

export const postRebuild = adminAction(
  'POST /api/v1/admin/rebuild',
  {
    summary: 'Rebuild the filter of known links',
    proof: 'key',
    action: 'filter.rebuild',
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address, locale }) => {
    const { job, isNew } = await queueRebuild(ctx, { account, address, locale })
    return { target: `job ${job.number}`, details: isNew ? {} : { joined: true }, job }
  },
)

export const postTestEmail = adminAction(
  'POST /api/v1/admin/test-email',
  {
    summary: 'Send a test email to yourself',
    description: 'Waits until the mail server has answered.',
    proof: 'key',
    action: 'email.test',
    answers: { 200: ['What the mail server said', TestEmail] },
    errors: [409],
  },
  async ({ ctx, account, locale }) => {
    const answer = await sendTestEmail(ctx, account, locale)
    return { target: answer.to, answer }
  },
)

export const getDeadLetters = endpoint(
  'GET /api/v1/admin/dead-letters',
  { ...LOOKING, summary: 'List failed batches of clicks', answers: { 200: ['The first 200 failed batches', DeadLetterPage] } },
  ({ ctx }) => listDeadLetters(ctx),
)

const handling = (action: 'retry' | 'drop', summary: string) =>
  adminAction(
    `POST /api/v1/admin/dead-letters/${action}`,
    {
      summary,
      proof: 'key',
      action: `dead-letters.${action}`,
      body: DeadLetterAction,
      answers: { 200: ['The number of batches handled', DeadLettersHandled] },
    },
    async ({ ctx, body: { ids } }) => {
      const letters = await handleDeadLetters(ctx, action, ids)
      return { target: 'failed batches', details: { letters, ...(ids && { ids }) }, answer: { letters } }
    },
  )

export const postRetry = handling('retry', 'Retry failed batches of clicks')
export const postDrop = handling('drop', 'Delete failed batches of clicks')

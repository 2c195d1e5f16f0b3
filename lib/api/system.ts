import { listAudit } from '@/lib/audit/audit'
import { AuditPage, AuditQuery } from '@/lib/audit/schemas'
import { handleDeadLetters, listDeadLetters } from '@/lib/clicks/dead-letters'
import { DeadLetterAction, DeadLetterPage, DeadLettersHandled } from '@/lib/clicks/schemas'
import { queueRebuild } from '@/lib/codes/rebuild-job'
import { JobView } from '@/lib/jobs/schemas'
import { typedLink } from '@/lib/links/find'
import { AdminOverview, OverviewQuery, SystemView } from '@/lib/overview/schemas'
import { adminAction, LOOKING } from './admin-action'
import { endpoint } from './endpoint'

export const getAdminOverview = endpoint(
  'GET /api/v1/admin/overview',
  {
    ...LOOKING,
    summary: 'Count links, clicks, accounts and reports',
    query: OverviewQuery,
    answers: { 200: ['The numbers', AdminOverview] },
  },
  ({ ctx, query }) => ctx.adminOverviews.of(query.days),
)

export const getSystem = endpoint(
  'GET /api/v1/admin/system',
  {
    ...LOOKING,
    limit: 'api',
    summary: 'Look at how the system is doing',
    answers: { 200: ['Its parts, as this process sees them', SystemView] },
  },
  ({ ctx }) => ctx.system.view(),
)

export const getAudit = endpoint(
  'GET /api/v1/admin/audit',
  { ...LOOKING, summary: 'Read the audit log', query: AuditQuery, answers: { 200: ['A page, newest first', AuditPage] } },
  ({ ctx, query }) => listAudit(ctx, query, (target) => typedLink(ctx, target)),
)

export const postRebuild = adminAction(
  'POST /api/v1/admin/rebuild',
  { summary: 'Rebuild the filter of codes', proof: 'key', action: 'filter.rebuild', answers: { 202: ['The job', JobView] } },
  async ({ ctx, account, address, locale }) => {
    const { job, isNew } = await queueRebuild(ctx, { account, address, locale })
    return { target: `job ${job.number}`, details: isNew ? {} : { joined: true }, job }
  },
)

export const getDeadLetters = endpoint(
  'GET /api/v1/admin/dead-letters',
  { ...LOOKING, summary: 'List clicks that could not be counted', answers: { 200: ['The first 200', DeadLetterPage] } },
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
      answers: { 200: ['How many there were of those named', DeadLettersHandled] },
    },
    async ({ ctx, body: { ids } }) => {
      const letters = await handleDeadLetters(ctx, action, ids)
      return { target: 'dead letters', details: { letters, ...(ids && { ids }) }, answer: { letters } }
    },
  )

export const postRetry = handling('retry', 'Count clicks again that could not be counted')
export const postDrop = handling('drop', 'Drop clicks that could not be counted')

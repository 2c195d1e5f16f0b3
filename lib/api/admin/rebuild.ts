import { queueRebuild } from '@/lib/admin/rebuild'
import { JobView } from '@/lib/jobs/schemas'
import { adminAction } from './action'

export const postRebuild = adminAction(
  {
    method: 'POST',
    path: '/api/v1/admin/rebuild',
    summary: 'Rebuild the filter of codes',
    proof: 'key',
    action: 'filter.rebuild',
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address }) => {
    const { job, isNew } = await queueRebuild(ctx, { account, address })
    ctx.jobs.look()
    return { target: `job ${job.number}`, details: isNew ? {} : { joined: true }, answer: job, status: 202 }
  },
)

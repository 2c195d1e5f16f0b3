import { queueRebuild } from '@/lib/admin/rebuild'
import { adminAction } from './action'

export const postRebuild = adminAction({ proof: 'key', action: 'filter.rebuild' }, async ({ ctx, account, address }) => {
  const { job, isNew } = await queueRebuild(ctx, { account, address })
  ctx.jobs.look()
  return { target: `job ${job.number}`, details: isNew ? {} : { joined: true }, answer: job, status: 202 }
})

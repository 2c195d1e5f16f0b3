import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { TerseError } from '@/lib/errors'
import { JobItemsQuery, JobsQuery, type JobView } from '@/lib/jobs/schemas'
import { cancelJob, findJob, type JobOwner, jobFile, listJobItems, listJobs, toJobView } from '@/lib/jobs/store'
import type { Account } from '@/lib/links/context'
import type { Runtime } from '@/lib/runtime'
import { json, route } from './route'
import { download } from './stream'

/** Whose jobs an account may see: its own; admins see everyone's. */
const whose = ({ id, role }: Account): JobOwner => (role === 'admin' ? null : id)

/** The answer to a request that became a job, on which a process begins at once. */
export function jobAnswer(ctx: Runtime, job: JobView): Response {
  ctx.jobs.look()
  return json(202, job, { Location: `${ctx.config.BASE_URL}/api/v1/jobs/${job.number}` })
}

/** The job that the path names. @throws TerseError 'not_found' */
const named = ({ ctx, account, params }: { ctx: Runtime; account: Account; params: Record<string, string> }) =>
  findJob(ctx, whose(account), params.number ?? '')

export const getJobs = route({ auth: 'account', proof: 'key', limit: 'api', query: JobsQuery }, async ({ ctx, account, query }) =>
  json(200, await listJobs(ctx, whose(account), query)),
)

export const getJob = route({ auth: 'account', proof: 'key', limit: 'api' }, async (call) =>
  json(200, toJobView(await named(call))),
)

export const getJobItems = route({ auth: 'account', proof: 'key', limit: 'api', query: JobItemsQuery }, async (call) =>
  json(200, await listJobItems(call.ctx, await named(call), call.query)),
)

export const postCancel = route({ auth: 'account', proof: 'key', limit: 'api' }, async (call) =>
  json(200, await cancelJob(call.ctx, await named(call))),
)

export const getJobFile = route({ auth: 'account', proof: 'key', limit: 'api' }, async (call) => {
  const job = await named(call)
  // What a file holds is its owner's, even where admins may see that there is one.
  if (job.userId !== call.account.id || !toJobView(job).hasFile) {
    throw new TerseError('not_found', 'This job has no file to download.')
  }
  // Unpacked here: browsers stop reading gzip at the end of its first part.
  // What goes wrong on the way is told to the reader.
  const text = pipeline(Readable.from(jobFile(call.ctx, job)), createGunzip(), () => {}).setEncoding('utf8')
  return download(text, { name: `terse-${job.kind}-${job.number}.json`, type: 'application/json', signal: call.request.signal })
})

import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import type { Account } from '@/lib/actor'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'
import { JobItemPage, JobItemsQuery, JobNumber, JobPage, JobsQuery, JobView } from '@/lib/jobs/schemas'
import { cancelJob, findJob, type JobOwner, jobFile, listJobItems, listJobs, toJobView } from '@/lib/jobs/store'
import type { Runtime } from '@/lib/runtime'
import { endpoint } from './endpoint'
import { json } from './problem'
import { download } from './stream'

const COMMON = { auth: 'account', proof: 'key', limit: 'api' } as const
const ONE = { ...COMMON, params: z.object({ number: JobNumber }) } as const

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

export const getJobs = endpoint(
  'GET /api/v1/jobs',
  {
    ...COMMON,
    id: 'listJobs',
    summary: 'List jobs',
    description: 'Returns your jobs, newest first. Admins see everyone’s. Jobs are kept for 30 days.',
    query: JobsQuery,
    answers: { 200: ['A page of jobs', JobPage] },
    errors: [400],
  },
  ({ ctx, account, query, locale }) => listJobs(ctx, whose(account), query, writer(locale)),
)

export const getJob = endpoint(
  'GET /api/v1/jobs/{number}',
  { ...ONE, id: 'getJob', summary: 'Retrieve a job', answers: { 200: ['The job', JobView] } },
  async (call) => toJobView(await named(call), writer(call.locale)),
)

export const getJobItems = endpoint(
  'GET /api/v1/jobs/{number}/items',
  {
    ...ONE,
    id: 'listJobItems',
    summary: 'List a job’s items',
    query: JobItemsQuery,
    answers: { 200: ['A page of items, in the order they were processed', JobItemPage] },
    errors: [400],
  },
  async (call) => listJobItems(call.ctx, await named(call), call.query, writer(call.locale)),
)

export const postCancel = endpoint(
  'POST /api/v1/jobs/{number}/cancel',
  {
    ...ONE,
    id: 'cancelJob',
    summary: 'Stop a job',
    description: 'The job stops within a second. What it has already done is kept. A job that has finished doesn’t change.',
    answers: { 200: ['The job', JobView] },
  },
  async (call) => cancelJob(call.ctx, await named(call), writer(call.locale)),
)

export const getJobFile = endpoint(
  'GET /api/v1/jobs/{number}/file',
  { ...ONE, id: 'getJobFile', summary: 'Download a job’s file', answers: { 200: ['The file', z.object({})] } },
  async (call) => {
    const job = await named(call)
    // What a file holds is its owner's, even where admins may see that there is one.
    if (job.userId !== call.account.id || !toJobView(job).hasFile) {
      throw new TerseError('not_found', say('api.job.noFile'))
    }
    // Unpacked here: browsers stop reading gzip at the end of its first part.
    // What goes wrong on the way is told to the reader.
    const text = pipeline(Readable.from(jobFile(call.ctx, job)), createGunzip(), () => {}).setEncoding('utf8')
    return download(text, {
      name: `terse-${job.kind}-${job.number}.json`,
      type: 'application/json',
      signal: call.request.signal,
    })
  },
)

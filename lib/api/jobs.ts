import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { resolveOwners } from '@/lib/accounts/import-owners'
import type { Account } from '@/lib/actor'
import type { Job } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import type { Locale } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'
import { WAITS } from '@/lib/jobs/queue'
import { JobItemPage, JobItemsQuery, JobNumber, JobPage, JobView, OwnJobsQuery } from '@/lib/jobs/schemas'
import { cancelJob, findJob, type JobOwner, jobFile, listJobItems, listJobs, pause, resume, toJobView } from '@/lib/jobs/store'
import { requireChecked, startImport } from '@/lib/links/import-queue'
import { resultsOf } from '@/lib/links/import-results'
import { queueUndo } from '@/lib/links/undo-job'
import type { Runtime } from '@/lib/runtime'
import { endpoint } from './endpoint'
import { OwnersByName, viewOwners } from './import-owners'
import { json } from './problem'
import { download } from './stream'

const COMMON = { auth: 'account', proof: 'key', limit: 'api' } as const
/** What all of them state that are about one job. */
export const ONE_JOB = { ...COMMON, params: z.object({ number: JobNumber }) } as const
const ONE = ONE_JOB

/** Whose jobs an account may see: its own; admins see everyone's. */
const whose = ({ id, role }: Account): JobOwner => (role === 'admin' ? null : id)

/** The answer to a request that became a job, on which a process begins at once. */
export function jobAnswer(ctx: Runtime, job: JobView, headers: Record<string, string> = {}): Response {
  ctx.jobs.look()
  return json(202, job, { Location: `${ctx.config.BASE_URL}/api/v1/jobs/${job.number}`, ...headers })
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
    query: OwnJobsQuery,
    answers: { 200: ['A page of jobs', JobPage] },
    errors: [400],
  },
  ({ ctx, account, query: { own, ...page }, locale }) =>
    listJobs(ctx, own === 'true' ? account.id : whose(account), page, writer(locale)),
)

export const getJob = endpoint(
  'GET /api/v1/jobs/{number}',
  { ...ONE, id: 'getJob', summary: 'Retrieve a job', answers: { 200: ['The job', JobView] } },
  async (call) => {
    const { ctx, account, locale } = call
    const job = await named(call)
    return { ...toJobView(job, writer(locale)), ...(await viewOwners(ctx, account, job)) }
  },
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
    description:
      'The job stops within a second. What it has already done is kept. A job that has finished doesn’t change. A job that changes how a domain treats capitals can’t be stopped once it has begun.',
    answers: { 200: ['The job', JobView] },
    errors: [409],
  },
  async (call) => cancelJob(call.ctx, await named(call), writer(call.locale)),
)

export const postPause = endpoint(
  'POST /api/v1/jobs/{number}/pause',
  {
    ...ONE,
    id: 'pauseJob',
    summary: 'Pause a job',
    description: `The job stops within a second, and goes on where it was once you resume it. After ${WAITS} days it’s canceled.`,
    answers: { 200: ['The job', JobView] },
    errors: [409],
  },
  async (call) => toJobView(await pause(call.ctx, await named(call)), writer(call.locale)),
)

export const postResume = endpoint(
  'POST /api/v1/jobs/{number}/resume',
  { ...ONE, id: 'resumeJob', summary: 'Resume a job', answers: { 200: ['The job', JobView] }, errors: [409] },
  async (call) => goOn(call, await resume(call.ctx, await named(call))),
)

export const postStart = endpoint(
  'POST /api/v1/jobs/{number}/start',
  {
    ...ONE,
    id: 'startImport',
    summary: 'Start an import',
    description: `Creates the links of a dry run whose state is \`checked\`. Each row is checked again. After ${WAITS} days a dry run is canceled.`,
    body: z.strictObject({ owners: OwnersByName.optional() }).optional().meta({ id: 'StartImport' }),
    answers: { 200: ['The job', JobView] },
    errors: [403, 409],
  },
  async (call) => {
    const job = await ownJob(call)
    requireChecked(job)
    const owners = call.body?.owners && (await resolveOwners(call.ctx, call.account, call.body.owners))
    return goOn(call, await startImport(call.ctx, job, owners))
  },
)

export const postUndo = endpoint(
  'POST /api/v1/jobs/{number}/undo',
  {
    ...ONE,
    id: 'undoImport',
    summary: 'Undo an import',
    description:
      'Starts a job that deletes the links that this import created, and makes those that it completed what they were before, except those that were edited since. Tags, folders and comments aren’t edits. The links can be restored as after any deletion.',
    answers: { 202: ['The job', JobView] },
    errors: [409],
  },
  async (call) => {
    const { ctx, account, address, locale } = call
    return jobAnswer(ctx, await queueUndo(ctx, { account, address, locale }, await ownJob(call)))
  },
)

export const getJobResults = endpoint(
  'GET /api/v1/jobs/{number}/results',
  {
    ...ONE,
    id: 'getJobResults',
    summary: 'Download a job’s results',
    description: 'Returns what came of each row as CSV: its line, what came of it, the back-half, the short link, and why.',
    answers: { 200: ['The results', z.string(), 'text/csv'] },
  },
  async (call) => {
    const job = await ownJob(call)
    return download(resultsOf(call.ctx, job, writer(call.locale)), {
      name: `terse-${job.kind}-${job.number}.csv`,
      type: 'text/csv; charset=utf-8',
      signal: call.request.signal,
    })
  },
)

/** A job that goes on, on which a process begins at once. */
function goOn({ ctx, locale }: { ctx: Runtime; locale: Locale }, job: Job): JobView {
  ctx.jobs.look()
  return toJobView(job, writer(locale))
}

/** The job that the path names, for its owner alone. @throws TerseError 'not_found' */
export async function ownJob(call: { ctx: Runtime; account: Account; params: Record<string, string> }): Promise<Job> {
  const job = await named(call)
  if (job.userId !== call.account.id) throw new TerseError('not_found', say('api.job.none'))
  return job
}

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

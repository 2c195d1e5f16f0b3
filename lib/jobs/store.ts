import { gzipSync } from 'node:zlib'
import { isUniqueViolation } from '@/lib/db/errors'
import type { Job, Prisma } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { TerseError } from '@/lib/errors'
import { insertUnique, type NumberSource } from '@/lib/ids/system'
import type { Account, LinkContext } from '@/lib/links/context'
import type { JobItemView, JobKindName, JobView } from './schemas'

/** What jobs stand on: MySQL, and numbers (lib/ids/jobs.ts). */
export type JobContext = Pick<LinkContext, 'db'> & { ids: { jobs: { source(): NumberSource } } }

/** What a new job is told. */
export interface NewJob {
  kind: JobKindName
  /** For a person: "Delete 12 links". */
  title: string
  /** What is to be done, as JSON; its kind's schema reads it again. */
  input: unknown
  /** Rows there are to deal with; 0 when that is not known yet. */
  total: number
}

/**
 * Puts a job at the end of the queue.
 * @throws TerseError 'unavailable'
 */
export async function createJob(ctx: JobContext, account: Pick<Account, 'id'>, job: NewJob): Promise<JobView> {
  const row: Job = {
    id: nextId(),
    number: '',
    kind: job.kind,
    title: job.title.slice(0, 200),
    userId: account.id,
    state: 'queued',
    done: 0,
    failed: 0,
    total: job.total,
    input: JSON.stringify(job.input),
    result: '',
    error: '',
    createdAt: new Date(),
    startedAt: null,
    finishedAt: null,
    leaseUntil: null,
  }
  row.number = await insertUnique(ctx.ids.jobs.source(), async (number) => {
    try {
      await ctx.db.write((client) => client.job.createMany({ data: [{ ...row, number }] }))
      return true
    } catch (error) {
      if (!isUniqueViolation(error, 'Job_number_key')) throw error
      return false
    }
  })
  return toJobView(row)
}

/** Whose jobs to look at: an account's, or everyone's. */
export type JobOwner = string | null

/** Jobs, the newest first. @throws TerseError 'bad_request', 'unavailable' */
export async function listJobs(
  ctx: Pick<JobContext, 'db'>,
  owner: JobOwner,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ jobs: JobView[]; nextCursor: string | null }> {
  const before = cursor === undefined ? {} : { id: { lt: idOf(cursor) } }
  const whose = owner === null ? {} : { userId: owner }
  const rows = await ctx.db.read((client) =>
    client.job.findMany({ where: { ...whose, ...before }, omit: { input: true }, orderBy: { id: 'desc' }, take: limit + 1 }),
  )
  const page = rows.slice(0, limit)
  return { jobs: page.map(toJobView), nextCursor: rows.length > limit ? (page.at(-1)?.id.toString() ?? null) : null }
}

/** @throws TerseError 'not_found' also for a job of someone else */
export async function findJob(ctx: Pick<JobContext, 'db'>, owner: JobOwner, number: string): Promise<Job> {
  const job = await ctx.db.read((client) => client.job.findUnique({ where: { number } }))
  if (!job || (owner !== null && job.userId !== owner)) throw new TerseError('not_found', 'There is no job with this number.')
  return job
}

/** What came of each row, in the order of work. */
export async function listJobItems(
  ctx: Pick<JobContext, 'db'>,
  job: Job,
  { limit, cursor, outcome }: { limit: number; cursor?: string | undefined; outcome?: JobItemView['outcome'] | undefined },
): Promise<{ items: JobItemView[]; nextCursor: string | null }> {
  const after = cursor === undefined ? {} : { position: { gt: Number(idOf(cursor)) } }
  const only = outcome === undefined ? {} : { outcome }
  const rows = await ctx.db.read((client) =>
    client.jobItem.findMany({ where: { jobId: job.id, ...after, ...only }, orderBy: { position: 'asc' }, take: limit + 1 }),
  )
  const page = rows.slice(0, limit)
  const items = page.map(({ position, target, outcome, message }) => ({
    position,
    target,
    outcome: outcome as JobItemView['outcome'],
    message,
  }))
  return { items, nextCursor: rows.length > limit ? String(page.at(-1)?.position) : null }
}

/** Asks a job to stop. One that runs does so within a second; what it has done stays. */
export async function cancelJob(ctx: Pick<JobContext, 'db'>, job: Job): Promise<JobView> {
  await ctx.db.write((client) => cancelJobs(client, { id: job.id }))
  return toJobView({ ...job, ...(await ctx.db.read((client) => client.job.findUniqueOrThrow({ where: { id: job.id } }))) })
}

/** Stops those of these jobs that have not ended: whoever works on one hears of it within a second. */
export function cancelJobs(
  client: Pick<Prisma.TransactionClient, 'job'>,
  which: Prisma.JobWhereInput,
): Prisma.PrismaPromise<unknown> {
  return client.job.updateMany({
    where: { ...which, state: { in: ['queued', 'running'] } },
    data: { state: 'cancelled', finishedAt: new Date(), leaseUntil: null },
  })
}

/** What a job made for downloading, as gzip, part after part. */
export async function* jobFile(ctx: Pick<JobContext, 'db'>, job: Job): AsyncGenerator<Uint8Array, void> {
  for (let part = 0; ; part++) {
    const row = await ctx.db.read((client) =>
      client.jobFile.findUnique({ where: { jobId_part: { jobId: job.id, part } }, select: { content: true } }),
    )
    if (!row) return
    yield row.content
  }
}

/** Keeps one part of a job's file. Parts follow each other from 0; one written again replaces the first. */
export async function writeJobFile(ctx: Pick<JobContext, 'db'>, jobId: bigint, part: number, text: string): Promise<void> {
  const content = new Uint8Array(gzipSync(text))
  await ctx.db.change('REPLACE INTO JobFile (jobId, part, content) VALUES (?, ?, ?)', jobId, part, Buffer.from(content))
}

export function toJobView(job: Omit<Job, 'input'>): JobView {
  return {
    number: job.number,
    kind: job.kind as JobKindName,
    title: job.title,
    state: job.state as JobView['state'],
    done: job.done,
    failed: job.failed,
    total: job.total,
    error: job.error,
    hasFile: job.result === 'file',
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
  }
}

/** @throws TerseError 'bad_request' */
function idOf(cursor: string): bigint {
  if (!/^\d{1,19}$/.test(cursor)) throw new TerseError('bad_request', 'This cursor is not one of ours.')
  return BigInt(cursor)
}

import { type Account, BANNED } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Job } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { isTerseError, TerseError } from '@/lib/errors'
import type { Locale } from '@/lib/i18n/languages'
import { type Message, say, type Writer } from '@/lib/i18n/message'
import { inEnglish, textWithin, writer, written } from '@/lib/i18n/translate'
import { insertUnique, type NumberSource } from '@/lib/ids/system'
import { behindId, byId, idOf, pageOf } from '@/lib/tools/cursor'
import { writeAll } from './parts'
import {
  cancelJobs,
  discardOldestCheck,
  dropParts,
  isAdminJob,
  NEEDED,
  pauseJob,
  resumeJob,
  tellWritten,
  UNFINISHED,
  undoingOf,
} from './queue'
import { countsOf } from './row-outcome'
import type { JobItemView, JobKindName, JobView } from './schemas'

/** What jobs stand on: MySQL, and numbers (lib/ids/jobs.ts). */
export interface JobContext {
  db: DatabaseGateway
  ids: { jobs: { source(): NumberSource } }
}

/** Who asks for a job, and from where. The address is kept until the job ends, so that its rows are asked as requests are. */
export interface JobMaker {
  account: Pick<Account, 'id'>
  /** null: not known. */
  address: string | null
  /** What the job is told in; English where it is not known. */
  locale?: Locale
}

/** Jobs that an account may have unfinished at a time. */
export const MAX_UNFINISHED = { user: 5, admin: 50 } as const

/** Characters of a title that its column holds. */
const TITLE = 200

/** There is no room for one job more, as there is no dry run left that nobody started: these give way, the oldest first. */
export class NoRoomError extends TerseError {
  constructor(said: Message) {
    super('conflict', said)
  }
}

/** What a new job is told. */
export interface NewJob {
  kind: JobKindName
  /** For a person: "Delete 12 links". */
  title: Message
  /** What is to be done, as JSON; its kind's schema reads it again. */
  input: unknown
  /** Rows there are to deal with; 0 when that is not known yet. */
  total: number
  /** The rows themselves where there may be many. */
  rows?: readonly unknown[]
  /** The id under which its rows were written already (./parts.ts). */
  id?: bigint
  /** Asked with the account locked, so that of many requests at once none passes a limit. @throws to refuse the job */
  check?: (tx: Transaction, number: string) => Promise<void>
  /** Of an import: whether it is a dry run. */
  mode?: 'check' | 'create'
}

/**
 * Puts a job at the end of the queue.
 * @throws TerseError 'forbidden' for an account that is banned or gone, or no longer the admin that the job needs, 'conflict' for
 *   one with too many unfinished jobs, 'unavailable'
 */
export async function createJob(ctx: JobContext, { account, address, locale }: JobMaker, job: NewJob): Promise<JobView> {
  const now = new Date()
  const row: Job = {
    id: job.id ?? nextId(),
    number: '',
    kind: job.kind,
    title: textWithin(job.title, TITLE),
    userId: account.id,
    state: 'queued',
    done: 0,
    failed: 0,
    total: job.total,
    input: JSON.stringify(job.input),
    result: '',
    error: '',
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    leaseUntil: null,
    client: address,
    turnAt: now,
    waitUntil: null,
    attempt: 0,
    resumeAt: '',
    mode: job.mode ?? '',
    counts: '',
    undoneBy: null,
  }
  try {
    if (job.rows) await writeAll(ctx.db, row.id, job.rows)
    return await insertUnique(ctx.ids.jobs.source(), 'Job_number_key', async (number) => {
      const numbered = { ...row, number }
      const gaveWay = await ctx.db.atomicOf(account.id, (tx) => insertJob(tx, numbered, job))
      // What is not dropped now, a sweep finds.
      for (const id of gaveWay) await dropParts(ctx.db, id).catch(() => {})
      return toJobView(numbered, locale && writer(locale))
    })
  } catch (error) {
    // An outage may end before or behind the job's insertion: then the sweep tells whether it is there.
    if (!(isTerseError(error) && error.code === 'unavailable')) await dropParts(ctx.db, row.id).catch(() => {})
    throw error
  }
}

/**
 * The account is locked, as its ban and the loss of its role lock it: a job is either there to be cancelled by these, or
 * refused. And of many requests at once none passes the limit.
 * @returns the dry runs that gave way to it
 */
async function insertJob(tx: Transaction, row: Job, { check }: NewJob): Promise<bigint[]> {
  const gaveWay: bigint[] = []
  for (;;) {
    try {
      const role = await requireRoomIn(tx, row.userId, UNFINISHED)
      if (role !== 'admin' && isAdminJob(row)) throw new TerseError('forbidden', say('api.account.noAdmin'))
      await check?.(tx, row.number)
      break
    } catch (error) {
      if (!(error instanceof NoRoomError)) throw error
      const oldest = await discardOldestCheck(tx, row.userId)
      if (oldest === null) throw error
      gaveWay.push(oldest)
    }
  }
  await tx.job.createMany({ data: [row] })
  // By the database's clock, as all turns are.
  await tx.$executeRaw`UPDATE Job SET turnAt = UTC_TIMESTAMP(3) WHERE id = ${row.id}`
  return gaveWay
}

/** Refuses one job more than an account may have: before much is read for it. @throws as `createJob` */
export async function requireRoom({ db }: Pick<JobContext, 'db'>, account: Pick<Account, 'id'>): Promise<void> {
  await db.read((client) => requireRoomIn(client, account.id, NEEDED))
}

type Client = Pick<Transaction, '$queryRawUnsafe' | 'job'>

/** @returns the role of the account. @param states which of its jobs count */
async function requireRoomIn(client: Client, userId: string, states: string[]): Promise<string> {
  const [user] = await client.$queryRawUnsafe<{ role: string }[]>(
    `SELECT role FROM User WHERE id = ? AND removal IS NULL AND NOT ${BANNED}`,
    userId,
  )
  if (!user) throw new TerseError('forbidden', say('api.account.bannedOrGone'))
  const most = MAX_UNFINISHED[user.role === 'admin' ? 'admin' : 'user']
  const unfinished = await client.job.count({ where: { userId, state: { in: states } } })
  if (unfinished < most) return user.role
  throw new NoRoomError(say('api.job.tooMany', { count: unfinished }))
}

/** Whose jobs to look at: an account's, or everyone's. */
export type JobOwner = string | null

/** Jobs, the newest first. @throws TerseError 'bad_request', 'unavailable' */
export async function listJobs(
  ctx: Pick<JobContext, 'db'>,
  owner: JobOwner,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  write?: Writer,
): Promise<{ jobs: JobView[]; nextCursor: string | null }> {
  const whose = owner === null ? {} : { userId: owner }
  const rows = await ctx.db.read((client) =>
    client.job.findMany({
      where: { ...whose, ...behindId(cursor) },
      omit: { input: true },
      orderBy: { id: 'desc' },
      take: limit + 1,
    }),
  )
  const { page, nextCursor } = pageOf(rows, limit, byId)
  const undoing = await undoingOf(ctx.db, page)
  return { jobs: page.map((job) => toJobView({ ...job, undoneBy: undoing.get(job.id) ?? null }, write)), nextCursor }
}

/** @throws TerseError 'not_found' also for a job of someone else */
export async function findJob(ctx: Pick<JobContext, 'db'>, owner: JobOwner, number: string): Promise<Job> {
  const job = await ctx.db.read((client) => client.job.findUnique({ where: { number } }))
  if (!job || (owner !== null && job.userId !== owner)) throw new TerseError('not_found', say('api.job.none'))
  return withUndoing(ctx, job)
}

/** As it is shown: an undo that stopped short is none. */
const withUndoing = async ({ db }: Pick<JobContext, 'db'>, job: Job): Promise<Job> => ({
  ...job,
  undoneBy: (await undoingOf(db, [job])).get(job.id) ?? null,
})

/** What came of each row, in the order of work. */
export async function listJobItems(
  ctx: Pick<JobContext, 'db'>,
  job: Job,
  { limit, cursor, outcome }: { limit: number; cursor?: string | undefined; outcome?: JobItemView['outcome'] | undefined },
  write: Writer = inEnglish,
): Promise<{ items: JobItemView[]; nextCursor: string | null }> {
  const after = cursor === undefined ? {} : { position: { gt: Number(idOf(cursor)) } }
  const only = outcome === undefined ? {} : { outcome }
  const rows = await ctx.db.read((client) =>
    client.jobItem.findMany({ where: { jobId: job.id, ...after, ...only }, orderBy: { position: 'asc' }, take: limit + 1 }),
  )
  const { page, nextCursor } = pageOf(rows, limit, ({ position }) => position)
  const items = page.map(({ position, target, outcome, message, line, result }) => ({
    position,
    target,
    outcome: outcome as JobItemView['outcome'],
    message: written(message, write),
    line,
    result: result as JobItemView['result'],
  }))
  return { items, nextCursor }
}

/** A job as it is now. */
export const reread = async (ctx: Pick<JobContext, 'db'>, { id }: Job): Promise<Job> =>
  withUndoing(ctx, await ctx.db.read((client) => client.job.findUniqueOrThrow({ where: { id } })))

/** Kinds that cannot be left and gone on with. */
const WHOLE: readonly string[] = ['rebuild'] satisfies JobKindName[]

/**
 * Stops a job until it is resumed; one that runs does so within a second. @throws TerseError 'conflict' for one that cannot be
 */
export async function pause(ctx: Pick<JobContext, 'db'>, job: Job): Promise<Job> {
  if (WHOLE.includes(job.kind) || !(await pauseJob(ctx.db, job.id))) throw new TerseError('conflict', say('api.job.notRunning'))
  return reread(ctx, job)
}

/** Has a job go on that was paused. @throws TerseError 'conflict' for one that is not */
export async function resume(ctx: Pick<JobContext, 'db'>, job: Job): Promise<Job> {
  if (!(await resumeJob(ctx.db, job.id))) throw new TerseError('conflict', say('api.job.notPaused'))
  return reread(ctx, job)
}

/**
 * Asks a job to stop. One that runs does so within a second; what it has done stays. One that has ended stays as it is.
 * @throws TerseError 'conflict' for one that has to come to its end
 */
export async function cancelJob(ctx: Pick<JobContext, 'db'>, job: Job, write?: Writer): Promise<JobView> {
  await ctx.db.write((client) => cancelJobs(client, { id: job.id }))
  const now = await reread(ctx, job)
  if (UNFINISHED.includes(now.state)) throw new TerseError('conflict', say('api.job.notStoppable'))
  await dropParts(ctx.db, job.id)
  if (!(await tellWritten(ctx.db, now))) return toJobView(now, write)
  return toJobView(await reread(ctx, job), write)
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

export function toJobView(job: Omit<Job, 'input'>, write: Writer = inEnglish): JobView {
  return {
    number: job.number,
    kind: job.kind as JobKindName,
    title: written(job.title, write),
    state: job.state as JobView['state'],
    done: job.done,
    failed: job.failed,
    total: job.total,
    error: written(job.error, write),
    hasFile: job.result === 'file',
    dryRun: job.mode === 'check',
    counts: countsOf(job),
    undoneBy: job.undoneBy,
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    waitsUntil: job.waitUntil?.toISOString() ?? null,
  }
}

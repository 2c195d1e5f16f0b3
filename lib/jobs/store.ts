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
import { Breath } from '@/lib/tools/breath'
import { behindId, byId, idOf, pageOf } from '@/lib/tools/cursor'
import { cancelJobs, dropParts, isAdminJob, UNFINISHED } from './queue'
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

/** Rows in one part of a job's list: a turn reads no more than it needs. */
const ROWS_PER_PART = 1_000
/**
 * Bytes of a part, and of those that one statement sends: what is made of a part stays a short stretch of work, and far below the
 * 16 MB of a packet, even where each character is escaped. A single row may be longer.
 */
const PART_BYTES = 200_000

/** Some rows of a job's list. */
export interface Part {
  /** The position of the first of them, which is the number of the part. */
  first: number
  /** The rows as a JSON array. */
  content: string
  bytes: number
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
  /** The rows themselves where there may be many (`inParts`). */
  parts?: readonly Part[]
  /** Asked with the account locked, so that of many requests at once none passes a limit. @throws to refuse the job */
  check?: (tx: Transaction) => Promise<void>
}

/**
 * Puts a job at the end of the queue.
 * @throws TerseError 'forbidden' for an account that is banned or gone, or no longer the admin that the job needs, 'conflict' for
 *   one with too many unfinished jobs, 'unavailable'
 */
export async function createJob(ctx: JobContext, { account, address, locale }: JobMaker, job: NewJob): Promise<JobView> {
  const now = new Date()
  const row: Job = {
    id: nextId(),
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
  }
  try {
    await writeParts(ctx, row.id, job.parts ?? [])
    return await insertUnique(ctx.ids.jobs.source(), 'Job_number_key', async (number) => {
      const numbered = { ...row, number }
      await ctx.db.atomic((tx) => insertJob(tx, numbered, job))
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
 */
async function insertJob(tx: Transaction, row: Job, { check }: NewJob): Promise<void> {
  const role = await requireRoomIn(tx, row.userId, true)
  if (role !== 'admin' && isAdminJob(row)) throw new TerseError('forbidden', say('api.account.noAdmin'))
  await check?.(tx)
  await tx.job.createMany({ data: [row] })
  // By the database's clock, as all turns are.
  await tx.$executeRaw`UPDATE Job SET turnAt = UTC_TIMESTAMP(3) WHERE id = ${row.id}`
}

/** Before the job is there, since they may be megabytes: its account, and the statement, are not to wait for them. */
async function writeParts({ db }: Pick<JobContext, 'db'>, id: bigint, parts: readonly Part[]): Promise<void> {
  for (let next = 0; next < parts.length; ) {
    const values: (bigint | number | string)[] = []
    let size = 0
    for (let part = parts[next]; part && (size === 0 || size + part.bytes <= PART_BYTES); part = parts[++next]) {
      values.push(id, part.first, part.content)
      size += part.bytes
    }
    const rows = Array.from({ length: values.length / 3 }, () => '(?, ?, ?)').join(', ')
    await db.change(`INSERT INTO JobPart (jobId, part, content) VALUES ${rows}`, ...values)
  }
}

/** Refuses one job more than an account may have: before much is read for it. @throws as `createJob` */
export async function requireRoom({ db }: Pick<JobContext, 'db'>, account: Pick<Account, 'id'>): Promise<void> {
  await db.read((client) => requireRoomIn(client, account.id, false))
}

type Client = Pick<Transaction, '$queryRawUnsafe' | 'job'>

/** @returns the role of the account */
async function requireRoomIn(client: Client, userId: string, lock: boolean): Promise<string> {
  const [user] = await client.$queryRawUnsafe<{ role: string }[]>(
    `SELECT role FROM User WHERE id = ? AND removal IS NULL AND NOT ${BANNED}${lock ? ' FOR UPDATE' : ''}`,
    userId,
  )
  if (!user) throw new TerseError('forbidden', say('api.account.bannedOrGone'))
  const most = MAX_UNFINISHED[user.role === 'admin' ? 'admin' : 'user']
  const unfinished = await client.job.count({ where: { userId, state: { in: UNFINISHED } } })
  if (unfinished < most) return user.role
  throw new TerseError('conflict', say('api.job.tooMany', { count: unfinished }))
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
  return { jobs: page.map((job) => toJobView(job, write)), nextCursor }
}

/** @throws TerseError 'not_found' also for a job of someone else */
export async function findJob(ctx: Pick<JobContext, 'db'>, owner: JobOwner, number: string): Promise<Job> {
  const job = await ctx.db.read((client) => client.job.findUnique({ where: { number } }))
  if (!job || (owner !== null && job.userId !== owner)) throw new TerseError('not_found', say('api.job.none'))
  return job
}

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
  const items = page.map(({ position, target, outcome, message }) => ({
    position,
    target,
    outcome: outcome as JobItemView['outcome'],
    message: written(message, write),
  }))
  return { items, nextCursor }
}

/** Asks a job to stop. One that runs does so within a second; what it has done stays. */
export async function cancelJob(ctx: Pick<JobContext, 'db'>, job: Job, write?: Writer): Promise<JobView> {
  await ctx.db.write((client) => cancelJobs(client, { id: job.id }))
  await dropParts(ctx.db, job.id)
  return toJobView({ ...job, ...(await ctx.db.read((client) => client.job.findUniqueOrThrow({ where: { id: job.id } }))) }, write)
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
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    waitsUntil: job.waitUntil?.toISOString() ?? null,
  }
}

/** Rows as a job keeps them, written in short stretches. */
export async function inParts(rows: readonly unknown[]): Promise<Part[]> {
  const breath = new Breath()
  const parts: Part[] = []
  let [some, bytes]: [string[], number] = [[], 0]
  for (const [position, row] of rows.entries()) {
    const text = JSON.stringify(row)
    // With the comma behind it; and the array has two brackets.
    const size = Buffer.byteLength(text) + 1
    if (some.length === ROWS_PER_PART || (some.length > 0 && bytes + size >= PART_BYTES)) {
      parts.push({ first: position - some.length, content: `[${some.join()}]`, bytes: bytes + 1 })
      ;[some, bytes] = [[], 0]
    }
    some.push(text)
    bytes += size
    if (breath.isDue) await breath.pause()
  }
  if (some.length > 0) parts.push({ first: rows.length - some.length, content: `[${some.join()}]`, bytes: bytes + 1 })
  return parts
}

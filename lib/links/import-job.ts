import { z } from 'zod'
import type { Transaction } from '@/lib/db/client'
import { isRowsRefused } from '@/lib/db/errors'
import { sqlTime } from '@/lib/db/time'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { eachBatch } from '@/lib/jobs/batches'
import { keepNewestRows, UNFINISHED } from '@/lib/jobs/queue'
import { type RowOutcome, refusedRow, shownTarget } from '@/lib/jobs/row-outcome'
import type { JobKind } from '@/lib/jobs/runner'
import type { RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, inParts, type JobMaker, type Part, requireRoom } from '@/lib/jobs/store'
import { Breath } from '@/lib/tools/breath'
import { toLine } from '@/lib/tools/line'
import { bytesOf, LIST_MB } from '@/lib/tools/list-size'
import { validate } from '@/lib/tools/validate'
import type { LinkContext } from './context'
import { type Created, insertMany, type Prepared, prepareMany } from './create-many'
import { type Idempotency, idempotencyOf } from './idempotency'
import { COLUMN_NAMES, fieldsOf, type Row, readSheet } from './import-rows'
import { requireMaker } from './permit'
import { CreateLink, type CreateLinkData } from './schemas'

/** How much the list counts for (`sizeOf`). An earlier release did not say. */
const ImportInput = z.object({ bytes: z.int().optional() })
type ImportInput = z.infer<typeof ImportInput>

const ImportRow = z.partialRecord(z.enum(COLUMN_NAMES), z.string())

/**
 * Queues the making of all links of a list.
 * @param text CSV, as `readSheet` takes it
 * @throws TerseError 'bad_request', 'validation_failed', 'forbidden', 'conflict' or 'unavailable'; nothing is queued then
 */
export async function queueImport(ctx: LinkContext, by: JobMaker, text: string): Promise<JobView> {
  requireMaker(ctx, { ownerId: by.account.id, origin: { address: by.address, isJob: true } })
  await requireRoom(ctx, by.account)
  const { rows, unknown } = await readSheet(text, ctx.config.IMPORT_ROWS)
  const columns = toLine(unknown.map((name) => `“${name}”`).join(', '))
  const title = say(columns === '' ? 'api.job.import' : 'api.job.importWithout', { count: rows.length, columns })
  const parts = await inParts(rows)
  const input = { bytes: sizeOf(text, parts) }
  // Before any of it is written.
  if (input.bytes > bytesOf('text/csv')) throw noRoom(ctx)
  const check = (tx: Transaction) => requireRoomFor(ctx, tx, by.account.id, { rows: rows.length, ...input })
  return createJob(ctx, by, { kind: 'import', title, input, total: rows.length, parts, check })
}

/**
 * Bytes that a list counts for. The names of its columns, with each row, make what is stored up to twice as large as a list of
 * the largest size. What makes it larger than that, such as control characters, counts in full.
 */
function sizeOf(text: string, parts: readonly Part[]): number {
  const stored = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  return Math.max(Buffer.byteLength(text), Math.ceil(stored / 2))
}

/** Lists lie in MySQL until their import ends. @throws TerseError 'conflict' where an account has too much there already */
async function requireRoomFor(
  { config }: Pick<LinkContext, 'config'>,
  tx: Transaction,
  userId: string,
  wanted: { rows: number; bytes: number },
): Promise<void> {
  const where = { userId, kind: 'import', state: { in: UNFINISHED } }
  const waiting = await tx.job.findMany({ where, select: { total: true, input: true } })
  const sizes = waiting.map(({ input }) => ImportInput.parse(JSON.parse(input)).bytes ?? 0)
  const rows = waiting.reduce((sum, { total }) => sum + total, wanted.rows)
  const bytes = sizes.reduce((sum, size) => sum + size, wanted.bytes)
  if (rows <= config.IMPORT_ROWS && bytes <= bytesOf('text/csv')) return
  throw noRoom({ config })
}

const noRoom = ({ config }: Pick<LinkContext, 'config'>) =>
  new TerseError('conflict', say('api.import.room', { most: config.IMPORT_ROWS, size: LIST_MB['text/csv'] }))

/** What came of rows is kept of as many as so many of the longest lists have. */
const KEPT_LISTS = 3

/** Rows that are made at once: what a statement takes some 20 ms for. */
const BATCH = 500

/**
 * Each row is made as a request for it alone would make it, many at a time. Begun again, at its next turn or after a crash, none
 * is made twice.
 */
export const importKind: JobKind<LinkContext, ImportInput> = {
  input: ImportInput,
  async run(runtime, job) {
    const ctx = job.within(runtime)
    // Those of this one come on top.
    if (job.done === 0) await keepNewestRows(ctx.db, job.userId, 'import', KEPT_LISTS * ctx.config.IMPORT_ROWS)
    await eachBatch(job, {
      row: ImportRow,
      size: BATCH,
      prepare: async (rows, position) =>
        (await writtenBefore(ctx, job, rows, position)) ?? (await prepareMany(ctx, job.actor, await readRows(rows))),
      finish: (prepared, rows, position) =>
        isWritten(prepared) ? Promise.resolve(prepared.written) : writeOrHalve(ctx, job, prepared, rows, position),
    })
  },
}

/** Rows that MySQL refuses are written by halves, until it is those that are at fault which fail, and no other. */
async function writeOrHalve(
  ctx: LinkContext,
  job: RunningJob<ImportInput>,
  prepared: readonly Prepared[],
  rows: readonly Row[],
  position: number,
): Promise<RowOutcome[]> {
  try {
    return await writeRows(ctx, job, prepared, rows, position)
  } catch (error) {
    if (!isRowsRefused(error)) throw error
    // Of many rows this takes long: the job stays ours meanwhile.
    await job.save()
    if (prepared.length === 1) {
      // A fault of ours, since what was wrong with the row should have been found before.
      ctx.log.error({ err: error, job: job.row.number, position }, 'a row of an import was refused by the database')
      return writeRows(ctx, job, [new TerseError('internal', say('api.internal'))], rows, position)
    }
    const half = prepared.length >> 1
    const first = await writeOrHalve(ctx, job, prepared.slice(0, half), rows, position)
    return [...first, ...(await writeOrHalve(ctx, job, prepared.slice(half), rows.slice(half), position + half))]
  }
}

/**
 * What came of rows is written with their links, under the position of the first: after a crash, or where another process had
 * the job until now, that is what came of them. A job that begins again does so where rows of an earlier turn began.
 */
async function writeRows(
  ctx: LinkContext,
  job: RunningJob<ImportInput>,
  prepared: readonly Prepared[],
  rows: readonly Row[],
  position: number,
): Promise<RowOutcome[]> {
  let outcomes: RowOutcome[] = []
  await insertMany(ctx, prepared, async (tx, created) => {
    outcomes = created.map((one, index) => outcomeOf(rows[index] ?? {}, one))
    const response = JSON.stringify(keptOf(outcomes))
    const row = { ...nameOf(ctx, job, position), linkId: 0n, response, createdAt: sqlTime(Date.now()) }
    await tx.insert('IdempotencyKey', ['key', 'requestHash', 'linkId', 'response', 'createdAt'], [row])
  })
  return outcomes
}

const nameOf = ({ config }: LinkContext, { row }: RunningJob<ImportInput>, position: number): Idempotency =>
  idempotencyOf(config.APP_SECRET, String(position), `rows of job ${row.id}`, null)

/** What an earlier turn wrote of the rows from a position on. */
interface Written {
  written: RowOutcome[]
  length: number
}

const isWritten = (prepared: Written | readonly Prepared[]): prepared is Written => 'written' in prepared

async function writtenBefore(
  ctx: LinkContext,
  job: RunningJob<ImportInput>,
  rows: readonly Row[],
  position: number,
): Promise<Written | null> {
  const { key } = nameOf(ctx, job, position)
  const [row] = await ctx.db.rows<{ response: string }>('SELECT response FROM IdempotencyKey WHERE `key` = ?', key)
  if (!row) return null
  const written = outcomesOf(JSON.parse(row.response) as Kept, rows)
  return { written, length: written.length }
}

/**
 * What came of rows, without what their list tells, and what is the same of several once: these lie there for a day, and rows
 * that fail count against no limit.
 */
interface Kept {
  of: KeptRow[]
  /** For each row its place in `of`. */
  rows: number[]
}
type KeptRow = Omit<RowOutcome, 'target'> & Partial<Pick<RowOutcome, 'target'>>

function keptOf(outcomes: readonly RowOutcome[]): Kept {
  const places = new Map<string, number>()
  const rows = outcomes.map(({ target, ...rest }) => {
    const text = JSON.stringify(rest.outcome === 'failed' ? rest : { target, ...rest })
    const place = places.get(text) ?? places.size
    places.set(text, place)
    return place
  })
  return { of: [...places.keys()].map((text) => JSON.parse(text) as KeptRow), rows }
}

/** @param kept of an earlier release: a list of all rows */
function outcomesOf(kept: Kept | KeptRow[], rows: readonly Row[]): RowOutcome[] {
  const all = Array.isArray(kept) ? kept : kept.rows.flatMap((place) => kept.of[place] ?? [])
  return all.map((outcome, index) => ({ target: shownTarget(aboutOf(rows[index])), ...outcome }))
}

/** What a row is about where there is no link. */
const aboutOf = (row: Row = {}) => row.code ?? row.url ?? ''

/** Rows as links that are asked for, read in short stretches; an error for one that is none. */
async function readRows(rows: readonly Row[]): Promise<(CreateLinkData | TerseError)[]> {
  const breath = new Breath()
  const read: (CreateLinkData | TerseError)[] = []
  for (const row of rows) {
    read.push(readRow(row))
    if (breath.isDue) await breath.pause()
  }
  return read
}

function readRow(row: Row): CreateLinkData | TerseError {
  try {
    return validate(CreateLink, fieldsOf(row))
  } catch (error) {
    if (isTerseError(error)) return error
    throw error
  }
}

function outcomeOf(row: Row, created: Created): RowOutcome {
  if (isTerseError(created)) return refusedRow(aboutOf(row), created.said)
  return { target: created.link.fullShortUrl, outcome: 'done' }
}

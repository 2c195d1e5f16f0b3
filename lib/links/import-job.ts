import { BANNED } from '@/lib/actor'
import { isRowsRefused } from '@/lib/db/errors'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { eachBatch } from '@/lib/jobs/batches'
import { dropItems, insertItems, keepNewestRows } from '@/lib/jobs/queue'
import type { RowOutcome } from '@/lib/jobs/row-outcome'
import type { JobKind } from '@/lib/jobs/runner'
import { itemOf, type RunningJob } from '@/lib/jobs/running-job'
import { Breath } from '@/lib/tools/breath'
import { validate } from '@/lib/tools/validate'
import { importerOf } from './came-over'
import type { LinkContext } from './context'
import { insertMany, type Prepared, type Preparing, prepareMany } from './create-many'
import { writtenByEarlierRelease } from './import-earlier'
import type { Memory } from './import-memory'
import { lineOf, outcomeOf, wouldBe } from './import-outcome'
import { ImportInput } from './import-queue'
import { ImportLink, type ImportLinkData } from './import-schema'
import { ImportRow } from './import-source'
import { fieldsOf } from './properties'
import { rehearsal } from './rehearsal'
import { cameMeanwhile, noteFound, screenRows, tellDuplicates } from './screen-rows'
import { suggestCodes } from './suggest-codes'

/** What came of rows is kept of so many rows for an account, or of so many times the longest list where that is less. */
const KEPT = { rows: 1_000_000, lists: 3 }

/** Rows that are created at once: what a statement takes some 20 ms for. */
const BATCH = 500

/** Where a job goes on whose dry run is forgotten. */
const CREATING = 'creating'

type ImportJob = RunningJob<ImportInput>

/**
 * Each row is created as a request for it alone would create it, many at a time. Begun again, at its next turn or after a
 * crash, none is created twice. A dry run does the same up to where something would be written.
 */
export const importKind: JobKind<LinkContext, ImportInput> = {
  input: ImportInput,
  async run(runtime, job) {
    const ctx = job.within(runtime)
    const isCheck = job.row.mode === 'check'
    await begin(ctx, job, isCheck)
    const memory = await ctx.imports.of(ctx.db, job)
    const drafting = isCheck ? rehearsal(ctx, memory.labels) : ctx
    const last = isCheck ? -1 : await lastWritten(ctx, job)
    await eachBatch<ImportInput, ImportRow, Written | readonly Prepared[]>(job, {
      row: ImportRow,
      size: BATCH,
      areWritten: !isCheck,
      prepare: async (rows, position) => {
        const written = position <= last || !job.row.mode ? await writtenBefore(ctx, job, rows, position) : null
        return written ?? prepareRows(drafting, job, memory, rows, position)
      },
      finish: async (prepared, rows, position) => {
        if (isWritten(prepared)) return prepared.written
        if (isCheck) return prepared.map((one, index) => outcomeOf(ctx, rows[index], position + index, wouldBe(one)))
        return writeOrHalve(ctx, job, prepared, rows, position)
      },
    })
    ctx.imports.forget(job)
    return isCheck ? 'checked' : undefined
  },
}

async function begin(ctx: LinkContext, job: ImportJob, isCheck: boolean): Promise<void> {
  // Those of this one come on top.
  const most = Math.min(KEPT.rows, KEPT.lists * ctx.config.IMPORT_ROWS)
  if (job.done === 0) await keepNewestRows(ctx.db, job.userId, 'import', most)
  if (isCheck || job.resumeAt === CREATING || job.done > 0) return
  // What the dry run said of each row makes room for what comes of it.
  await dropItems(ctx.db, job.row.id)
  job.resumeAt = CREATING
  await job.save()
}

/** Drafts links and finds their codes. @returns for the first rows, as many as the account may create now */
async function prepareRows(
  ctx: LinkContext,
  job: ImportJob,
  memory: Memory,
  rows: readonly ImportRow[],
  position: number,
): Promise<readonly Prepared[]> {
  const lines = rows.map((row, index) => lineOf(row, position + index))
  const importer = await importerOf(ctx.db, job)
  const screen = (asked: Parameters<typeof screenRows>[3]) =>
    screenRows(ctx, importer, memory.codes, asked, lines, job.input.reuse ? position : null)
  const ownerOf = await ownersNow(ctx, job)
  const prepared = await prepareMany(ctx, job.actor, await readRows(rows), { screen, ownerOf, importer, isTakenOver: true })
  const told = tellDuplicates(ctx, withErrors(prepared, await cameMeanwhile(ctx, prepared)), lines)
  noteFound(memory.codes, told, lines)
  return suggestCodes(ctx, memory.codes, rows, told)
}

/** Whose each link will be, as long as the accounts are there, and the importer is an admin who may give links to others. */
async function ownersNow(ctx: LinkContext, job: ImportJob): Promise<Preparing['ownerOf']> {
  const owners = new Map(Object.entries(job.input.owners ?? {}))
  const others = [...new Set(owners.values())].filter((id) => id !== job.userId)
  if (others.length === 0) return undefined
  const sql = `SELECT id, role FROM User WHERE id IN (?) AND removal IS NULL AND NOT ${BANNED}`
  const there = new Map(
    (await ctx.db.rows<{ id: string; role: string }>(sql, [job.userId, ...others])).map((row) => [row.id, row.role]),
  )
  return ({ owner: name }) => {
    const owner = name && (job.input.called?.[name] ?? name)
    const id = owner === undefined ? undefined : owners.get(owner)
    if (id === undefined || id === job.userId) return undefined
    if (there.get(job.userId) !== 'admin') return new TerseError('forbidden', say('api.import.ownerAdmin'))
    return there.has(id) ? id : new TerseError('validation_failed', say('api.import.owner', { account: owner ?? '' }))
  }
}

/** Rows that MySQL refuses are written by halves, until it is those that are at fault which fail, and no other. */
async function writeOrHalve(
  ctx: LinkContext,
  job: ImportJob,
  prepared: readonly Prepared[],
  rows: readonly ImportRow[],
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
 * What came of rows is written with their links: after a crash, or where another had the job until now, that is what came of
 * them.
 */
async function writeRows(
  ctx: LinkContext,
  job: ImportJob,
  prepared: readonly Prepared[],
  rows: readonly ImportRow[],
  position: number,
): Promise<RowOutcome[]> {
  let outcomes: RowOutcome[] = []
  await insertMany(ctx, prepared, async (tx, created) => {
    const asked = withErrors(created, await cameMeanwhile(ctx, prepared))
    outcomes = asked.map((one, index) => outcomeOf(ctx, rows[index], position + index, one))
    const items = outcomes.map((outcome, index) => itemOf(outcome, position + index))
    await insertItems(tx, job.row, items)
  })
  return outcomes
}

const withErrors = <T>(rows: readonly T[], errors: ReadonlyMap<number, TerseError>): (T | TerseError)[] =>
  rows.map((row, index) => errors.get(index) ?? row)

/** What an earlier turn wrote of the rows from a position on. */
interface Written {
  written: RowOutcome[]
  length: number
}

const isWritten = (prepared: Written | readonly Prepared[]): prepared is Written => 'written' in prepared

/** The last row of which a turn before wrote what came of it; -1: none. */
async function lastWritten({ db }: LinkContext, { row }: ImportJob): Promise<number> {
  const sql = 'SELECT position FROM JobItem WHERE jobId = ? ORDER BY position DESC LIMIT 1'
  return (await db.rows<{ position: number }>(sql, row.id))[0]?.position ?? -1
}

/** Of the rows from a position on those that follow each other and were written before, as far as they are counted. */
async function writtenBefore(
  ctx: LinkContext,
  job: ImportJob,
  rows: readonly ImportRow[],
  position: number,
): Promise<Written | null> {
  const items = await ctx.db.rows<Pick<ReturnType<typeof itemOf>, 'position' | 'target' | 'outcome' | 'result'>>(
    'SELECT position, target, outcome, result FROM JobItem WHERE jobId = ? AND position >= ? AND position < ? ORDER BY position',
    job.row.id,
    position,
    position + rows.length,
  )
  const written = items
    .filter((item, index) => item.position === position + index)
    .map(({ target, outcome, result }) => ({ target, outcome, ...(result !== '' && { result }) }) as RowOutcome)
  if (written.length > 0) return { written, length: written.length }
  return job.row.mode ? null : writtenByEarlierRelease(ctx, job, rows, position)
}

/** Rows as links that are asked for, read in short stretches; an error for one that is none. */
async function readRows(rows: readonly ImportRow[]): Promise<(ImportLinkData | TerseError)[]> {
  const breath = new Breath()
  const read: (ImportLinkData | TerseError)[] = []
  for (const row of rows) {
    read.push(readRow(row))
    if (breath.isDue) await breath.pause()
  }
  return read
}

function readRow({ line: _line, note: _note, fault, ...row }: ImportRow): ImportLinkData | TerseError {
  if (fault) return new TerseError('validation_failed', fault)
  try {
    return validate(ImportLink, fieldsOf(row))
  } catch (error) {
    if (isTerseError(error)) return error
    throw error
  }
}

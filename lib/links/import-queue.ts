import { z } from 'zod'
import type { Transaction } from '@/lib/db/client'
import type { Job } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { TerseError } from '@/lib/errors'
import { type Message, say } from '@/lib/i18n/message'
import { textWithin } from '@/lib/i18n/translate'
import { PartWriter } from '@/lib/jobs/parts'
import { dropParts, NEEDED, startChecked, UNFINISHED } from '@/lib/jobs/queue'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobMaker, NoRoomError, requireRoom, reread } from '@/lib/jobs/store'
import { toLine } from '@/lib/tools/line'
import { bytesOf, LIST_MB } from '@/lib/tools/list-size'
import { BusyError } from '@/lib/tools/turns'
import type { LinkContext } from './context'
import { type ImportFile, type ImportRow, readImport, type Told } from './import-source'
import { type NamedOwner, NamedOwners } from './named-owners'
import { requireMaker } from './permit'
import type { Row } from './properties'

/** What an import is told besides its rows. */
export const ImportInput = z.object({
  /** How much the list counts for. An earlier release did not say. */
  bytes: z.int().optional(),
  /** Columns that mean nothing here, in words. */
  columns: z.string().optional(),
  /** Whose the links are: the IDs of accounts, by the names that the old system had. Others are who imports them. */
  owners: z.record(z.string(), z.string()).optional(),
  /** What owners are called, by how rows have them, where these differ. */
  called: z.record(z.string(), z.string()).optional(),
  /** Some of the text that was taken for Windows-1252, if the file was. */
  windows: z.string().optional(),
  /** The names of owners, as many as are shown, and how many links each has. */
  named: z.array(z.object({ name: z.string(), links: z.int() })).optional(),
  /** A row without a code is for a link that its account may have already. */
  reuse: z.boolean().optional(),
  /** Where the rows come from that are still to be asked for (lib/movers/move-job.ts). */
  live: z.object({ from: z.string(), address: z.string(), domain: z.string().optional() }).optional(),
})
export type ImportInput = z.infer<typeof ImportInput>

export interface ImportOptions {
  /** Says what would come of each row, and creates nothing until it is started. */
  dryRun?: boolean
  /** Rows without codes create no link where the account has one to the same destination. */
  reuse?: boolean
  /** Of `resolveOwners` (lib/accounts/import-owners.ts). */
  owners?: Readonly<Record<string, string>>
  /** What is said with the title of a dry run. */
  remark?: (title: Message) => Message
}

/** A file of another system, and what reads it. */
export interface ForeignFile {
  bytes: AsyncIterable<Uint8Array>
  read: (bytes: AsyncIterable<Uint8Array>, told: Told) => AsyncIterable<ImportRow[]>
}

/** Bytes that a file may have, and what is kept of all unfinished imports of an account. */
const MOST_BYTES = bytesOf('text/csv')
/** What rows count for that are at hand all at once, in MB: memory holds them. */
const MOST_AT_HAND = 16

/**
 * Queues the creation of all links of a file. Its rows are written down as they come: memory holds no more than one part of them.
 * @param file a text is CSV
 * @throws TerseError 'bad_request', 'validation_failed', 'forbidden', 'conflict' or 'unavailable'; nothing is queued then, and
 *   nothing is left
 */
export async function queueImport(
  ctx: LinkContext,
  by: JobMaker,
  file: ImportFile | ForeignFile | string,
  { dryRun = false, reuse = false, owners = {}, remark = (title) => title }: ImportOptions = {},
): Promise<JobView> {
  await requireImporter(ctx, by)
  try {
    return await ctx.uploads.run(by.account.id, () => queueFile(ctx, by, file, { dryRun, reuse, owners, remark }))
  } catch (error) {
    if (error instanceof BusyError) throw new TerseError('conflict', say('api.import.uploading'))
    throw error
  }
}

/** Files that one account may send at the same time: none of them is a job yet, and each may take the room of all. */
export const UPLOADS = { atOnceEach: 2, mayWaitEach: 0 }

async function queueFile(
  ctx: LinkContext,
  by: JobMaker,
  file: ImportFile | ForeignFile | string,
  { dryRun, reuse, owners, remark }: Required<ImportOptions>,
): Promise<JobView> {
  const id = nextId()
  const told: Told = { unknown: new Set<string>(), called: new Map<string, string>() }
  const measured = { bytes: 0 }
  const named = new NamedOwners()
  const source = typeof file === 'string' ? { format: 'csv' as const, bytes: bytesOfText(file) } : file
  try {
    const writer = new PartWriter(ctx.db, id)
    const read =
      'read' in source
        ? source.read(source.bytes, told)
        : readImport({ ...source, bytes: counting(source.bytes, measured) }, told)
    for await (const rows of read) {
      for (const row of rows) {
        await writer.add(row)
        named.add(row)
        if (writer.rows > ctx.config.IMPORT_ROWS) {
          throw new TerseError('validation_failed', say('api.import.tooMany', { most: ctx.config.IMPORT_ROWS }))
        }
      }
      if (countedBytes(writer.bytes) > MOST_BYTES) throw noRoom(ctx)
    }
    await writer.end()
    if (writer.rows === 0) throw new TerseError('validation_failed', say('api.import.noRows'))
    const columns = toLine([...told.unknown].map((name) => `“${name}”`).join(', '))
    const bytes = Math.max(measured.bytes, countedBytes(writer.bytes))
    const owned = { owners, ...named.told(told.called, owners) }
    const said = { id, rows: writer.rows, bytes, columns, windows: told.windows, dryRun, reuse, remark, ...owned }
    return await queueWritten(ctx, by, said)
  } catch (error) {
    await dropParts(ctx.db, id).catch(() => {})
    throw error
  }
}

async function* bytesOfText(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text)
}

async function* counting(bytes: AsyncIterable<Uint8Array>, measured: { bytes: number }): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes) {
    measured.bytes += chunk.length
    yield chunk
  }
}

/**
 * Bytes that a list counts for. The names of its columns, with each row, make what is stored up to twice as large as a list of
 * the largest size. What makes it larger than that, such as control characters, counts in full.
 */
const countedBytes = (stored: number) => Math.ceil(stored / 2)

interface Written {
  id: bigint
  rows: number
  bytes: number
  columns: string
  windows: string | undefined
  dryRun: boolean
  reuse: boolean
  remark: (title: Message) => Message
  owners: Readonly<Record<string, string>>
  named: NonNullable<ImportInput['named']>
  called: NonNullable<ImportInput['called']>
}

function queueWritten(
  ctx: LinkContext,
  by: JobMaker,
  { id, rows, bytes, columns, windows, dryRun, reuse, remark, ...owned }: Written,
): Promise<JobView> {
  const { owners, named, called } = owned
  const input: ImportInput = {
    bytes,
    columns,
    ...(windows !== undefined && { windows }),
    ...(reuse && { reuse }),
    ...(named.length > 0 && { owners: { ...owners }, named, ...(Object.keys(called).length > 0 && { called }) }),
  }
  return createJob(ctx, by, {
    kind: 'import',
    title: dryRun ? remark(titleOf(true, rows, input)) : titleOf(false, rows, input),
    input,
    total: rows,
    id,
    mode: dryRun ? 'check' : 'create',
    check: (tx) => requireRoomFor(ctx, tx, by.account.id, { rows, bytes }),
  })
}

/** What it does, without which columns, and what was guessed of the file: told before it is started. */
function titleOf(dryRun: boolean, count: number, { columns = '', windows }: Pick<ImportInput, 'columns' | 'windows'>): Message {
  const title = dryRun
    ? say(columns === '' ? 'api.job.check' : 'api.job.checkWithout', { count, columns })
    : say(columns === '' ? 'api.job.import' : 'api.job.importWithout', { count, columns })
  return windows === undefined ? title : say('api.job.readAsWindows', { title, sample: windows })
}

/**
 * Starts what a dry run checked: from the same rows, which are asked again as they are created.
 * @param owners of `resolveOwners`, in place of those that the dry run was told
 * @throws TerseError 'conflict' for what is no dry run that is over, 'unavailable'
 */
export async function startImport(ctx: LinkContext, job: Job, owners?: Readonly<Record<string, string>>): Promise<Job> {
  const input = ImportInput.parse(JSON.parse(job.input))
  if (owners && job.kind === 'import' && job.state === 'checked') {
    const told = JSON.stringify({ ...input, owners })
    await ctx.db.change("UPDATE Job SET input = ? WHERE id = ? AND state = 'checked'", told, job.id)
  }
  const title = textWithin(titleOf(false, job.total, input), 200)
  if (job.kind !== 'import' || !(await startChecked(ctx.db, job.id, title))) throw notChecked()
  return reread(ctx, job)
}

/** @throws TerseError 'conflict' for what is no dry run that waits */
export function requireChecked({ kind, state }: Job): void {
  if (kind !== 'import' || state !== 'checked') throw notChecked()
}

const notChecked = () => new TerseError('conflict', say('api.job.notChecked'))

/** Whose links the rows of an import are, by the names of the old system; null for any other job, and where they do not say. */
export function namedOwners(job: Pick<Job, 'kind' | 'input'>): readonly NamedOwner[] | null {
  return (job.kind === 'import' && ImportInput.parse(JSON.parse(job.input)).named) || null
}

/** Refuses who may not import now, before anything is done for it. @throws TerseError as `queueImport` */
export async function requireImporter(ctx: LinkContext, by: JobMaker): Promise<void> {
  requireMaker(ctx, { ownerId: by.account.id, origin: { address: by.address, isJob: true } })
  await requireRoom(ctx, by.account)
}

/**
 * Refuses rows that there is no room for now, before anything is done for them.
 * @param wanted how many rows, and bytes that each has at most, as JSON
 * @throws TerseError 'conflict', 'unavailable'
 */
export async function requireImportRoom(ctx: LinkContext, by: JobMaker, wanted: { rows: number; each: number }): Promise<void> {
  const { rows, each } = wanted
  // With the comma behind each; and no more brackets than rows.
  const bytes = countedBytes(rows * (each + 2))
  requireAtHand(ctx, bytes)
  await ctx.db.read((client) => requireRoomFor(ctx, client, by.account.id, { rows, bytes }, NEEDED))
}

interface Queued {
  rows: readonly Row[]
  /** What the job is called. */
  title: Message
  /** Done in the transaction that queues the job, or not at all. */
  beside?: (tx: Transaction, number: string) => Promise<void>
}

/** Queues the creation of a link for each row that is at hand. @throws TerseError as `queueImport`, and what `beside` throws */
export async function queueRows(ctx: LinkContext, by: JobMaker, { rows, title, beside }: Queued): Promise<JobView> {
  const bytes = countedBytes(rows.reduce((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)) + 2, 0))
  requireAtHand(ctx, bytes)
  const input: ImportInput = { bytes }
  const check = async (tx: Transaction, number: string) => {
    await requireRoomFor(ctx, tx, by.account.id, { rows: rows.length, bytes })
    await beside?.(tx, number)
  }
  return createJob(ctx, by, { kind: 'import', title, input, total: rows.length, rows, mode: 'create', check })
}

/** Of rows that came from elsewhere. @throws TerseError 'validation_failed' where there are more than an import may have */
export function requireSourceRoom(ctx: Pick<LinkContext, 'config'>, { found, bytes }: { found: number; bytes: number }): void {
  if (found > ctx.config.IMPORT_ROWS)
    throw new TerseError('validation_failed', say('api.import.tooMany', { most: ctx.config.IMPORT_ROWS }))
  if (countedBytes(bytes) > MOST_BYTES) throw noRoom(ctx)
}

/** Lists lie in MySQL until their import ends. @throws TerseError 'conflict' where an account has too much there already */
async function requireRoomFor(
  { config }: Pick<LinkContext, 'config'>,
  tx: Pick<Transaction, 'job'>,
  userId: string,
  wanted: { rows: number; bytes: number },
  states = UNFINISHED,
): Promise<void> {
  const where = { userId, kind: 'import', state: { in: states } }
  const waiting = await tx.job.findMany({ where, select: { total: true, input: true } })
  const sizes = waiting.map(({ input }) => ImportInput.parse(JSON.parse(input)).bytes ?? 0)
  const rows = waiting.reduce((sum, { total }) => sum + total, wanted.rows)
  const bytes = sizes.reduce((sum, size) => sum + size, wanted.bytes)
  if (rows <= config.IMPORT_ROWS && bytes <= MOST_BYTES) return
  throw noRoom({ config })
}

const noRoom = ({ config }: Pick<LinkContext, 'config'>, size: number = LIST_MB['text/csv']) =>
  new NoRoomError(say('api.import.room', { most: config.IMPORT_ROWS, size }))

function requireAtHand(ctx: LinkContext, bytes: number): void {
  if (bytes > MOST_AT_HAND * 1024 * 1024) throw noRoom(ctx, MOST_AT_HAND)
}

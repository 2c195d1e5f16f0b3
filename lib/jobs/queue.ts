import { gzipSync } from 'node:zlib'
import type { Transaction } from '@/lib/db/client'
import { retryTransaction } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Job, JobItem } from '@/lib/db/generated/client'
import { deleteInPieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import { hasCome, NOW } from '@/lib/db/time'
import type { JobKindName } from './schemas'

/**
 * Who works on which job, decided by the database alone and told by its clock: those of our processes may disagree. A turn
 * has a number, `attempt`. All that a process writes for a job names it, and changes nothing once another has a turn.
 */

/** How long a process may be silent before another takes its job over, in ms. */
export const LEASE = 10_000
/** How long a job may wait for what its account may have done in a minute, in seconds. */
const LONGEST_WAIT = 60
/**
 * An admin's turn counts as this much older, in seconds: not behind what other accounts are having done, nor for ever before it.
 */
const ADMIN_LEAD = 30

/** Parts that one statement deletes. */
const PARTS_PIECE = 20

const LEASED = `${NOW} + INTERVAL ${LEASE / 1_000} SECOND`
/** States of jobs that have turns. */
const RUNNABLE = ['queued', 'running']
/** States of jobs that go on once they are told to: those that were paused, and dry runs that can be started. */
const WAITING = ['paused', 'checked']
/** States of jobs that have not ended. */
export const UNFINISHED = [...RUNNABLE, ...WAITING]
/** Those of them that a new job does not take the place of: a dry run that was not started can be done again. */
export const NEEDED = UNFINISHED.filter((state) => state !== 'checked')
const isIn = (states: readonly string[]) => `state IN (${states.map((state) => `'${state}'`)})`
const IS_RUNNABLE = isIn(RUNNABLE)
const IS_UNFINISHED = isIn(UNFINISHED)
/** What becomes of a job that ends, in whichever way. */
const OVER = `finishedAt = ${NOW}, leaseUntil = NULL, waitUntil = NULL, client = NULL`
const FREE = `${IS_RUNNABLE} AND ${hasCome('leaseUntil', LEASE / 1_000)} AND ${hasCome('waitUntil', LONGEST_WAIT)}`
/** When a turn was; a time to come, for the same reason, is taken for one long ago. */
const TURN_AT = `IF(turnAt > ${NOW}, NULL, turnAt)`
const OURS = "id = ? AND attempt = ? AND state = 'running'"
/** Cancelled or paused while the turn was ours, and nobody has had a turn since. */
const STOPPED = "id = ? AND attempt = ? AND state IN ('cancelled', 'paused')"
/**
 * Kinds that leave something between two states until they end: once begun, they can be neither cancelled nor paused, and go on
 * whatever becomes of who asked for them.
 */
const LASTING = ['case'] satisfies JobKindName[]
const CAN_STOP = `NOT (kind IN (${LASTING.map((kind) => `'${kind}'`)}) AND attempt > 0)`

/**
 * An import looks for links that are there already, then creates the others: two of one account at the same time would each miss
 * what the other creates. So they run one after another.
 */
const BESIDE = `kind = 'import' AND state = 'running' AND leaseUntil > ${NOW}`

/** A turn: what names it in all that is written. */
export type Turn = Pick<Job, 'id' | 'attempt'>

/** Runs a statement on the job. @returns how many rows it changed; 0 when the turn is no longer ours */
const changeOurs = (db: DatabaseGateway, { id, attempt }: Turn, sql: string, ...values: unknown[]): Promise<number> =>
  db.change(`${sql} WHERE ${OURS}`, ...values, id, attempt)

/**
 * The job whose turn it is becomes ours. Turns go round the accounts: the one whose last turn is the longest ago has the
 * next, and so have its jobs among themselves.
 * @returns null when there is none that nobody works on
 * @throws TerseError 'unavailable'
 */
export async function takeJob(db: DatabaseGateway, kinds: readonly JobKindName[]): Promise<Job | null> {
  if (kinds.length === 0) return null
  for (;;) {
    const [next] = await db.rows<Next>(
      `SELECT j.id, j.attempt, j.userId, j.kind
         FROM (SELECT id, attempt, userId, kind, ${TURN_AT} AS turnAt FROM Job
                WHERE ${FREE} AND kind IN (?) AND NOT (kind = 'import' AND userId IN (SELECT userId FROM Job WHERE ${BESIDE}))) AS j
         JOIN (SELECT userId, MAX(${TURN_AT}) AS turnAt FROM Job WHERE ${IS_RUNNABLE} GROUP BY userId) AS a ON a.userId = j.userId
         LEFT JOIN User AS u ON u.id = j.userId
        ORDER BY a.turnAt - INTERVAL IF(u.role = 'admin', ${ADMIN_LEAD}, 0) SECOND, j.turnAt, j.id LIMIT 1`,
      kinds,
    )
    if (!next) return null
    const taken = await db.transaction((tx) => take(tx, next))
    // Another process was quicker: there may be more to do.
    if (taken === 1) return db.read((client) => client.job.findUnique({ where: { id: next.id, attempt: next.attempt + 1 } }))
  }
}

type Next = Turn & Pick<Job, 'userId' | 'kind'>

/** @returns 1 if it is ours now, else 0 */
async function take(tx: SqlTransaction, { id, attempt, userId, kind }: Next): Promise<number> {
  if (kind === 'import') {
    // Who takes another one of this account at the same time waits here, and then sees this one.
    await tx.rows('SELECT id FROM User WHERE id = ? FOR UPDATE', [userId])
    if ((await tx.rows(`SELECT 1 FROM Job WHERE userId = ? AND ${BESIDE} LIMIT 1`, [userId])).length > 0) return 0
  }
  const { rows } = await tx.run(
    `UPDATE Job SET state = 'running', attempt = attempt + 1, startedAt = COALESCE(startedAt, ${NOW}), turnAt = ${NOW},
            leaseUntil = ${LEASED}, waitUntil = NULL
      WHERE id = ? AND attempt = ? AND ${FREE}`,
    [id, attempt],
  )
  return rows
}

/** Whether another job waits for a turn. @throws TerseError 'unavailable' */
export async function isOtherWaiting(db: DatabaseGateway, kinds: readonly JobKindName[]): Promise<boolean> {
  return (await db.rows(`SELECT 1 FROM Job WHERE ${FREE} AND kind IN (?) LIMIT 1`, kinds)).length > 0
}

/** A transaction of Prisma's, or of plain SQL. */
export interface Asked {
  $queryRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<unknown>
}

/**
 * Holds a turn until the transaction ends: who would take the job over, cancel it or end it waits for that.
 * @returns false when it is no longer ours
 */
export async function holdTurn(tx: Asked, { id, attempt }: Turn): Promise<boolean> {
  // MariaDB knows no FOR SHARE.
  const held = await tx.$queryRawUnsafe(`SELECT 1 FROM Job WHERE ${OURS} LOCK IN SHARE MODE`, id, attempt)
  return (held as unknown[]).length > 0
}

const ITEM_COLUMNS = [
  'jobId',
  'position',
  'target',
  'outcome',
  'message',
  'line',
  'result',
  'linkId',
  'version',
  'wanted',
] as const
export type NewItem = Omit<JobItem, 'jobId'>

/** Writes down what came of rows, beside what their kind wrote of them. */
export const insertItems = (tx: SqlTransaction, { id: jobId }: Turn, items: readonly NewItem[], tail = ''): Promise<void> =>
  tx.insert(
    'JobItem',
    ITEM_COLUMNS,
    items.map((item) => ({ jobId, ...item })),
    tail,
  )

/** How far a job is, and what came of some rows. */
export interface Progress {
  done: number
  failed: number
  resumeAt: string
  counts: string
  items: NewItem[]
}

/**
 * Writes down how far a job is, and renews its lease; of one that was cancelled or paused in this turn, how far it
 * was by then.
 * @returns false when the turn is no longer ours; nothing is written once another has it
 * @throws TerseError 'unavailable'
 */
export function saveProgress(
  db: DatabaseGateway,
  turn: Turn,
  { done, failed, resumeAt, counts, items }: Progress,
): Promise<boolean> {
  const progress = 'UPDATE Job SET done = ?, failed = ?, resumeAt = ?, counts = ?'
  const values = [done, failed, resumeAt, counts, turn.id, turn.attempt]
  const write = async (tx: SqlTransaction) => {
    const isOurs = (await tx.run(`${progress}, leaseUntil = ${LEASED} WHERE ${OURS}`, values)).rows > 0
    if (!isOurs && (await tx.run(`${progress} WHERE ${STOPPED}`, values)).rows === 0) return false
    // Some may be there already, of rows that were dealt with once more.
    await insertItems(tx, turn, items, 'ON DUPLICATE KEY UPDATE jobId = JobItem.jobId')
    return isOurs
  }
  return retryTransaction(() => db.transaction(write))
}

/**
 * Gives a job back for anyone to go on with.
 * @param pause before it may go on, in seconds; a minute at most
 */
export async function giveBack(db: DatabaseGateway, turn: Turn, pause: number): Promise<void> {
  const until = pause > 0 ? `${NOW} + INTERVAL ${Math.min(LONGEST_WAIT, Math.ceil(pause))} SECOND` : 'NULL'
  await changeOurs(db, turn, `UPDATE Job SET leaseUntil = NULL, turnAt = ${NOW}, waitUntil = ${until}`)
}

/** The last word on a job. Writes nothing when the turn is no longer ours. */
export async function endJob(
  db: DatabaseGateway,
  turn: Turn,
  { state, error, hasFile }: { state: 'done' | 'failed'; error: string; hasFile: boolean },
): Promise<void> {
  const values = [state, error.slice(0, 500), hasFile ? 'file' : '']
  await changeOurs(db, turn, `UPDATE Job SET state = ?, error = ?, result = ?, ${OVER}`, ...values)
}

/**
 * Tells of an ended job what it had written and not counted: its process may have been killed in between.
 * @returns whether there was something
 */
export async function tellWritten(db: Pick<DatabaseGateway, 'rows' | 'scan' | 'change'>, job: Job): Promise<boolean> {
  const [last] = await db.rows<{ position: number }>(
    'SELECT position FROM JobItem WHERE jobId = ? ORDER BY position DESC LIMIT 1',
    job.id,
  )
  if (!last || last.position < job.done) return false
  const rows = await db.scan<{ outcome: string; result: string; count: bigint }>(
    'outcome, result, COUNT(*) AS count FROM JobItem WHERE jobId = ? GROUP BY outcome, result',
    job.id,
  )
  const counts: Record<string, number> = {}
  let failed = 0
  for (const { outcome, result, count } of rows) {
    if (result !== '') counts[result] = (counts[result] ?? 0) + Number(count)
    if (outcome === 'failed') failed += Number(count)
  }
  // Unless its process lives, and tells it itself.
  const sql = 'UPDATE Job SET done = ?, failed = ?, counts = ? WHERE id = ? AND done = ?'
  return (await db.change(sql, last.position + 1, failed, JSON.stringify(counts), job.id, job.done)) > 0
}

/** A dry run is over. It keeps what it was given, and can be started. Writes nothing when the turn is no longer ours. */
export async function endCheck(db: DatabaseGateway, turn: Turn): Promise<void> {
  await changeOurs(db, turn, "UPDATE Job SET state = 'checked', leaseUntil = NULL, waitUntil = NULL")
}

/** Whether a job was cancelled: nobody goes on with it. */
export async function isCancelled(db: DatabaseGateway, { id }: Turn): Promise<boolean> {
  return (await db.rows("SELECT 1 FROM Job WHERE id = ? AND state = 'cancelled'", id)).length > 0
}

/**
 * Stops a job until it is resumed. The process that works on it learns of that within a second. @returns false: it does not run
 */
export const pauseJob = async (db: DatabaseGateway, id: bigint): Promise<boolean> =>
  (await retryTransaction(() =>
    db.change(
      `UPDATE Job SET state = 'paused', leaseUntil = NULL, waitUntil = NULL WHERE id = ? AND ${IS_RUNNABLE} AND ${CAN_STOP}`,
      id,
    ),
  )) > 0

/** @returns false: it is not paused */
export const resumeJob = async (db: DatabaseGateway, id: bigint): Promise<boolean> =>
  (await db.change(`UPDATE Job SET state = 'queued', turnAt = ${NOW} WHERE id = ? AND state = 'paused'`, id)) > 0

/** Has what was checked done, from the first row. @returns false: it is no dry run that is over */
export const startChecked = async (db: DatabaseGateway, id: bigint, title: string): Promise<boolean> =>
  (await db.change(
    `UPDATE Job SET state = 'queued', mode = 'create', title = ?, done = 0, failed = 0, counts = '', resumeAt = '', turnAt = ${NOW}
      WHERE id = ? AND state = 'checked'`,
    title,
    id,
  )) > 0

/** How long a job that was paused, or a dry run, waits for its owner, in days. */
export const WAITS = 7

/** Cancels jobs that waited for so long. */
export const cancelForgotten = (db: Pick<DatabaseGateway, 'change'>): Promise<number> =>
  db.change(`UPDATE Job SET state = 'cancelled', ${OVER} WHERE ${isIn(WAITING)} AND turnAt < ${NOW} - INTERVAL ${WAITS} DAY`)

/** Cancels the dry run of an account that waits for the longest to be started. @returns its id; null: there is none */
export async function discardOldestCheck(
  tx: Pick<Transaction, '$executeRawUnsafe' | '$queryRawUnsafe'>,
  userId: string,
): Promise<bigint | null> {
  // As it is now, not as this transaction first saw it: it may have been started since.
  const [oldest] = await tx.$queryRawUnsafe<{ id: bigint }[]>(
    "SELECT id FROM Job WHERE userId = ? AND state = 'checked' ORDER BY id LIMIT 1 FOR UPDATE",
    userId,
  )
  if (!oldest) return null
  await tx.$executeRawUnsafe(`UPDATE Job SET state = 'cancelled', ${OVER} WHERE id = ?`, oldest.id)
  return oldest.id
}

/** Deletes the rows of a job, and where it gets them, once it has ended: nobody needs them any more, and they are megabytes. */
export async function dropParts(db: Pick<DatabaseGateway, 'change'>, id: bigint): Promise<void> {
  await deleteInPieces(db, 'JobPart WHERE jobId = ? ORDER BY part', id, PARTS_PIECE)
  await db.change('DELETE FROM JobSource WHERE jobId = ?', id)
}

/** Parts of files are megabytes. */
const FILE_PIECE = 20

/** Deletes what a job made for downloading. */
export const dropFile = (db: Pick<DatabaseGateway, 'change'>, id: bigint): Promise<number> =>
  deleteInPieces(db, 'JobFile WHERE jobId = ? ORDER BY part', id, FILE_PIECE)

/** Deletes the files of an account's jobs of a kind that have ended, but for those of the newest that were done. */
export async function keepNewestFiles(db: DatabaseGateway, userId: string, kind: JobKindName, kept: number): Promise<void> {
  const old = await db.rows<{ id: bigint }>(
    `SELECT j.id FROM Job AS j
      WHERE j.userId = ? AND j.kind = ? AND j.finishedAt IS NOT NULL AND EXISTS (SELECT 1 FROM JobFile AS f WHERE f.jobId = j.id)
      ORDER BY j.state = 'done' DESC, j.id DESC LIMIT 1000 OFFSET ${kept}`,
    userId,
    kind,
  )
  for (const { id } of old) {
    // First of all it is no longer offered.
    await db.change("UPDATE Job SET result = '' WHERE id = ?", id)
    await dropFile(db, id)
  }
}

/** Jobs whose rows are kept, however few they are. */
const NEWEST = 1_000

/**
 * Deletes what came of the rows of an account's jobs of a kind that have ended, but for the newest, whose rows are `most`
 * together. What is refused costs its sender nothing, and would fill the disk. An undo that has not ended reads what it is to
 * delete there: those stay.
 */
export async function keepNewestRows(db: DatabaseGateway, userId: string, kind: JobKindName, most: number): Promise<void> {
  const ended = 'Job AS j WHERE j.userId = ? AND j.kind = ? AND j.finishedAt IS NOT NULL'
  const newest = await db.rows<{ id: bigint; done: number }>(
    `SELECT j.id, j.done FROM ${ended} ORDER BY j.id DESC LIMIT ${NEWEST + 1}`,
    userId,
    kind,
  )
  let rows = 0
  const first = newest.find(({ done }, index) => {
    rows += done
    return rows > most || index === NEWEST
  })
  if (!first) return
  const old = await db.rows<{ id: bigint }>(
    `SELECT j.id FROM ${ended} AND j.id <= ? AND EXISTS (SELECT 1 FROM JobItem AS i WHERE i.jobId = j.id)
        AND NOT EXISTS (SELECT 1 FROM Job AS u WHERE u.number = j.undoneBy AND u.kind = 'undo' AND u.${IS_UNFINISHED})
      ORDER BY j.id DESC LIMIT 1000`,
    userId,
    kind,
    first.id,
  )
  for (const { id } of old) await dropItems(db, id)
}

/** Deletes what came of a job's rows. */
export const dropItems = (db: Pick<DatabaseGateway, 'change'>, id: bigint): Promise<number> =>
  deleteInPieces(db, 'JobItem WHERE jobId = ? ORDER BY position', id)

/**
 * Stops a job, or all of an account, unless it has ended or cannot be stopped any more. The process that works on it learns of
 * that within a second.
 * @returns how many were stopped
 */
export function cancelJobs(
  client: Pick<Transaction, '$executeRawUnsafe'>,
  which: { id: bigint } | { userId: string },
): Promise<number> {
  const [column, value] = 'id' in which ? ['id', which.id] : ['userId', which.userId]
  return client.$executeRawUnsafe(
    `UPDATE Job SET state = 'cancelled', ${OVER} WHERE ${column} = ? AND ${IS_UNFINISHED} AND ${CAN_STOP}`,
    value,
  )
}

/** An undo that stopped short, in whichever way: what it was to undo can be undone again. */
const UNDO_STOPPED = "u.kind = 'undo' AND u.state IN ('cancelled', 'failed')"

/** What undoes each import, as far as that job goes on or came to its end: by the import's id. */
export async function undoingOf(
  db: Pick<DatabaseGateway, 'rows'>,
  jobs: readonly Pick<Job, 'id' | 'undoneBy'>[],
): Promise<Map<bigint, string>> {
  const undone = jobs.flatMap(({ id, undoneBy }) => (undoneBy === null ? [] : [[id, undoneBy] as const]))
  if (undone.length === 0) return new Map()
  const sql = `SELECT u.number FROM Job AS u WHERE u.number IN (?) AND ${UNDO_STOPPED}`
  const stopped = await db.rows<{ number: string }>(
    sql,
    undone.map(([, number]) => number),
  )
  const isStopped = new Set(stopped.map(({ number }) => number))
  return new Map(undone.filter(([, number]) => !isStopped.has(number)))
}

/** Notes which job undoes an import. @returns false: another does, or did */
export async function noteUndo(tx: Pick<Transaction, '$executeRawUnsafe'>, id: bigint, number: string): Promise<boolean> {
  const changed = await tx.$executeRawUnsafe(
    `UPDATE Job AS i LEFT JOIN Job AS u ON u.number = i.undoneBy SET i.undoneBy = ?
      WHERE i.id = ? AND (i.undoneBy IS NULL OR (${UNDO_STOPPED}))`,
    number,
    id,
  )
  return changed > 0
}

/** Kinds of job that admins alone may ask for. */
const OF_ADMINS: readonly string[] = ['blocklist', 'rebuild', 'case'] satisfies JobKindName[]

/** Whether a job needs an account that is an admin: by its kind, or since its input names the admin in whose name it acts. */
export function isAdminJob({ kind, input }: Pick<Job, 'kind' | 'input'>): boolean {
  if (OF_ADMINS.includes(kind)) return true
  const { admin } = JSON.parse(input) as { admin?: unknown }
  return admin !== undefined && admin !== null
}

/** Stops those jobs of an account that only an admin may have. The account is locked, so no other is added meanwhile. */
export async function cancelAdminJobs(tx: Transaction, userId: string): Promise<void> {
  const where = { userId, state: { in: UNFINISHED } }
  const jobs = await tx.job.findMany({ where, select: { id: true, kind: true, input: true } })
  for (const { id } of jobs.filter(isAdminJob)) await cancelJobs(tx, { id })
}

/** Tells how many rows there are once that is known. */
export async function setTotal(db: DatabaseGateway, turn: Turn, total: number): Promise<void> {
  await changeOurs(db, turn, 'UPDATE Job SET total = ?', total)
}

/** Drops the parts of a job's file from `part` on. Drops nothing when the turn is no longer ours. */
export async function cutFileParts(db: DatabaseGateway, turn: Turn, part: number): Promise<void> {
  await db.change(
    `DELETE f FROM JobFile AS f JOIN (SELECT id FROM Job WHERE ${OURS} LOCK IN SHARE MODE) AS j ON j.id = f.jobId WHERE f.part >= ?`,
    turn.id,
    turn.attempt,
    part,
  )
}

/**
 * Keeps one part of a job's file. Parts follow each other from 0; one written again replaces the first.
 * @returns false, and writes nothing, when the turn is no longer ours
 */
export async function writeFilePart(db: DatabaseGateway, turn: Turn, part: number, text: string): Promise<boolean> {
  const replace = 'REPLACE INTO JobFile (jobId, part, content) SELECT id, ?, ? FROM Job'
  return (await changeOurs(db, turn, replace, part, gzipSync(text))) > 0
}

import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Transaction } from '@/lib/db/client'
import type { Job, Link } from '@/lib/db/generated/client'
import { insertMany } from '@/lib/db/insert-many'
import { marks } from '@/lib/db/literal'
import { databaseTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { noteEvents } from '@/lib/events/outbox'
import { say } from '@/lib/i18n/message'
import { noteUndo } from '@/lib/jobs/queue'
import type { RowOutcome } from '@/lib/jobs/row-outcome'
import type { JobKind } from '@/lib/jobs/runner'
import { itemOf, type RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobMaker } from '@/lib/jobs/store'
import { hasEnded } from '@/lib/jobs/values'
import { OUTBOX_DELAY, outboxRow } from '@/lib/redirect/outbox'
import { toTombstone } from '@/lib/redirect/record'
import { announceAll } from './announce'
import type { LinkContext } from './context'
import { isHeard, linkEvents, tellLate } from './events'
import { noteDeletions } from './history'
import { ImportInput } from './import-queue'
import { removeLinks } from './remove'
import { toSnapshot } from './snapshot'
import { revertCompleted } from './undo-completed'
import { type CreatedItem, keptAs } from './undone'

/** Which import, by its id. */
const UndoInput = z.object({ of: z.string() })
type UndoInput = z.infer<typeof UndoInput>

/** Links that are deleted at once. */
const BATCH = 100

/**
 * Queues the deletion of what an import created and nobody edited since; what it completed is again as it was before.
 * @throws TerseError 'conflict' for what is no import that has ended, was undone, or is not known any more; 'forbidden',
 *   'unavailable'
 */
export async function queueUndo(ctx: LinkContext, by: JobMaker, job: Job): Promise<JobView> {
  if (job.kind !== 'import' || job.mode === 'check' || !hasEnded(job) || job.undoneBy !== null) {
    throw new TerseError('conflict', say('api.job.notUndoable'))
  }
  // Not what the import counted: a process that was killed had written rows that it had not counted yet.
  const count = await createdBy(ctx, job.id)
  if (count === 0) throw new TerseError('conflict', say('api.job.rowsGone'))
  return createJob(ctx, by, {
    kind: 'undo',
    title: say('api.job.undo', { count }),
    input: { of: job.id.toString() } satisfies UndoInput,
    total: count,
    // Locked with the account: of two at once the second is refused.
    check: async (tx, number) => {
      if (!(await noteUndo(tx, job.id, number))) throw new TerseError('conflict', say('api.job.notUndoable'))
    },
  })
}

/** How many links an import says that it created or completed. */
async function createdBy({ db }: Pick<LinkContext, 'db'>, id: bigint): Promise<number> {
  const sql = "COUNT(*) AS count FROM JobItem WHERE jobId = ? AND outcome = 'done'"
  const [row] = await db.scan<{ count: bigint }>(sql, id)
  return Number(row?.count ?? 0)
}

/**
 * Deletes link after link in the order of their rows. What came of each is written with its deletion, so that begun again, at its
 * next turn or after a crash, none is told twice, or not at all.
 */
export const undoKind: JobKind<LinkContext, UndoInput> = {
  input: UndoInput,
  async run(runtime, job) {
    const ctx = job.within(runtime)
    let after = await lastDealtWith(ctx, job)
    for (;;) {
      const items = await ctx.db.rows<CreatedItem>(
        `SELECT position, target, linkId, version, result FROM JobItem
          WHERE jobId = ? AND outcome = 'done' AND position > ? ORDER BY position LIMIT ${BATCH}`,
        BigInt(job.input.of),
        after,
      )
      // As many as are dealt with alike.
      const isOfOther = items.findIndex(({ result }) => isCompleted(result) !== isCompleted(items[0]?.result))
      const some = isOfOther === -1 ? items : items.slice(0, isOfOther)
      const last = some.at(-1)
      if (!last) return requireAllDealtWith(job)
      const undo = isCompleted(last.result) ? revertCompleted : deleteCreated
      await job.tell(await undo(ctx, job, some, await ownersOf(ctx, job)), true)
      after = last.position
      await job.turn()
    }
  },
}

/** What was to be undone may have been removed meanwhile: an undo that did not come to all of it has not done what it says. */
function requireAllDealtWith({ done, row: { total } }: RunningJob<UndoInput>): void {
  if (done < total) throw new TerseError('conflict', say('api.job.rowsGone'))
}

const isCompleted = (result: string | undefined) => result === 'completed'

/** Rows of the import that were dealt with, of which an earlier turn may not have come to say so. */
async function lastDealtWith({ db }: LinkContext, job: RunningJob<UndoInput>): Promise<number> {
  const items = await db.rows<{ position: number; line: number; outcome: RowOutcome['outcome']; result: string }>(
    'SELECT position, line, outcome, result FROM JobItem WHERE jobId = ? AND position >= ? ORDER BY position',
    job.row.id,
    Math.max(0, job.done - 1),
  )
  const known = items.filter(({ position }) => position >= job.done)
  await job.tell(
    known.map(({ outcome, result }) => ({ target: '', outcome, result: result as NonNullable<RowOutcome['result']> })),
    true,
  )
  if (items.length === 0) return -1
  const [row] = await db.rows<{ position: number }>(
    `SELECT position FROM JobItem WHERE jobId = ? AND outcome = 'done' ORDER BY position LIMIT 1 OFFSET ${job.done - 1}`,
    BigInt(job.input.of),
  )
  return row?.position ?? -1
}

/** Whose links are deleted: those that the import gave to other accounts only by one who is an admin now. */
async function ownersOf({ db }: LinkContext, job: RunningJob<UndoInput>): Promise<ReadonlySet<string | null>> {
  const [row] = await db.rows<{ input: string }>('SELECT input FROM Job WHERE id = ?', BigInt(job.input.of))
  const { owners = {} } = row ? ImportInput.parse(JSON.parse(row.input)) : {}
  const others = Object.values(owners).filter((id) => id !== job.userId)
  if (others.length === 0) return new Set([job.userId])
  const admin = await db.rows("SELECT 1 FROM User WHERE id = ? AND role = 'admin'", job.userId)
  return new Set(admin.length > 0 ? [job.userId, ...others] : [job.userId])
}

interface Deleted {
  link: Link
  row: Parameters<typeof toTombstone>[0]
  outboxId: bigint
}

async function deleteCreated(
  ctx: LinkContext,
  job: RunningJob<UndoInput>,
  items: readonly CreatedItem[],
  owners: ReadonlySet<string | null>,
): Promise<RowOutcome[]> {
  const told = new Set<string | null>()
  for (const ownerId of owners) if (await isHeard(ctx, 'link.deleted', ownerId)) told.add(ownerId)
  const fulls = items.map(({ target }) => target)
  const numbers = new Map(await Promise.all(fulls.map(async (full) => [full, await ctx.registry.lastChange(full)] as const)))
  let outcomes: RowOutcome[] = []
  let deleted: Deleted[] = []
  await ctx.db.atomic(async (tx) => {
    await ctx.requireTurn?.(tx)
    const links = await lockedLinks(tx, items)
    outcomes = items.map(
      (item) => keptAs(item, links.get(item.linkId ?? 0n), owners) ?? { target: item.target, outcome: 'done', result: 'deleted' },
    )
    const going = items.flatMap(({ linkId }, index) =>
      outcomes[index]?.result === 'deleted' ? (links.get(linkId ?? 0n) ?? []) : [],
    )
    deleted = await deleteAll(ctx, tx, job, going, told)
    const rows = outcomes.map((outcome, index) => ({ jobId: job.row.id, ...itemOf(outcome, job.done + index) }))
    await insertMany(tx, 'JobItem', rows)
  })
  const changes = deleted.map(({ link: { fullShortUrl: full }, row, outboxId }) => {
    return { full, record: toTombstone(row), number: numbers.get(full) ?? null, outboxId }
  })
  const untold = deleted.filter(({ link }) => !told.has(link.ownerId))
  const untoldOwners = new Set(untold.map(({ link }) => link.ownerId))
  await tellLate(ctx, 'link.deleted', untoldOwners, (listening) =>
    untold
      .filter(({ link }) => listening.has(link.ownerId))
      .flatMap(({ link, row: { deletedAt } }) => linkEvents(ctx, 'link.deleted', [{ ...link, deletedAt }])),
  )
  if (!(await announceAll(ctx, changes))) await delay(OUTBOX_DELAY)
  return outcomes
}

/** The links that are there, held until the transaction ends: the snapshot holds the last click and the last edit. */
async function lockedLinks(tx: Transaction, items: readonly CreatedItem[]): Promise<Map<bigint, Link>> {
  const ids = items.flatMap(({ linkId }) => linkId ?? [])
  await tx.$queryRawUnsafe(`SELECT id FROM Link WHERE id IN (${marks(ids)}) FOR UPDATE`, ...ids)
  const links = await tx.link.findMany({ where: { id: { in: ids } } })
  return new Map(links.map((link) => [link.id, link]))
}

/** As `deleteFound` deletes one. */
async function deleteAll(
  ctx: LinkContext,
  tx: Transaction,
  job: RunningJob<UndoInput>,
  links: readonly Link[],
  told: ReadonlySet<string | null>,
): Promise<Deleted[]> {
  if (links.length === 0) return []
  const deletedAt = await databaseTime(tx)
  const deleted = links.map((link) => {
    const { id, domainId, code, fullShortUrl, ownerId, manageTokenHash } = link
    const version = link.version + 1n
    const how = { deletedAt, deletedByJob: job.row.id, undoneBy: job.userId }
    const row = { id, domainId, code, fullShortUrl, ownerId, manageTokenHash, version, ...how }
    return { link, row, outbox: outboxRow(fullShortUrl) }
  })
  const fulls = links.map(({ fullShortUrl }) => fullShortUrl)
  // What an earlier link with this code left behind can no longer be restored; the sweeper deletes its clicks.
  const earlier = await tx.deletedLink.findMany({ where: { fullShortUrl: { in: fulls } }, select: { id: true } })
  if (earlier.length > 0) {
    await tx.clickPurge.createMany({ data: earlier.map((row) => ({ linkId: row.id })), skipDuplicates: true })
    await tx.deletedLink.deleteMany({ where: { fullShortUrl: { in: fulls } } })
  }
  await insertMany(
    tx,
    'DeletedLink',
    deleted.map(({ link, row }) => ({ ...row, snapshot: toSnapshot(link) })),
  )
  await removeLinks(
    tx,
    links.map(({ id }) => id),
  )
  const edits = deleted.map(({ link: before, row: { version } }) => {
    return { before, after: { ...before, state: 'deleted', version, updatedAt: deletedAt } }
  })
  await noteDeletions(tx, job.actor, edits)
  const heard = links.filter(({ ownerId }) => told.has(ownerId))
  if (heard.length > 0) {
    await noteEvents(
      tx,
      linkEvents(
        ctx,
        'link.deleted',
        heard.map((link) => ({ ...link, deletedAt })),
      ),
    )
  }
  await insertMany(
    tx,
    'Outbox',
    deleted.map(({ outbox }) => outbox),
  )
  return deleted.map(({ link, row, outbox }) => ({ link, row, outboxId: outbox.id }))
}

import { retryTransaction } from '@/lib/db/errors'
import type { Link } from '@/lib/db/generated/client'
import type { SqlTransaction } from '@/lib/db/sql'
import { isTerseError } from '@/lib/errors'
import { insertItems } from '@/lib/jobs/queue'
import type { RowOutcome } from '@/lib/jobs/row-outcome'
import { itemOf, type RunningJob } from '@/lib/jobs/running-job'
import { announceEdited, insertOutbox } from './announce'
import { type Importer, importerOf, lockedLinks, type Rows } from './came-over'
import { type Earlier, makerFor } from './complete'
import { fileAsBefore } from './complete-filing'
import type { LinkContext } from './context'
import { type Asked, asItWas, heardOf, numbersOf, timeOf, writeEdits } from './edit-many'
import type { Edit } from './history'
import { permitChange } from './permit'
import { fromSnapshot } from './snapshot'
import { type CreatedItem, keptAs } from './undone'

/** A completed link, and what to undo of it. */
interface Undoing {
  items: readonly CreatedItem[]
  owners: ReadonlySet<string | null>
  importer: Importer
  /** The import. */
  of: bigint
}

/**
 * Has links that an import completed be what they were before, unless they were edited since; another import can complete them
 * then. What came of each is written with it.
 */
export async function revertCompleted(
  ctx: LinkContext,
  job: RunningJob<{ of: string }>,
  items: readonly CreatedItem[],
  owners: ReadonlySet<string | null>,
): Promise<RowOutcome[]> {
  const ids = items.flatMap(({ linkId }) => linkId ?? [])
  const of = BigInt(job.input.of)
  const undoing = { items, owners, importer: await importerOf(ctx.db, job), of }
  const were = await earlierOf((sql, values) => ctx.db.rows(sql, ...values), ids, of)
  const heard = await heardOf(ctx, [...were.values()].map(({ link }) => fromSnapshot(link).ownerId).concat(...owners))
  const fulls = items.map(({ target }) => target)
  const asked = { heard, numbers: await numbersOf(ctx, fulls) }
  const { outcomes, edited } = await retryTransaction(() =>
    ctx.db.transaction(async (tx) => {
      await job.requireTurn(tx)
      const done = await revertIn(ctx, tx, undoing, asked)
      const rows = done.outcomes.map((outcome, index) => itemOf(outcome, job.done + index))
      await insertItems(tx, job.row, rows)
      await insertOutbox(
        tx,
        done.edited.map(({ outbox }) => outbox),
      )
      return done
    }),
  )
  await announceEdited(ctx, edited)
  return outcomes
}

async function revertIn(ctx: LinkContext, tx: SqlTransaction, { items, owners, importer, of }: Undoing, asked: Asked) {
  const ids = items.flatMap(({ linkId }) => linkId ?? [])
  const rows: Rows = (sql, values) => tx.rows(sql, values)
  const links = await lockedLinks(rows, ids)
  const earlier = await earlierOf(rows, ids, of)
  const accounts = await accountsOf(rows, [...earlier.values()])
  const at = await timeOf(tx)
  const edits: Edit[] = []
  const outcomes = items.map((item): RowOutcome => {
    const { target, linkId } = item
    const was = earlier.get(linkId ?? 0n)
    const link = was && links.get(linkId ?? 0n)
    const kept = keptAs(item, link, owners)
    if (kept) return kept
    if (!link || !was) throw new Error('a link that is not there')
    const before = fromSnapshot(was.link)
    // If that account is gone, the link stays where it is now.
    const ownerId = before.ownerId === null || accounts.has(before.ownerId) ? before.ownerId : link.ownerId
    const edit = editOf(ctx, importer, link, { ...before, ownerId }, at)
    if (isTerseError(edit)) return { target, outcome: 'failed', message: edit.said }
    edits.push(edit)
    return { target, outcome: 'done', result: 'reverted' }
  })
  const edited = await writeEdits(ctx, tx, edits, asked)
  const reverted = edits.flatMap(({ after: { id } }) => {
    const was = earlier.get(id)
    return was ? [{ id, earlier: was }] : []
  })
  await fileAsBefore(tx, reverted)
  if (reverted.length > 0) {
    await tx.run(
      `UPDATE UpstreamLink AS u JOIN Link AS l ON l.id = u.linkId SET u.jobId = NULL, u.earlier = NULL, u.version = l.version
        WHERE u.linkId IN (?)`,
      [reverted.map(({ id }) => id)],
    )
  }
  return { outcomes, edited }
}

function editOf(ctx: LinkContext, importer: Importer, before: Link, was: Link, at: Date) {
  const by = makerFor(importer, before)
  try {
    const after = { ...asItWas(before, was), version: before.version + 1n, updatedAt: at }
    return { by, before, after: permitChange(ctx, by, before, after) }
  } catch (error) {
    if (isTerseError(error) && error.code !== 'unavailable') return error
    throw error
  }
}

async function earlierOf(rows: Rows, ids: readonly bigint[], of: bigint): Promise<Map<bigint, Earlier>> {
  if (ids.length === 0) return new Map()
  const sql = 'SELECT linkId, earlier FROM UpstreamLink WHERE linkId IN (?) AND jobId = ?'
  const found = await rows<{ linkId: bigint; earlier: string | null }>(sql, [ids, of])
  return new Map(
    found.flatMap(({ linkId, earlier }) => (earlier === null ? [] : [[linkId, JSON.parse(earlier) as Earlier] as const])),
  )
}

/** Those of the accounts that links had which are there. */
async function accountsOf(rows: Rows, earlier: readonly Earlier[]): Promise<Set<string>> {
  const ids = [...new Set(earlier.flatMap(({ link }) => fromSnapshot(link).ownerId ?? []))]
  if (ids.length === 0) return new Set()
  const found = await rows<{ id: string }>('SELECT id FROM User WHERE id IN (?) AND removal IS NULL', [ids])
  return new Set(found.map(({ id }) => id))
}

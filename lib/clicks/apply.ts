import { setTimeout as delay } from 'node:timers/promises'
import { isRetryable, isUniqueViolation } from '@/lib/db/errors'
import { marks } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { Listeners } from '@/lib/events/listeners'
import { DAY_HOURS } from '@/lib/tools/time'
import { accountedOf, addAccountClicks } from './account-clicks'
import type { ClickFacts } from './click'
import { ClickIds } from './click-id'
import { ownersOf } from './owners'
import { addRollups } from './rollups'
import { Share } from './share'
import { FactsLost, SharedFacts } from './shared-facts'
import { type ClickDay, insertSingleClicks, noteClickDays } from './single-clicks'
import type { Batch } from './stream'
import { compare, type RollupRow, type StoredClick, tallyAll, tallyHours, withDays } from './tally'
import { noteToldClicks } from './told-clicks'
import { ValueLimit } from './value-limit'
import { registerVisitors } from './visitors'

/** What became of some batches. */
export interface Applied {
  /** Clicks counted now. */
  applied: number
  /** Batches that were counted before. */
  repeated: number
  /** Clicks of links that are gone for good. */
  orphaned: number
}

/** A batch whose clicks were enriched. */
export interface StoredBatch {
  id: string
  clicks: StoredClick[]
}

/** What a process remembers of what it counted. */
export interface CountingMemory {
  valueLimit: ValueLimit
  sharedFacts: SharedFacts
  clickIds: ClickIds
  share: Share
  listeners: Listeners
}

export const newCountingMemory = (): CountingMemory => ({
  valueLimit: new ValueLimit(),
  sharedFacts: new SharedFacts(),
  clickIds: new ClickIds(),
  share: new Share(),
  listeners: new Listeners(),
})

const ATTEMPTS = 10
/** Longest pause after the first conflict, in ms; it grows with each. */
const PAUSE = 10
/** Rows of one statement; more would pass MySQL's limits on packets and placeholders. */
const ROWS = 500

export function toStored({ id, clicks }: Batch, enrich: (click: Batch['clicks'][number]) => ClickFacts): StoredBatch {
  return {
    id,
    clicks: clicks.map((click) => ({
      linkId: BigInt(click.linkId),
      at: click.at,
      visitor: click.visitor,
      facts: enrich(click),
    })),
  }
}

/**
 * Counts batches in MySQL, each once however often it comes: raw clicks, rollups and the links' own counts, in one
 * transaction with the ids of the batches.
 * @param memory the same for all that a process counts
 * @throws what MySQL throws; then nothing was counted, unless it is 'unavailable', when it may have been
 */
export async function applyBatches(
  db: SqlGateway,
  batches: readonly StoredBatch[],
  memory: CountingMemory = newCountingMemory(),
): Promise<Applied> {
  for (let attempt = 1; ; attempt++) {
    try {
      const referencesOf = await memory.sharedFacts.store(
        db,
        batches.flatMap(({ clicks }) => clicks),
      )
      const { remember, ...applied } = await db.transaction((tx) => applyIn(tx, batches, memory, referencesOf))
      remember()
      return applied
    } catch (error) {
      // A duplicate: another process counted one of these batches, or this visitor, just now. The next look sees it.
      const mayPass = isRetryable(error) || isUniqueViolation(error) || error instanceof FactsLost
      if (attempt >= ATTEMPTS || !mayPass) throw error
      memory.clickIds.moveOn()
      memory.share.moveOn()
      // Apart from the other, or they meet again.
      await delay(Math.random() * attempt * PAUSE)
    }
  }
}

async function applyIn(
  tx: SqlTransaction,
  batches: readonly StoredBatch[],
  { valueLimit, sharedFacts, clickIds, share, listeners }: CountingMemory,
  referencesOf: (facts: ClickFacts) => string,
): Promise<Applied & { remember: () => void }> {
  const fresh = await registerBatches(tx, batches)
  const all = fresh.flatMap(({ clicks }) => clicks)
  const owners = await ownersOf(
    (sql, values) => tx.rows(sql, values),
    all.map(({ linkId }) => linkId),
  )
  const clicks = inOrder(all.filter(({ linkId }) => owners.has(linkId)))
  // Sent while MySQL is at the ones before.
  const [newVisitors] = await Promise.all([
    registerVisitors(tx, clicks),
    insertSingleClicks(tx, clicks, { sharedFacts, referencesOf }, ({ at }) => clickIds.next(at)),
  ])
  const hours = tallyHours(clicks, (click) => newVisitors.has(click))
  const totals = withDays(hours.map(({ total }) => total))
  await noteClickDays(tx, daysOf(totals))
  await noteToldClicks(tx, clicks, owners, listeners)
  // First of the rollups: one transaction at a time decides about the values of an hour.
  const accounted = accountedOf(totals, owners)
  await addRollups(tx, [...totals, ...accounted])
  const { rows, remember } = await valueLimit.apply(tx, hours)
  await addRollups(tx, withDays(rows))
  await addToLinks(tx, clicks)
  // Last of all, since others wait for these rows.
  await addAccountClicks(tx, accounted, owners, share.name)
  await addRollups(tx, tallyAll(totals, share.name))
  return { applied: clicks.length, repeated: batches.length - fresh.length, orphaned: all.length - clicks.length, remember }
}

/** Those that were not counted before, each once, marked as counted. */
async function registerBatches(tx: SqlTransaction, batches: readonly StoredBatch[]): Promise<StoredBatch[]> {
  const byId = new Map(batches.map((batch) => [batch.id, batch]))
  for (const ids of pieces([...byId.keys()], ROWS)) {
    const known = await tx.rows<{ id: string }>(
      `SELECT LOWER(HEX(id)) AS id FROM ClickBatch WHERE id IN (${ids.map(() => 'UNHEX(?)').join(',')})`,
      ids,
    )
    for (const { id } of known) byId.delete(id)
  }
  const ids = [...byId.keys()].sort().map((id) => ({ id: Buffer.from(id, 'hex') }))
  for (const rows of pieces(ids, ROWS)) await tx.insert('ClickBatch', ['id'], rows)
  return [...byId.values()]
}

/** As the key of SingleClick has them: rows that stand together are written together. */
const inOrder = (clicks: StoredClick[]) => clicks.sort((a, b) => compare(a.linkId, b.linkId) || a.at - b.at)

const daysOf = (totals: readonly RollupRow[]): ClickDay[] =>
  totals.filter(({ span }) => span === DAY_HOURS).map(({ linkId, hour }) => ({ day: hour / DAY_HOURS, linkId }))

/** Late, since a link's row is what others wait for. */
async function addToLinks(tx: SqlTransaction, clicks: StoredClick[]): Promise<void> {
  const counts = new Map<bigint, number>()
  for (const { linkId } of clicks) counts.set(linkId, (counts.get(linkId) ?? 0) + 1)
  const sorted = [...counts].sort(([a], [b]) => compare(a, b))
  for (const some of pieces(sorted, ROWS)) {
    await tx.run(
      `UPDATE Link JOIN (${tableOf(['id', 'n'], some)}) AS counted ON counted.id = Link.id SET Link.clicks = Link.clicks + counted.n`,
      some.flat(),
    )
  }
}

/** A table in place, to join with: a row of placeholders for each of `rows`. */
function tableOf(columns: readonly string[], rows: readonly unknown[]): string {
  const first = columns.map((column) => `? AS ${column}`).join(', ')
  const other = marks(columns)
  return rows.map((_, i) => `SELECT ${i === 0 ? first : other}`).join(' UNION ALL ')
}

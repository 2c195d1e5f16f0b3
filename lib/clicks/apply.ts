import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isRetryable, isUniqueViolation } from '@/lib/db/errors'
import { createIdSource, NODES } from '@/lib/db/id'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import type { ClickFacts } from './click'
import { CLICK_COLUMN } from './dimensions'
import type { Batch } from './stream'
import { COUNTS, compare, dayOf, type RollupRow, type StoredClick, tallyAll, tallyHours, withDays } from './tally'
import { ValueLimit } from './value-limit'

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

const ATTEMPTS = 10
/** Longest pause after the first conflict, in ms; it grows with each. */
const PAUSE = 10
/** Rows of one statement; more would pass MySQL's limits on packets and placeholders. */
const ROWS = 500

export function toStored({ id, clicks }: Batch, enrich: (click: Batch['clicks'][number]) => ClickFacts): StoredBatch {
  return {
    id,
    clicks: clicks.map((click) => ({
      ...enrich(click),
      linkId: BigInt(click.linkId),
      at: click.at,
      visitor: click.visitor,
    })),
  }
}

/**
 * Counts batches in MySQL, each once however often it comes: raw clicks, rollups and the links' own counts, in one
 * transaction with the ids of the batches.
 * @param valueLimit and `nextId`: the same for all that a process counts, since they remember
 * @throws what MySQL throws; then nothing was counted, unless it is 'unavailable', when it may have been
 */
export async function applyBatches(
  db: SqlGateway,
  batches: readonly StoredBatch[],
  valueLimit = new ValueLimit(),
  nextId = createIdSource(),
): Promise<Applied> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { remember, ...applied } = await db.transaction((tx) => applyIn(tx, batches, valueLimit, nextId))
      remember()
      return applied
    } catch (error) {
      // A duplicate: another process counted one of these batches, or this visitor, just now. The next look sees it.
      if (attempt >= ATTEMPTS || !(isRetryable(error) || isUniqueViolation(error))) throw error
      // Apart from the other, or they meet again.
      await delay(Math.random() * attempt * PAUSE)
    }
  }
}

async function applyIn(
  tx: SqlTransaction,
  batches: readonly StoredBatch[],
  valueLimit: ValueLimit,
  nextId: ReturnType<typeof createIdSource>,
): Promise<Applied & { remember: () => void }> {
  const fresh = await registerBatches(tx, batches)
  const all = fresh.flatMap(({ clicks }) => clicks)
  const clicks = await ofKnownLinks(tx, all)
  const newVisitors = await registerVisitors(tx, clicks)
  // Of a node drawn for this attempt alone: where a transaction of another process drew the same, the next attempt draws again.
  const node = randomInt(NODES)
  await insertClicks(tx, clicks, () => nextId(node))
  const hours = tallyHours(clicks, (click) => newVisitors.has(click))
  const totals = withDays(hours.map(({ total }) => total))
  // First of the rollups: one transaction at a time decides about the values of an hour.
  await addRollups(tx, totals)
  const { rows, remember } = await valueLimit.apply(tx, hours)
  await addRollups(tx, withDays(rows))
  await addToLinks(tx, clicks)
  // Last of all, since everyone waits for these rows.
  await addRollups(tx, tallyAll(totals))
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

/** The clicks of links that exist, or can be restored. */
async function ofKnownLinks(tx: SqlTransaction, clicks: StoredClick[]): Promise<StoredClick[]> {
  const known = new Set<bigint>()
  for (const ids of pieces([...new Set(clicks.map(({ linkId }) => linkId))], ROWS)) {
    const list = ids.map(() => '?').join(',')
    const rows = await tx.rows<{ id: bigint }>(
      `SELECT id FROM Link WHERE id IN (${list}) UNION SELECT id FROM DeletedLink WHERE id IN (${list})`,
      [...ids, ...ids],
    )
    for (const { id } of rows) known.add(id)
  }
  return known.size === 0 ? [] : clicks.filter(({ linkId }) => known.has(linkId))
}

const visitorKey = ({ linkId, at, visitor }: StoredClick) => `${linkId}|${dayOf(at)}|${visitor}`

/** Remembers who comes for the first time on a day. Gives the first clicks of those. */
async function registerVisitors(tx: SqlTransaction, clicks: StoredClick[]): Promise<Set<StoredClick>> {
  const first = new Map<string, StoredClick>()
  for (const click of clicks) {
    if (click.kind !== 'person') continue
    const key = visitorKey(click)
    if (!first.has(key)) first.set(key, click)
  }
  // In the order of their keys, for the same reason as the rollups.
  const sorted = [...first].sort(([a], [b]) => compare(a, b))
  const fresh = new Set<StoredClick>()
  for (const some of pieces(sorted, ROWS)) {
    const known = await knownVisitors(
      tx,
      some.map(([, click]) => click),
    )
    const unknown = some.filter(([key]) => !known.has(key)).map(([, click]) => click)
    await tx.insert('ClickVisitor', VISITOR_COLUMNS, unknown.map(visitorRow))
    for (const click of unknown) fresh.add(click)
  }
  return fresh
}

/** Keys of those who were seen before. By a join: an IN over rows of three columns takes a hundred times as long. */
async function knownVisitors(tx: SqlTransaction, clicks: StoredClick[]): Promise<Set<string>> {
  const rows = await tx.rows<{ linkId: bigint; day: number; visitor: string }>(
    `SELECT v.linkId, v.day, LOWER(HEX(v.visitor)) AS visitor
     FROM (${tableOf(VISITOR_COLUMNS, clicks)}) AS asked
     JOIN ClickVisitor v ON v.linkId = asked.linkId AND v.day = asked.day AND v.visitor = asked.visitor`,
    clicks.map(visitorRow).flatMap((row) => VISITOR_COLUMNS.map((column) => row[column])),
  )
  return new Set(rows.map(({ linkId, day, visitor }) => `${linkId}|${day}|${visitor}`))
}

const VISITOR_COLUMNS = ['linkId', 'day', 'visitor'] as const
const visitorRow = ({ linkId, at, visitor }: StoredClick) => ({ linkId, day: dayOf(at), visitor: Buffer.from(visitor, 'hex') })

const CLICK_COLUMNS = [
  'id',
  'linkId',
  'at',
  'visitor',
  'kind',
  ...Object.values(CLICK_COLUMN),
  'referrerUrl',
  'userAgent',
] as const

async function insertClicks(tx: SqlTransaction, clicks: StoredClick[], nextClickId: () => bigint): Promise<void> {
  for (const some of pieces(clicks, ROWS)) {
    const rows = some.map((click) => ({
      ...click,
      id: nextClickId(),
      at: sqlTime(click.at),
      visitor: Buffer.from(click.visitor, 'hex'),
    }))
    await tx.insert('Click', CLICK_COLUMNS, rows)
  }
}

const ROLLUP_COLUMNS = ['linkId', 'dimension', 'span', 'hour', 'value', ...COUNTS] as const

async function addRollups(tx: SqlTransaction, rollups: readonly RollupRow[]): Promise<void> {
  for (const some of pieces(rollups, ROWS)) {
    await tx.insert(
      'ClickRollup',
      ROLLUP_COLUMNS,
      some,
      `ON DUPLICATE KEY UPDATE clicks = clicks + VALUES(clicks), visitors = visitors + VALUES(visitors),
       bots = bots + VALUES(bots), previews = previews + VALUES(previews)`,
    )
  }
}

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
  const other = columns.map(() => '?').join(', ')
  return rows.map((_, i) => `SELECT ${i === 0 ? first : other}`).join(' UNION ALL ')
}

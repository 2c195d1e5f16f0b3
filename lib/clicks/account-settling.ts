import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { COUNTER } from '@/lib/counts/subjects'
import { retryTransaction } from '@/lib/db/errors'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { Background, Loop } from '@/lib/tools/loop'
import { DAY, DAY_HOURS } from '@/lib/tools/time'
import { addAccountClicks } from './account-clicks'
import { ACCOUNTED, TOTAL } from './dimensions'
import { ownersOf } from './owners'
import { addRollups } from './rollups'
import { Share } from './share'
import { COUNTS, type RollupRow } from './tally'

type Settling = Pick<SqlGateway, 'rows' | 'change' | 'transaction'>

/** A link and the first hour of a day, since 1970. */
interface LinkDay {
  linkId: bigint
  hour: number
}

/** Links that are looked at by one statement. */
const STEP = 500
/** Days of links that one transaction settles. */
const ROWS = 200
/** How often a transaction is tried that others are in the way of: they count clicks of the same links. */
const ATTEMPTS = 20
/** The last link of all is behind. */
const ALL = 2n ** 63n - 1n

const ROLLUPS = `ClickRollup AS r ON r.linkId = asked.linkId AND r.dimension = ${TOTAL} AND r.span = ${DAY_HOURS}`
const ACCOUNTED_ROLLUPS = `ClickRollup AS a ON a.linkId = r.linkId AND a.dimension = ${ACCOUNTED} AND a.span = r.span AND a.hour = r.hour AND a.value = ''`

/**
 * Adds what is counted of some links, and in no row of an account yet, to those of their owners.
 * @param day only that day, in days since 1970; else all
 * @returns how many days of links differed
 * @throws TerseError 'unavailable'; what is not settled then is found again
 */
export async function settleClicks(db: Settling, linkIds: readonly bigint[], day?: number): Promise<number> {
  const owners = await ownersOf((sql, values) => db.rows(sql, ...values), linkIds)
  const owned = linkIds.filter((id) => owners.get(id) != null)
  let settled = 0
  for (const some of pieces(owned, STEP)) {
    // Without a lock: as a rule there is nothing.
    const differing = await db.rows<LinkDay>(
      `SELECT r.linkId, r.hour FROM (${tableOf(some.map((linkId) => ({ linkId })))}) AS asked STRAIGHT_JOIN ${ROLLUPS}
         LEFT JOIN ${ACCOUNTED_ROLLUPS} WHERE r.clicks <> COALESCE(a.clicks, 0)${day === undefined ? '' : ' AND r.hour = ?'}`,
      ...(day === undefined ? [] : [day * DAY_HOURS]),
    )
    const share = new Share()
    for (const days of pieces(differing, ROWS)) {
      await retryTransaction(() => {
        share.moveOn()
        return db.transaction((tx) => settleDays(tx, days, share.name))
      }, ATTEMPTS)
    }
    settled += differing.length
  }
  return settled
}

async function settleDays(tx: SqlTransaction, days: readonly LinkDay[], share: string): Promise<void> {
  // Counting writes the link’s own row of that day first: these are locked, and then nobody changes the other ones.
  const rows = await tx.rows<RollupRow>(
    `SELECT r.linkId, r.hour, r.span, r.value, ${COUNTS.map((count) => `r.${count} - COALESCE(a.${count}, 0) AS ${count}`).join(', ')}
       FROM (${tableOf(days)}) AS asked STRAIGHT_JOIN ${ROLLUPS} AND r.hour = asked.hour LEFT JOIN ${ACCOUNTED_ROLLUPS} FOR UPDATE`,
    [],
  )
  const owners = await ownersOf(
    (sql, values) => tx.rows(sql, values),
    rows.map(({ linkId }) => linkId),
  )
  const missing = rows
    .filter(({ linkId, clicks }) => Number(clicks) !== 0 && owners.get(linkId) != null)
    .map((row) => ({ ...row, dimension: ACCOUNTED, ...numbersOf(row) }))
  await addRollups(tx, missing)
  await addAccountClicks(tx, missing, owners, share)
}

const numbersOf = (row: RollupRow) =>
  Object.fromEntries(COUNTS.map((count) => [count, Number(row[count])])) as Pick<RollupRow, (typeof COUNTS)[number]>

/** A table in place, to join with, of numbers. */
const tableOf = (rows: readonly (LinkDay | Pick<LinkDay, 'linkId'>)[]) =>
  rows.map((row) => `SELECT ${Object.entries(row).map(([name, value]) => `${value} AS ${name}`)}`).join(' UNION ALL ')

const INTERVAL = 30_000
/** Between two steps, in ms: there is no hurry. */
const REST = 20
/** How often yesterday and today are looked through, and all links, in seconds. */
const RECENT_EVERY = 3_600
const ALL_EVERY = 7 * 86_400

/**
 * Finds the clicks that are in no row of an account: of all links in order of id, once a week and after an update, and of those
 * that were clicked yesterday and today, once an hour. Several processes may do so at once.
 */
export class AccountSettling extends Background {
  protected readonly loop = new Loop({
    every: INTERVAL,
    jitter: 0.3,
    run: () => this.run(),
    onFailure: (err) => this.log.warn({ err }, 'adding up the clicks of accounts broken off; it goes on next time'),
  })

  constructor(
    private readonly db: Settling,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    super()
  }

  /** Nobody waits for the first time: of many links it takes minutes. */
  override async start(): Promise<void> {
    this.loop.startLater()
  }

  /** @throws TerseError 'unavailable' */
  async run(): Promise<void> {
    await this.settleRecent()
    await beginAgain(this.db)
    while (!this.loop.isStopped && (await settleStep(this.db))) await delay(REST)
  }

  private async settleRecent(): Promise<void> {
    const turn = await this.db.change(
      `UPDATE CountedTo SET at = UTC_TIMESTAMP(3)
        WHERE id = ${COUNTER.recentClicks} AND (at IS NULL OR at <= UTC_TIMESTAMP(3) - INTERVAL ${RECENT_EVERY} SECOND OR at > UTC_TIMESTAMP(3) + INTERVAL ${RECENT_EVERY} SECOND)`,
    )
    if (turn === 0) return
    const [now] = await this.db.rows<{ at: Date }>(`SELECT at FROM CountedTo WHERE id = ${COUNTER.recentClicks}`)
    const today = Math.floor((now?.at.getTime() ?? 0) / DAY)
    for (const day of [today - 1, today]) await settleDay(this.db, day, () => this.loop.isStopped)
  }
}

/** Looks through the links that were clicked on a day, in days since 1970. @throws TerseError 'unavailable' */
export async function settleDay(db: Settling, day: number, isStopped = () => false): Promise<void> {
  for (let after = -1n; !isStopped(); ) {
    const rows = await db.rows<{ linkId: bigint }>(
      `SELECT linkId FROM ClickDay WHERE day = ? AND linkId > ? ORDER BY linkId LIMIT ${STEP}`,
      ...[day, after],
    )
    const ids = rows.map(({ linkId }) => linkId)
    const last = ids.at(-1)
    if (last === undefined) return
    await settleClicks(db, ids, day)
    after = last
    await delay(REST)
  }
}

/** Once a week, all links are looked through again. */
async function beginAgain(db: Settling): Promise<void> {
  await db.change(
    `UPDATE CountedTo SET lastId = -1
      WHERE id = ${COUNTER.accountClicks} AND lastId = ${ALL} AND at <= UTC_TIMESTAMP(3) - INTERVAL ${ALL_EVERY} SECOND`,
  )
}

/**
 * Looks through some links, those in the bin too: they can be restored.
 * @returns whether there are more
 * @throws as `settleClicks`
 */
export async function settleStep(db: Settling, step = STEP): Promise<boolean> {
  const [position] = await db.rows<{ lastId: bigint }>(`SELECT lastId FROM CountedTo WHERE id = ${COUNTER.accountClicks}`)
  if (!position) throw new Error('CountedTo has lost a row')
  const { lastId } = position
  if (lastId === ALL) return false
  const links = await db.rows<{ id: bigint }>(
    `(SELECT id FROM Link WHERE id > ? ORDER BY id LIMIT ${step}) UNION ALL
     (SELECT id FROM DeletedLink WHERE id > ? ORDER BY id LIMIT ${step}) ORDER BY id LIMIT ${step}`,
    ...[lastId, lastId],
  )
  const ids = links.map(({ id }) => id)
  await settleClicks(db, ids)
  const upTo = ids.length < step ? ALL : (ids.at(-1) ?? ALL)
  // Not where another process has come further, or it has begun again.
  await db.change(
    `UPDATE CountedTo SET lastId = ?, at = UTC_TIMESTAMP(3) WHERE id = ${COUNTER.accountClicks} AND lastId = ?`,
    ...[upTo, lastId],
  )
  return upTo !== ALL
}

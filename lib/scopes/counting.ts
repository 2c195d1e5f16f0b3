import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ACCOUNTED } from '@/lib/clicks/dimensions'
import { COUNTS } from '@/lib/clicks/tally'
import { retryTransaction } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import type { SqlTransaction } from '@/lib/db/sql'
import { NOW } from '@/lib/db/time'
import { sum } from '@/lib/stats/rollup'
import type { LinkClicks } from '@/lib/stats/top'
import { Background, Loop } from '@/lib/tools/loop'
import { membersAfter } from './members'
import { keyOf, SCOPE_KEY, type Scope, type ScopeKeyRow, scopeOf } from './scope'
import { mostClickedOf, topOfText, topToText } from './sums'

/** How often a process looks for counts that are due, in ms. Those due by its own requests it starts at once (`wake`). */
const INTERVAL = 10_000
/** How long a count belongs to the process that took it, in seconds. Each step renews this. */
const LEASE = 60
/** How long a scope is counted before the next one has its turn, in ms. */
const TURN = 3_000
/** Accounts of a round. */
const MOST_SERVED = 500
/** The pause between two steps, in ms. */
const REST = 10
/** The longest that one step may take, in ms: a link that was clicked for years has millions of rows. */
const STEP_TIMEOUT = 120_000
/** The most of a step: links read, clicked links counted, and clicks of these, which bound their rows. */
const [STEP_READ, STEP_LINKS, STEP_CLICKS] = [1_000, 200, 20_000]
/** Sums that nobody asked for are deleted after this many days. */
const KEPT_DAYS = 30

const LEASED = `${NOW} + INTERVAL ${LEASE} SECOND`

/** A count under way: `next…` is what it has so far. */
interface Count {
  scope: Scope
  /** The link ID under which ClickRollup has its rows. */
  nextId: bigint
  /** The last link that it counted. */
  lastId: bigint
  nextTop: LinkClicks[]
}

type CountRow = { nextId: bigint; lastId: bigint; nextTop: string }

/**
 * Adds up the clicks of scopes that are too large to read for each request, in order of link ID, into rows of ClickRollup under a
 * link ID of their own. A finished count replaces the one before, whose rows are purged like those of a deleted link.
 *
 * Each step is a transaction that also notes the last link, so a process that dies loses nothing, and the next one counts nothing
 * twice. Each count starts from zero, so nothing that happens to links, labels or accounts can make sums wrong for good.
 */
export class ScopeCounter extends Background {
  private isAsked = false
  /** Accounts that had a turn in this round. */
  private readonly served = new Set<string>()
  protected readonly loop = new Loop({
    every: INTERVAL,
    jitter: 0.3,
    run: () => this.run(),
    onFailure: (err) => this.log.warn({ err }, 'adding up the clicks of many links broke off; it goes on later'),
  })

  constructor(
    private readonly db: DatabaseGateway,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    super()
  }

  override async start(): Promise<void> {
    this.loop.startLater()
  }

  /** Starts what is due, in the background. */
  wake(): void {
    this.isAsked = true
    void this.loop.wake()
  }

  /** Counts everything that is due. @throws TerseError 'unavailable' */
  async run(): Promise<void> {
    await this.forgetOld()
    do {
      this.isAsked = false
      for (let scope = await this.nextDue(); scope && !this.loop.isStopped; scope = await this.nextDue()) await this.turn(scope)
    } while (this.isAsked && !this.loop.isStopped)
  }

  /** The scope that waited longest, of the accounts that had no turn in this round: each has one, however many it waits for. */
  private async nextDue(): Promise<Scope | null> {
    let row = await this.firstDue()
    if (!row && this.served.size > 0) {
      this.served.clear()
      row = await this.firstDue()
    }
    if (!row) return null
    this.served.add(row.ownerId)
    return scopeOf(row)
  }

  private async firstDue(): Promise<ScopeKeyRow | undefined> {
    if (this.served.size >= MOST_SERVED) this.served.clear()
    const served = [...this.served]
    const [row] = await this.db.rows<ScopeKeyRow>(
      `SELECT ownerId, kind, subject FROM ScopeSum WHERE dueAt <= ${NOW} ${served.length > 0 ? 'AND ownerId NOT IN (?)' : ''}
        ORDER BY dueAt LIMIT 1`,
      ...(served.length > 0 ? [served] : []),
    )
    return row
  }

  /** Counts a scope for one turn, unless another process has it. */
  private async turn(scope: Scope): Promise<void> {
    const count = await this.take(scope)
    if (!count) return
    for (const end = performance.now() + TURN; performance.now() < end; await delay(REST)) {
      if (this.loop.isStopped) break
      if (!(await countStep(this.db, count))) return
    }
    await this.change(`UPDATE ScopeSum SET dueAt = ${NOW} WHERE ${SCOPE_KEY} AND nextId = ?`, ...keyOf(scope), count.nextId)
  }

  private async take(scope: Scope): Promise<Count | null> {
    const taken = await this.change(
      `UPDATE ScopeSum SET dueAt = ${LEASED}, nextId = COALESCE(nextId, ?), startedAt = COALESCE(startedAt, ${NOW})
        WHERE ${SCOPE_KEY} AND dueAt <= ${NOW}`,
      ...[nextId(), ...keyOf(scope)],
    )
    if (taken === 0) return null
    const [row] = await this.db.rows<CountRow>(
      `SELECT nextId, lastId, nextTop FROM ScopeSum WHERE ${SCOPE_KEY} AND nextId IS NOT NULL`,
      ...keyOf(scope),
    )
    return row ? { scope, ...row, nextTop: topOfText(row.nextTop) } : null
  }

  /** Retried, since other processes can lock the same row. */
  private change(sql: string, ...values: unknown[]): Promise<number> {
    return retryTransaction(() => this.db.change(sql, ...values))
  }

  private async forgetOld(): Promise<void> {
    const rows = await this.db.rows<ScopeKeyRow>(
      `SELECT ownerId, kind, subject FROM ScopeSum WHERE askedAt < ${NOW} - INTERVAL ${KEPT_DAYS} DAY ORDER BY askedAt LIMIT 100`,
    )
    for (const row of rows) await this.db.transaction((tx) => forget(tx, SCOPE_KEY, keyOf(scopeOf(row))))
  }
}

/** Deletes all sums of an account. @throws TerseError 'unavailable' */
export const forgetSumsOf = (db: DatabaseGateway, ownerId: string): Promise<void> =>
  db.transaction((tx) => forget(tx, 'ownerId = ?', [ownerId]))

async function forget(tx: SqlTransaction, where: string, values: readonly unknown[]): Promise<void> {
  // Locked, so that no step adds rows under these IDs after they are purged.
  const rows = await tx.rows<{ sumId: bigint | null; nextId: bigint | null }>(
    `SELECT sumId, nextId FROM ScopeSum WHERE ${where} FOR UPDATE`,
    values,
  )
  for (const id of rows.flatMap(({ sumId, nextId: next }) => [sumId, next])) await purge(tx, id)
  await tx.run(`DELETE FROM ScopeSum WHERE ${where}`, values)
}

async function purge(tx: SqlTransaction, id: bigint | null): Promise<void> {
  if (id !== null) await tx.run('INSERT IGNORE INTO ClickPurge (linkId) VALUES (?)', [id])
}

/**
 * Counts the next links of a scope, and notes them in `count`.
 * @returns whether to go on: false once the count is finished, or another process has it
 * @throws TerseError 'unavailable'; what the database throws
 */
async function countStep(db: DatabaseGateway, count: Count): Promise<boolean> {
  const members = stepOf(await membersAfter(db, count.scope, count.lastId, STEP_READ))
  const last = members.at(-1)
  if (!last) {
    await retryTransaction(() => db.transaction((tx) => finish(tx, count)))
    return false
  }
  const clicked = members.filter(({ clicks }) => clicks > 0)
  const nextTop = mostClickedOf(count.nextTop, clicked)
  const isCounted = await retryTransaction(() =>
    db.transaction(async (tx) => {
      if (!(await isOurs(tx, count))) return false
      if (clicked.length > 0) await addRollupsOf(tx, clicked, count.nextId)
      await tx.run(
        `UPDATE ScopeSum SET lastId = ?, nextLinks = nextLinks + ?, nextTop = ?, dueAt = ${LEASED} WHERE ${SCOPE_KEY}`,
        [last.id, clicked.length, topToText(nextTop), ...keyOf(count.scope)],
      )
      return true
    }, STEP_TIMEOUT),
  )
  Object.assign(count, { lastId: last.id, nextTop })
  return isCounted
}

/** The first of them, as many as one step counts: at least one, however many clicks it has. */
function stepOf(members: readonly LinkClicks[]): LinkClicks[] {
  let [links, clicks] = [0, 0]
  const end = members.findIndex((member) => {
    links += member.clicks > 0 ? 1 : 0
    clicks += member.clicks
    return links > STEP_LINKS || clicks > STEP_CLICKS
  })
  return members.slice(0, end === -1 ? members.length : Math.max(end, 1))
}

/** Whether the count is where this process left it: once its lease is over, another process can go on with it. */
async function isOurs(tx: SqlTransaction, { scope, nextId: id, lastId }: Count): Promise<boolean> {
  const [row] = await tx.rows<Pick<Count, 'nextId' | 'lastId'>>(
    `SELECT nextId, lastId FROM ScopeSum WHERE ${SCOPE_KEY} FOR UPDATE`,
    keyOf(scope),
  )
  return row?.nextId === id && row.lastId === lastId
}

/** One statement, and so one snapshot: the clicks of a link are the same in all dimensions. */
async function addRollupsOf(tx: SqlTransaction, links: readonly LinkClicks[], sumId: bigint): Promise<void> {
  const ids = links.map(({ id }) => id).join()
  await tx.run(
    `INSERT INTO ClickRollup (linkId, dimension, span, hour, value, ${COUNTS.join(', ')})
     SELECT * FROM (
       SELECT ${sumId} AS sumId, dimension, span, hour, value, ${COUNTS.map((name) => `${sum(name)} AS of_${name}`).join(', ')}
         FROM ClickRollup WHERE linkId IN (${ids}) AND dimension <> ${ACCOUNTED}
        GROUP BY dimension, span, hour, value) AS added
     ON DUPLICATE KEY UPDATE ${COUNTS.map((name) => `${name} = ClickRollup.${name} + VALUES(${name})`).join(', ')}`,
    [],
  )
  await tx.run(
    `INSERT INTO ConversionRollup (linkId, span, hour, destination, name, currency, conversions, converted, value)
     SELECT * FROM (
       SELECT ${sumId} AS sumId, span, hour, destination, name, currency,
              SUM(conversions) AS of_conversions, SUM(converted) AS of_converted, SUM(value) AS of_value
         FROM ConversionRollup WHERE linkId IN (${ids}) GROUP BY span, hour, destination, name, currency) AS added
     ON DUPLICATE KEY UPDATE conversions = ConversionRollup.conversions + VALUES(conversions),
       converted = ConversionRollup.converted + VALUES(converted), value = ConversionRollup.value + VALUES(value)`,
    [],
  )
}

/** Puts the finished sums in place of the ones before. */
async function finish(tx: SqlTransaction, count: Count): Promise<void> {
  if (!(await isOurs(tx, count))) return
  const key = keyOf(count.scope)
  const [row] = await tx.rows<{ sumId: bigint | null }>(`SELECT sumId FROM ScopeSum WHERE ${SCOPE_KEY}`, key)
  await purge(tx, row?.sumId ?? null)
  await tx.run(
    `UPDATE ScopeSum SET sumId = nextId, countedAt = startedAt, took = TIMESTAMPDIFF(MICROSECOND, startedAt, ${NOW}) DIV 1000,
            links = nextLinks, top = nextTop, nextId = NULL, startedAt = NULL, lastId = -1, nextLinks = 0, nextTop = '', dueAt = NULL
      WHERE ${SCOPE_KEY}`,
    key,
  )
}

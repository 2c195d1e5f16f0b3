import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { retryTransaction } from '@/lib/db/errors'
import { firstIdAt } from '@/lib/db/id'
import { literal } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { Background, Loop } from '@/lib/tools/loop'
import { DAY, MINUTE } from '@/lib/tools/time'
import { COUNTER, SUBJECT, type Subject } from './subjects'

const INTERVAL = 30_000
const JITTER = 0.3
/**
 * Links younger than this are left for later: an id is made before its link is inserted, and what is inserted behind the counter
 * is not counted before all links are counted again. No statement and no transaction is waited for as long.
 */
const MARGIN = 2 * MINUTE
/** How old counts are when all links are counted again, in ms. */
const KEPT = DAY
/** Links that one transaction counts, changes that it takes, and old counts that it deletes. */
const STEP = 20_000
const MOST_CHANGES = 5_000
const MOST_OLD = 5_000
/** Between two steps of many, in ms: there is no hurry. */
const REST = 20
/** Rows of one statement. */
const ROWS = 500

/** How far the counts of one generation are. */
interface Position {
  id: number
  lastId: bigint
  generation: number
  at: Date | null
}

/** Links of one position that are counted alike; or one change, which has an id and names its link. */
interface CountedRow {
  position: number | bigint
  changeId: bigint | number
  linkId: bigint | number
  ownerId: string | null
  domainId: number | null
  day: number | bigint | null
  links: number | bigint
}

/**
 * Keeps LinkCount: goes through links in order of id, and takes in what was noted of those that it has passed
 * (lib/counts/changes.ts). No transaction but its own writes there, and of these there is one at a time. Once a day it counts all
 * links again beside, and then tells these counts: so whatever was not noted, as by a former release, is right again.
 */
export class LinkCounter extends Background {
  protected readonly loop = new Loop({
    every: INTERVAL,
    jitter: JITTER,
    run: () => this.run(),
    onFailure: (err) => this.log.warn({ err }, 'counting of links broken off; it goes on next time'),
  })

  constructor(
    private readonly db: SqlGateway,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    super()
  }

  /** Nobody waits for the first time: of many links it takes minutes. */
  override async start(): Promise<void> {
    this.loop.startLater()
  }

  /** Counts what is to be counted. @throws when MySQL fails: the rest is for the next time */
  async run(): Promise<void> {
    while (!this.loop.isStopped && (await retryTransaction(() => countStep(this.db)))) await delay(REST)
  }
}

/**
 * Counts some links, and takes in the changes.
 * @param options kept: how old counts are when all is counted again; margin: how old links are that are counted; in ms
 * @returns whether there is more. @throws what MySQL throws
 */
export function countStep(
  db: Pick<SqlGateway, 'transaction'>,
  { step = STEP, mostChanges = MOST_CHANGES, kept = KEPT, margin = MARGIN } = {},
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Another process that counts waits here, then continues where this one ended.
    const positions = await tx.rows<Position>(
      `SELECT id, lastId, generation, at FROM CountedTo WHERE id IN (${COUNTER.links}, ${COUNTER.linksAgain}) ORDER BY id FOR UPDATE`,
      [],
    )
    const [told, again] = positions
    // By MySQL's clock, as ids have their times (lib/db/node-lease.ts): those of processes differ.
    const [clock] = await tx.rows<{ now: Date }>('SELECT UTC_TIMESTAMP(3) AS now', [])
    if (!told || !again || !clock) throw new Error('CountedTo has lost a row')
    const end = firstIdAt(clock.now.getTime() - margin) - 1n
    const [tooMany] = await tx.rows('SELECT 1 FROM LinkCountChange LIMIT 1 OFFSET ?', [mostChanges])
    const isOld = told.at !== null && told.at.getTime() <= clock.now.getTime() - kept
    // Its generation was told before the last: what is left of it goes first.
    const leftOver = isOld && again.lastId === -1n ? await deleteOld(tx, again) : 0
    const stay = (position: Position) => ({ position, upTo: position.lastId, isLast: false })
    // Many changes are taken in first, in pieces. With links all must be: those of links counted now are in the count already.
    const steps = await Promise.all([
      tooMany ? stay(told) : endOfStep(tx, told, end, step),
      tooMany || !isOld || leftOver > 0 ? stay(again) : endOfStep(tx, again, end, step),
    ])
    const rows = await tx.rows<CountedRow>(
      // One statement, so that links and changes are of one moment.
      `${steps.map(() => LINKS).join(' UNION ALL ')} UNION ALL
       SELECT 0, id, linkId, ownerId, domainId, day, links FROM (SELECT * FROM LinkCountChange ORDER BY id LIMIT ?) AS changes`,
      // Were there more by now, all of them would still be of links that are not counted, or be taken in.
      [
        ...steps.flatMap(({ position, upTo }) => [position.id, position.lastId, upTo]),
        tooMany ? mostChanges : Number.MAX_SAFE_INTEGER,
      ],
    )
    const changes = rows.filter(({ changeId }) => BigInt(changeId) !== 0n)
    const links = rows.filter(({ changeId }) => BigInt(changeId) === 0n)
    for (const { position, upTo } of steps) {
      // A change of a link that was not counted before has no effect: the count of the link is that of afterwards.
      const ofCounted = changes.filter(({ linkId }) => BigInt(linkId) <= position.lastId)
      const found = links.filter((row) => Number(row.position) === position.id)
      await add(tx, position.generation, [...ofCounted, ...found])
      await tx.run('UPDATE CountedTo SET lastId = ? WHERE id = ?', [upTo, position.id])
    }
    for (const some of pieces(changes, ROWS)) {
      await tx.run(`DELETE FROM LinkCountChange WHERE id IN (${some.map(({ changeId }) => changeId).join()})`, [])
    }
    const [ofTold, ofAgain] = steps
    if (ofAgain?.isLast) await tell(tx, again, ofAgain.upTo, told)
    else if (ofTold?.isLast && told.at === null)
      await tx.run(`UPDATE CountedTo SET at = UTC_TIMESTAMP(3) WHERE id = ${COUNTER.links}`, [])
    return !ofTold?.isLast || (isOld && !ofAgain?.isLast)
  })
}

/** Of one position; follows are its number, and the ids between which links are counted. */
const LINKS = `SELECT ? AS position, 0 AS changeId, 0 AS linkId, ownerId, domainId, TIMESTAMPDIFF(DAY, '1970-01-01', createdAt) AS day,
    COUNT(*) AS links FROM Link WHERE id > ? AND id <= ? GROUP BY ownerId, domainId, day`

/** Has the counts told that were made again; those of before are left over. */
async function tell(tx: SqlTransaction, again: Position, upTo: bigint, told: Position): Promise<void> {
  await tx.run('UPDATE CountedTo SET lastId = ?, generation = ?, at = UTC_TIMESTAMP(3) WHERE id = ?', [
    ...[upTo, again.generation, COUNTER.links],
  ])
  await tx.run('UPDATE CountedTo SET lastId = -1, generation = ? WHERE id = ?', [told.generation, COUNTER.linksAgain])
}

async function deleteOld(tx: SqlTransaction, { generation }: Position): Promise<number> {
  const { rows } = await tx.run(`DELETE FROM LinkCount WHERE generation = ? ORDER BY subject, name LIMIT ${MOST_OLD}`, [
    generation,
  ])
  return rows
}

interface Step {
  position: Position
  /** The last link of it. */
  upTo: bigint
  /** There are no more up to the end. */
  isLast: boolean
}

async function endOfStep(tx: SqlTransaction, position: Position, end: bigint, step: number): Promise<Step> {
  if (end <= position.lastId) return { position, upTo: position.lastId, isLast: true }
  const [last] = await tx.rows<{ id: bigint }>('SELECT id FROM Link WHERE id > ? AND id <= ? ORDER BY id LIMIT 1 OFFSET ?', [
    ...[position.lastId, end, step - 1],
  ])
  return last ? { position, upTo: last.id, isLast: false } : { position, upTo: end, isLast: true }
}

async function add(tx: SqlTransaction, generation: number, rows: readonly CountedRow[]): Promise<void> {
  const sums = new Map<string, { subject: number; name: string; links: number }>()
  const sum = (kind: Subject, name: string, links: number) => {
    const subject = SUBJECT[kind]
    const held = sums.get(`${subject} ${name}`) ?? { subject, name, links: 0 }
    held.links += links
    sums.set(`${subject} ${name}`, held)
  }
  for (const { ownerId, domainId, day, links } of rows) {
    const count = Number(links)
    if (ownerId !== null) sum('owner', ownerId, count)
    if (domainId === null || day === null) continue
    sum('all', '', count)
    sum('domain', String(domainId), count)
    sum('day', String(day), count)
  }
  for (const some of pieces([...sums.values()], ROWS)) {
    const values = some.map(({ subject, name, links }) => `(${generation},${subject},${literal(name)},${links})`)
    await tx.run(
      `INSERT INTO LinkCount (generation, subject, name, links) VALUES ${values.join()}
       ON DUPLICATE KEY UPDATE links = links + VALUES(links)`,
      [],
    )
  }
}

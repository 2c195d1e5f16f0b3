import { setTimeout as delay } from 'node:timers/promises'
import { retryTransaction } from '@/lib/db/errors'
import type { SqlTransaction } from '@/lib/db/sql'
import { type SqlGateway, WRITE_TIMEOUT } from '@/lib/db/sql-gateway'
import { Listeners } from '@/lib/events/listeners'
import { noteEventsIn } from '@/lib/events/outbox'
import { timedId } from '@/lib/tools/timed-id'

/** Added to what was taken where nothing is left: more than anyone takes. */
const REACHED = 2 ** 40
/**
 * Takes `n` clicks, or as many as are left: LAST_INSERT_ID(x) hands x back in the answer to the statement, so that
 * reading and writing are one step. It tells as well whether these were the last.
 */
const TAKE = `UPDATE Link SET taken = taken + LEAST(?, maxClicks - taken) +
    0 * LAST_INSERT_ID(LEAST(?, maxClicks - taken) + IF(taken + ? >= maxClicks, ${REACHED}, 0))
  WHERE id = ? AND taken < maxClicks`
/** Leaves a mark beside what was taken, if anything was: ROW_COUNT() is of the statement before. */
const MARK = 'INSERT INTO ClickTake (id) SELECT UNHEX(?) FROM DUAL WHERE ROW_COUNT() > 0'
const GIVE_BACK = 'UPDATE Link SET taken = taken - LEAST(?, taken) WHERE id = ?'
/** Clicks taken by one statement at most. */
const MAX_GROUP = 10_000
/** Pause between two tries to give clicks back, in ms. */
const PAUSE = 1_000

interface Waiting {
  resolve: (allowed: boolean) => void
  reject: (error: unknown) => void
}

/**
 * Decides which clicks a limit still allows. MySQL alone does, in one conditional update, so that the limit is exact
 * across all processes and whatever becomes of Redis. Requests for one link that come while a statement is under way
 * share the next one, so 10,000 at once cost a handful (docs/decisions/0009-clicks.md).
 */
export class ClickLimit {
  private readonly queues = new Map<string, Waiting[]>()
  /** Marks of takes whose answer has arrived. */
  private answered: string[] = []
  private readonly listeners = new Listeners()

  /** @param patience how long MySQL may take, in ms */
  constructor(
    private readonly db: SqlGateway,
    private readonly patience = WRITE_TIMEOUT,
  ) {}

  /** Takes one click of a link. @returns false when the limit is reached @throws TerseError 'unavailable' */
  takeClick(linkId: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(linkId)
      if (queue) {
        queue.push({ resolve, reject })
        return
      }
      this.queues.set(linkId, [{ resolve, reject }])
      void this.serve(linkId)
    })
  }

  private async serve(linkId: string): Promise<void> {
    // The rest of this turn's requests join the first statement.
    await new Promise((resolve) => setImmediate(resolve))
    const queue = this.queues.get(linkId) ?? []
    while (queue.length > 0) {
      const group = queue.splice(0, MAX_GROUP)
      try {
        const granted = await retryTransaction(() => this.takeMany(linkId, group.length))
        for (const [i, { resolve }] of group.entries()) resolve(i < granted)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.queues.delete(linkId)
  }

  /**
   * Takes so many clicks, or as many as are left. Where this fails nothing stays taken, or is given back: those who wait are
   * told that they cannot be redirected.
   */
  private async takeMany(linkId: string, count: number): Promise<number> {
    const mark = timedId(Date.now())
    const old = this.answered
    this.answered = []
    let taken = 0
    try {
      await this.db.transaction(async (tx) => {
        // Sent together. A time-out before they are answered leaves the transaction uncommitted for good.
        const [{ rows, id }] = await Promise.all([
          tx.run(TAKE, [count, count, count, linkId]),
          tx.run(MARK, [mark]),
          forget(tx, old),
        ])
        taken = rows === 1 ? id % REACHED : 0
        if (rows === 1 && id >= REACHED) await this.noteReached(tx, linkId)
      }, this.patience)
    } catch (error) {
      // Known to be taken, and perhaps committed: that is for the database to say.
      if (taken > 0) void this.giveBack(linkId, taken, mark)
      throw error
    }
    if (taken > 0) this.answered.push(mark)
    return taken
  }

  /** Tells the webhooks of the link's account, in the transaction that takes the last click. */
  private async noteReached(tx: SqlTransaction, linkId: string): Promise<void> {
    const [link] = await tx.rows<{ ownerId: string | null }>('SELECT ownerId FROM Link WHERE id = ?', [linkId])
    const ownerId = link?.ownerId ?? null
    const isTold = await this.listeners.hears('link.limit_reached', ownerId, (sql, values) => this.db.rows(sql, ...values))
    if (isTold && ownerId !== null) {
      await noteEventsIn(tx, [{ kind: 'link.limit_reached', ownerId, linkId: BigInt(linkId), data: null }])
    }
  }

  /**
   * Gives clicks back if their mark is there, once: it goes in the same step. A transaction that is still being
   * committed holds the mark, so this waits for its end. Tries until MySQL has said so, for as long as the process lives.
   */
  private async giveBack(linkId: string, count: number, mark: string): Promise<void> {
    for (;;) {
      try {
        await this.db.transaction(async (tx) => {
          const { rows } = await forget(tx, [mark])
          if (rows === 1) await tx.run(GIVE_BACK, [count, linkId])
        })
        return
      } catch {
        await delay(PAUSE, undefined, { ref: false })
      }
    }
  }

  /** Whether a click could be taken, without taking it. @throws TerseError 'unavailable' */
  async isClickLeft(linkId: string): Promise<boolean> {
    const rows = await this.db.rows('SELECT id FROM Link WHERE id = ? AND (maxClicks IS NULL OR taken < maxClicks)', linkId)
    return rows.length === 1
  }
}

async function forget(tx: SqlTransaction, marks: readonly string[]): Promise<{ rows: number }> {
  if (marks.length === 0) return { rows: 0 }
  return tx.run(`DELETE FROM ClickTake WHERE id IN (${marks.map(() => 'UNHEX(?)').join()})`, marks)
}

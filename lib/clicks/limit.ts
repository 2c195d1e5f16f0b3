import type { SqlGateway } from '@/lib/db/sql-gateway'

/**
 * Takes `n` clicks, or as many as are left: LAST_INSERT_ID(x) hands x back in the answer to the statement, so that
 * reading and writing are one step.
 */
const TAKE = `UPDATE Link SET taken = taken + LAST_INSERT_ID(LEAST(?, maxClicks - taken))
  WHERE id = ? AND taken < maxClicks`
/** Clicks taken by one statement at most. */
const MAX_GROUP = 10_000

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

  constructor(private readonly db: SqlGateway) {}

  /** Takes one click of a link. @returns false when the limit is reached @throws TerseError 'unavailable' */
  take(linkId: string): Promise<boolean> {
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
        const granted = await this.db.execute(TAKE, group.length, linkId).then(({ rows, id }) => (rows === 1 ? id : 0))
        for (const [i, { resolve }] of group.entries()) resolve(i < granted)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.queues.delete(linkId)
  }

  /** Whether a click could be taken, without taking it. @throws TerseError 'unavailable' */
  async left(linkId: string): Promise<boolean> {
    const rows = await this.db.rows('SELECT id FROM Link WHERE id = ? AND (maxClicks IS NULL OR taken < maxClicks)', linkId)
    return rows.length === 1
  }
}

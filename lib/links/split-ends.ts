import { auditIn } from '@/lib/audit/audit'
import type { Link } from '@/lib/db/generated/client'
import { timeOf } from '@/lib/db/id'
import { databaseNow, sqlTime } from '@/lib/db/time'
import { isTerseError } from '@/lib/errors'
import type { RoutingFields } from '@/lib/routing/routing'
import { endOf, type Split } from '@/lib/routing/split'
import { type Outcome, splitWinner } from '@/lib/routing/split-winner'
import { destinationOutcomes } from '@/lib/stats/destinations'
import { Loop } from '@/lib/tools/loop'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import type { LinkContext } from './context'
import { findById } from './find'
import { OURSELVES } from './permit'
import { changeLink } from './update'

/** Ends are promised within a minute. */
const INTERVAL = 20_000
const JITTER = 0.2
/** Links read at a time. */
const BATCH = 100
/** The longest that a split waits which cannot be decided. */
const LONGEST_WAIT = 30 * DAY
/** A link is written soon after its end was noted, if it is written at all. */
const CREATION = HOUR

/** Who the log names for what no account did. */
const BY = { account: { id: '', handle: '', email: '' }, address: '' }

/** The split was decided, or changed, by another meanwhile. */
class Settled extends Error {}

/** The rules refuse all its destinations. */
class NoneLeft extends Error {}

/**
 * Decides splits whose end has come: the better destination stays (lib/routing/split-winner.ts). Every process does; the version
 * of the link lets one alone write. A note goes once its link says that nothing is to be decided: so a process may die anywhere.
 */
export class SplitEnds {
  private readonly loop = new Loop({
    every: INTERVAL,
    jitter: JITTER,
    run: () => this.settleDue(),
    onFailure: (err) => this.ctx.log.warn({ err }, 'splits whose end has come wait for MySQL'),
  })

  constructor(private readonly ctx: LinkContext) {}

  async start(): Promise<void> {
    this.loop.startLater()
  }

  /**
   * @param at default: the database's clock. One process whose own is ahead would decide for all, for good
   * @throws TerseError 'unavailable': the rest is for the next time
   */
  async settleDue(at?: number): Promise<void> {
    const now = at ?? (await databaseNow(this.ctx.db))
    for (;;) {
      const due = await this.ctx.db.rows<{ linkId: bigint }>(
        `SELECT linkId FROM SplitEnd WHERE dueAt <= ? ORDER BY dueAt LIMIT ${BATCH}`,
        sqlTime(now),
      )
      for (const { linkId } of due) await this.settleOrPostpone(linkId, now)
      if (due.length < BATCH || this.loop.isStopped) return
    }
  }

  /** One that cannot be decided now keeps no other from it. */
  private async settleOrPostpone(linkId: bigint, now: number): Promise<void> {
    try {
      await this.settle(linkId, now)
    } catch (error) {
      if (isTerseError(error) && error.code === 'unavailable') throw error
      this.ctx.log.warn({ err: error, link: linkId.toString() }, 'a split could not be decided; it is tried again in an hour')
      await this.noteAgain(linkId, now + HOUR)
    }
  }

  private async settle(linkId: bigint, now: number): Promise<void> {
    const link = await this.ctx.db.read((client) => client.link.findUnique({ where: { id: linkId } }))
    if (!link && now - timeOf(linkId) < CREATION) return this.noteAgain(linkId, now + MINUTE)
    const end = link && endOf(splitOf(link))
    if (end === null) await this.ctx.db.change('DELETE FROM SplitEnd WHERE linkId = ? AND dueAt <= ?', linkId, sqlTime(now))
    else if (end > now) await this.noteAgain(linkId, end)
    else if (await this.decide(linkId, now)) await this.settle(linkId, now)
    else await this.noteAgain(linkId, now + waitAfter(end, now))
  }

  /** @returns false where the rules allow none of its destinations */
  private async decide(linkId: bigint, now: number): Promise<boolean> {
    const refused = new Set<string>()
    for (;;) {
      const best = await this.decideExcept(linkId, now, refused)
      if (best === 'decided') return true
      if (best === null) return false
      refused.add(best)
    }
  }

  /** @returns the best destination if the rules refuse that one; null where none is left */
  private async decideExcept(linkId: bigint, now: number, refused: ReadonlySet<string>): Promise<string | 'decided' | null> {
    const { ctx } = this
    let winner = ''
    let outcomes = new Map<string, Outcome>()
    const find = async () => {
      const link = await findById(ctx, linkId)
      const split = splitOf(link)
      const end = endOf(split)
      if (!split || end === null || end > now) throw new Settled()
      outcomes = await destinationOutcomes(
        ctx.db,
        linkId,
        split.variants.map(({ url }) => url),
      )
      const left = split.variants.filter(({ url }) => !refused.has(url))
      winner = splitWinner(left, (url) => outcomes.get(url) ?? { clicks: 0, visitors: 0, converted: 0 }) ?? ''
      if (winner === '') throw new NoneLeft()
      return link
    }
    try {
      await changeLink(
        ctx,
        OURSELVES,
        find,
        ({ routing }) => ({ routing: withWinner(routing, winner) }),
        (tx, { fullShortUrl }) =>
          auditIn(tx, BY, 'link.end-split', fullShortUrl, { winner, outcomes: Object.fromEntries(outcomes) }),
      )
      return 'decided'
    } catch (error) {
      if (error instanceof Settled) return 'decided'
      if (error instanceof NoneLeft) return null
      if (isTerseError(error) && error.code === 'validation_failed') return winner
      throw error
    }
  }

  /** Not where its owner has set another end meanwhile. */
  private async noteAgain(linkId: bigint, dueAt: number): Promise<void> {
    await this.ctx.db.change(
      'UPDATE SplitEnd SET dueAt = ? WHERE linkId = ? AND dueAt < ?',
      sqlTime(dueAt),
      linkId,
      sqlTime(dueAt),
    )
  }

  close(): void {
    void this.loop.stop()
  }
}

/**
 * How long a split waits of which nothing is allowed: as long as it has waited, so one that stays blocked is tried ever less. Its
 * owner's next change of where it leads notes it anew.
 */
const waitAfter = (end: number, now: number) => Math.min(Math.max(now - end, HOUR), LONGEST_WAIT)

const fieldsOf = (routing: string | null): RoutingFields => (routing === null ? {} : JSON.parse(routing))
const splitOf = ({ routing }: Link): Split | undefined => fieldsOf(routing).split

function withWinner(routing: string | null, winner: string): string {
  const fields = fieldsOf(routing)
  return JSON.stringify({ ...fields, split: { ...fields.split, winner } })
}

import type { Logger } from 'pino'
import { retryTransaction } from '@/lib/db/errors'
import { deleteInPieces, PIECE } from '@/lib/db/pieces'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { Background, Loop } from '@/lib/tools/loop'
import { MINUTE } from '@/lib/tools/time'
import { firstTimedIdAt } from '@/lib/tools/timed-id'
import { EVENTS_KEPT, WAITING_KEPT } from './schedule'
import { stateNumber } from './values'

const INTERVAL = 30 * MINUTE
const JITTER = 0.2

/** Deletes deliveries and events that have had their time. What still waits stays a week longer. */
export class WebhookSweeper extends Background {
  protected readonly loop: Loop

  constructor(
    private readonly db: SqlGateway,
    log: Logger,
  ) {
    super()
    this.loop = new Loop({
      every: INTERVAL,
      jitter: JITTER,
      run: () => this.sweep(),
      onFailure: (err) => log.warn({ err }, 'clean-up of webhooks broken off; it goes on next time'),
    })
  }

  override async start(): Promise<void> {
    this.loop.startLater()
  }

  /** @throws TerseError 'unavailable': the rest is for the next time */
  async sweep(now = Date.now()): Promise<void> {
    const [before, longBefore] = [firstIdAt(now - EVENTS_KEPT), firstIdAt(now - WAITING_KEPT)]
    const isDone = `(state <> ${stateNumber('waiting')} OR NOT EXISTS (SELECT 1 FROM Webhook WHERE Webhook.id = webhookId))`
    await deleteInPieces(this.db, 'WebhookDelivery WHERE eventId < ? ORDER BY eventId', longBefore)
    await deleteInPieces(this.db, `WebhookDelivery WHERE eventId < ? AND ${isDone} ORDER BY eventId`, before)
    await this.deleteEvents(before)
  }

  /**
   * Deletes the events before an id that no delivery names: each is looked at once, however many stay. One that none names is
   * named by none later, for deliveries are written with their event.
   */
  private async deleteEvents(before: Buffer): Promise<void> {
    for (let after: Buffer | undefined = Buffer.alloc(before.length); after; ) {
      const events: { id: Buffer; isNamed: bigint | number }[] = await this.db.rows(
        `SELECT id, EXISTS (SELECT 1 FROM WebhookDelivery WHERE eventId = WebhookEvent.id) AS isNamed FROM WebhookEvent
          WHERE id > ? AND id < ? ORDER BY id LIMIT ${PIECE}`,
        ...[after, before],
      )
      const ids = events.filter(({ isNamed }) => Number(isNamed) === 0).map(({ id }) => `x'${id.toString('hex')}'`)
      if (ids.length > 0) await retryTransaction(() => this.db.change(`DELETE FROM WebhookEvent WHERE id IN (${ids.join()})`))
      after = events.at(-1)?.id
    }
  }
}

const firstIdAt = (time: number) => Buffer.from(firstTimedIdAt(time), 'hex')

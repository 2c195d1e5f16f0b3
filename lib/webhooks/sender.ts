import type { Logger } from 'pino'
import { BANNED } from '@/lib/actor'
import type { Config } from '@/lib/config'
import { retryTransaction } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Webhook } from '@/lib/db/generated/client'
import { hasCome, NOW, sqlTime } from '@/lib/db/time'
import type { Outbound } from '@/lib/net/outbound'
import { Background, Loop } from '@/lib/tools/loop'
import { type Attempt, attempt } from './attempt'
import { bodyOf, hex } from './deliveries'
import { DeliverySlots, MOST_DUE } from './delivery-slots'
import { pauseAfter, restAfter } from './schedule'
import { signedHeaders } from './signature'
import { type TurnedOff, turnOffIfFailing } from './turn-off'
import { stateNumber } from './values'
import { giveUpWaiting } from './webhooks'

export interface SenderContext {
  config: Pick<Config, 'APP_SECRET'>
  db: DatabaseGateway
  outbound: Outbound
  log: Logger
}

/** How often a process looks for webhooks that are due, in ms. */
const INTERVAL = 500
/** Deliveries of one turn. */
const MOST = 40
/** After that long in a turn, nothing more is begun, in ms. */
const TURN = 15_000
/** How long a webhook is left to a process that took it, in ms: longer than a turn, and than its last attempt. */
const LEASE = 60_000

const [WAITING, DELIVERED, FAILED] = (['waiting', 'delivered', 'failed'] as const).map(stateNumber)

interface Due {
  eventId: Uint8Array
  attempts: number
  isLast: bigint | number
}

/**
 * Sends what waits. A webhook is one process's at a time, for a turn; what it had not written down when it died is sent once more
 * by another, under the same id. A webhook that takes nothing rests longer after each turn, so a dead one holds up nobody.
 */
export class WebhookSender extends Background {
  private readonly slots = new DeliverySlots()
  protected readonly loop: Loop

  /**
   * @param onTurnedOff told of a webhook that failed for too long
   * @param lease in ms
   */
  constructor(
    private readonly ctx: SenderContext,
    private readonly onTurnedOff: TurnedOff,
    private readonly lease = LEASE,
  ) {
    super()
    this.loop = new Loop({
      every: INTERVAL,
      run: () => this.look(),
      onFailure: (err) => ctx.log.debug({ err }, 'webhooks wait'),
    })
  }

  private get isFree(): string {
    return hasCome('leaseUntil', Math.ceil(this.lease / 1_000))
  }

  override async start(): Promise<void> {
    this.loop.startLater()
  }

  /** Begins a turn with webhooks that are due, as far as there is room. What waits for banned accounts is not sent. */
  private async look(): Promise<void> {
    const due = await this.ctx.db.rows<Pick<Webhook, 'id' | 'ownerId' | 'url'> & { isBanned: bigint | number }>(
      `SELECT id, ownerId, url, EXISTS (SELECT 1 FROM User WHERE User.id = Webhook.ownerId AND ${BANNED}) AS isBanned FROM Webhook
        WHERE dueAt <= ${NOW} AND ${this.isFree} ORDER BY dueAt LIMIT ${MOST_DUE}`,
    )
    const isBanned = (webhook: (typeof due)[number]) => Number(webhook.isBanned) === 1
    for (const { id } of due.filter(isBanned)) await this.ctx.db.atomic((tx) => giveUpWaiting(tx, id, 'banned'))
    for (const { id } of this.slots.choose(due.filter((webhook) => !isBanned(webhook)))) {
      const webhook = await this.take(id)
      if (!webhook) continue
      void this.slots
        .hold(webhook, () => this.turn(webhook))
        .catch((err: unknown) => this.ctx.log.warn({ err }, 'a turn with a webhook was broken off'))
    }
  }

  /** @returns null when another process was faster */
  private async take(id: bigint): Promise<Webhook | null> {
    const taken = await this.ctx.db.change(
      `UPDATE Webhook SET leaseUntil = ${NOW} + INTERVAL ? MICROSECOND
        WHERE id = ? AND enabled = TRUE AND dueAt <= ${NOW} AND ${this.isFree}`,
      this.lease * 1_000,
      id,
    )
    return taken === 0 ? null : this.ctx.db.read((client) => client.webhook.findUnique({ where: { id } }))
  }

  private async turn(webhook: Webhook): Promise<void> {
    const { db } = this.ctx
    const due = await db.rows<Due>(
      `SELECT eventId, attempts, giveUpAt <= ${NOW} + INTERVAL 1 SECOND AS isLast FROM WebhookDelivery
        WHERE webhookId = ? AND state = ${WAITING} AND (nextAt <= ${NOW} OR attempts = 0) ORDER BY nextAt, eventId LIMIT ${MOST}`,
      webhook.id,
    )
    const begun = performance.now()
    let [taken, tries] = [0, 0]
    for (let [at, some] = [0, [] as Due[]]; at < due.length; at += some.length) {
      some = due.slice(at, at + this.slots.atOnce(webhook))
      if (this.loop.isStopped || performance.now() - begun > TURN) break
      const done = await Promise.all(some.map((delivery) => this.deliver(webhook, delivery)))
      const successes = done.filter(Boolean).length
      taken += successes
      tries = Math.max(tries, ...some.map(({ attempts }) => attempts + 1))
      // It takes nothing now: the rest waits.
      if (successes === 0) break
    }
    await this.end(webhook, due.length === 0 || tries === 0 ? 'idle' : taken > 0 ? 'taken' : 'refused', tries)
  }

  /** @returns whether it was taken */
  private async deliver(webhook: Webhook, { eventId, attempts, isLast }: Due): Promise<boolean> {
    const { config, outbound } = this.ctx
    const body = await bodyOf(this.ctx, eventId)
    // Swept: there is nothing left to tell.
    if (body === null) {
      await this.write(webhook.id, eventId, attempts, null, { status: null, failure: 'other', answer: '', took: 0 })
      return true
    }
    const headers = signedHeaders(config.APP_SECRET, webhook, hex(eventId), body, Date.now())
    const result = await attempt(outbound, webhook.url, headers, body)
    const pause = result.failure === null || Number(isLast) === 1 ? null : pauseAfter(attempts + 1)
    if (result.failure === null) this.slots.prove(webhook)
    await this.write(webhook.id, eventId, attempts + 1, pause, result)
    return result.failure === null
  }

  /** @param pause until the next attempt, in ms; null: there is none */
  private async write(
    webhookId: bigint,
    eventId: Uint8Array,
    attempts: number,
    pause: number | null,
    result: Attempt,
  ): Promise<void> {
    const { status, failure, answer, took } = result
    const state = failure === null ? DELIVERED : pause === null ? FAILED : WAITING
    // The last attempt is when its time is over, not hours before.
    const nextAt = pause === null ? 'NULL' : `LEAST(${NOW} + INTERVAL ${pause * 1_000} MICROSECOND, giveUpAt)`
    await this.ctx.db.change(
      `UPDATE WebhookDelivery SET state = ?, attempts = ?, nextAt = ${nextAt}, triedAt = ${NOW}, took = ?, status = ?, failure = ?,
          answer = ? WHERE webhookId = ? AND eventId = ? AND state = ${WAITING}`,
      ...[state, attempts, took, status, failure ?? '', answer, webhookId, Buffer.from(eventId)],
    )
  }

  /** Gives a webhook back, unless its lease is over and it is another's. */
  private async end(webhook: Webhook, outcome: 'idle' | 'refused' | 'taken', tries: number): Promise<void> {
    const { id, leaseUntil, failures } = webhook
    const rest = outcome === 'refused' ? restAfter(failures + 1) : 0
    const health = {
      idle: '',
      taken: 'failures = 0, failingSince = NULL,',
      refused: `failures = failures + 1, failingSince = COALESCE(failingSince, ${NOW}),`,
    }[outcome]
    // Meets those who write down what else is due: one of two may have to begin again.
    const release = () =>
      this.ctx.db.change(
        `UPDATE Webhook SET ${health} leaseUntil = NULL, dueAt = GREATEST(
          (SELECT MIN(nextAt) FROM WebhookDelivery WHERE webhookId = ? AND state = ${WAITING}), ${NOW} + INTERVAL ${rest * 1_000} MICROSECOND)
        WHERE id = ? AND leaseUntil = ?`,
        ...[id, id, sqlTime(leaseUntil?.getTime() ?? 0)],
      )
    await retryTransaction(release)
    if (outcome === 'refused') await turnOffIfFailing(this.ctx, id, tries, this.onTurnedOff)
  }
}

import type { Logger } from 'pino'
import { retryTransaction } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { SqlTransaction } from '@/lib/db/sql'
import type { Domains } from '@/lib/domains/domains'
import type { OutgoingClick } from '@/lib/events/clicks'
import { EVENT_KINDS, eventNumber } from '@/lib/events/kinds'
import { Background, Loop } from '@/lib/tools/loop'
import { timedId } from '@/lib/tools/timed-id'
import { bodyText, namesOf, viewsOf } from './bodies'
import { fanOut, type ToldEvent } from './fan-out'

export interface DispatchContext {
  db: DatabaseGateway
  domains: Domains
  log: Logger
}

/** How often the outbox is looked into, in ms. */
const INTERVAL = 500
/** How often clicks are gathered into batches, in ms. */
const CLICKS_INTERVAL = 5_000
/** Events that one transaction takes from the outbox. */
const ROWS = 100
/** Accounts whose clicks are gathered before others are looked for. */
const OWNERS = 50
/** Rows of clicks that one batch may be made of: with lib/events/clicks.ts, 1 MB of JSON at most, and as a rule far less. */
const CLICK_ROWS = 8
/** Clicks of one batch. */
const MOST_CLICKS = 500

const CLICKED = eventNumber('link.clicked')
const CONVERTED = eventNumber('conversion.created')
const HEALTH = eventNumber('link.health_changed')
const SINGLE = EVENT_KINDS.map((_, number) => number).filter((number) => number !== CLICKED)

interface Row {
  id: Uint8Array
  ownerId: string
  kind: number
  linkId: bigint | null
  data: string
  size: number
  createdAt: Date
}

/**
 * Takes events from the outbox and writes down which webhook is told of them, in one transaction: whatever stops it, an event is
 * in one place or the other. Any number of processes may; each row is some process's at a time.
 */
export class WebhookDispatcher extends Background {
  private clicksAt = Number.NEGATIVE_INFINITY
  protected readonly loop: Loop

  /** @param clicksEvery how often clicks are gathered, in ms */
  constructor(
    private readonly ctx: DispatchContext,
    private readonly clicksEvery = CLICKS_INTERVAL,
  ) {
    super()
    this.loop = new Loop({
      every: INTERVAL,
      run: () => this.dispatch(),
      onFailure: (err) => ctx.log.debug({ err }, 'events wait for their webhooks'),
    })
  }

  /** Not waited for: there may be much. */
  override async start(): Promise<void> {
    this.loop.startLater()
  }

  private async dispatch(): Promise<void> {
    // Nearly always there is nothing, and no transaction for it.
    if ((await this.ctx.db.rows('SELECT id FROM EventOutbox LIMIT 1')).length === 0) return
    while (!this.loop.isStopped && (await this.some((tx) => this.dispatchSingle(tx))) === ROWS);
    const now = performance.now()
    if (now - this.clicksAt < this.clicksEvery) return
    this.clicksAt = now
    await this.dispatchClicks()
  }

  private some<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    return retryTransaction(() => this.ctx.db.transaction(work))
  }

  /** @returns how many events were taken */
  private async dispatchSingle(tx: SqlTransaction): Promise<number> {
    const rows = await tx.rows<Row>(
      `SELECT id, ownerId, kind, linkId, data, size, createdAt FROM EventOutbox
        WHERE kind IN (${SINGLE.join()}) LIMIT ${ROWS} FOR UPDATE SKIP LOCKED`,
      [],
    )
    if (rows.length === 0) return 0
    await fanOut(tx, await this.told(rows))
    await remove(tx, rows)
    return rows.length
  }

  /** In the order in which they happened. */
  private async told(rows: readonly Row[]): Promise<ToldEvent[]> {
    const isNamed = ({ kind, data }: Row) => data === 'null' || kind === HEALTH
    const named = rows.flatMap((row) => (isNamed(row) && row.linkId !== null ? [row.linkId] : []))
    const converted = rows.flatMap(({ kind, linkId }) => (kind === CONVERTED && linkId !== null ? [linkId] : []))
    const names = converted.length === 0 ? new Map() : await namesOf(this.ctx, converted)
    const views = named.length === 0 ? new Map() : await viewsOf(this.ctx, named)
    return rows
      .flatMap((row) => {
        const { id, ownerId, kind, linkId, data, createdAt } = row
        const type = EVENT_KINDS[kind]
        const link = isNamed(row) && linkId !== null ? views.get(linkId) : undefined
        // A link that is gone for good meanwhile has nothing to tell.
        if (type === undefined || (isNamed(row) && !link)) return []
        const told =
          kind === CONVERTED
            ? { link: names.get(String(linkId)) ?? { id: String(linkId) }, ...JSON.parse(data) }
            : JSON.parse(data)
        const body = bodyText(type, createdAt, link ? { link, ...JSON.parse(data) } : told)
        return [{ id: Buffer.from(id).toString('hex'), kind: type, ownerId, body }]
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  private async dispatchClicks(): Promise<void> {
    for (;;) {
      const owners = await this.ctx.db.rows<{ ownerId: string }>(
        `SELECT DISTINCT ownerId FROM EventOutbox WHERE kind = ${CLICKED} LIMIT ${OWNERS}`,
      )
      let taken = 0
      for (const { ownerId } of owners) {
        for (let rows = 1; rows > 0 && !this.loop.isStopped; taken += rows) {
          rows = await this.some((tx) => this.dispatchBatch(tx, ownerId))
        }
      }
      // What is left is another process's.
      if (taken === 0 || owners.length < OWNERS || this.loop.isStopped) return
    }
  }

  /**
   * Makes one batch of an account's clicks. Rows go as a whole and with the batch they are in, so each click is in one.
   * @returns how many rows were taken
   */
  private async dispatchBatch(tx: SqlTransaction, ownerId: string): Promise<number> {
    const found = await tx.rows<Row>(
      `SELECT id, ownerId, kind, linkId, data, size, createdAt FROM EventOutbox
        WHERE kind = ${CLICKED} AND ownerId = ? ORDER BY id LIMIT ${CLICK_ROWS} FOR UPDATE SKIP LOCKED`,
      [ownerId],
    )
    if (found.length === 0) return 0
    const rows: Row[] = []
    let size = 0
    for (const row of found) {
      if (rows.length > 0 && size + row.size > MOST_CLICKS) break
      rows.push(row)
      size += row.size
    }
    const clicks = rows.flatMap(({ data }) => JSON.parse(data) as OutgoingClick[])
    const names = await namesOf(
      this.ctx,
      clicks.map(({ linkId }) => BigInt(linkId)),
    )
    const told = clicks.map(({ linkId, ...click }) => ({ link: names.get(linkId) ?? { id: linkId }, ...click }))
    const now = Date.now()
    const body = bodyText('link.clicked', new Date(now), { clicks: told })
    await fanOut(tx, [{ id: timedId(now), kind: 'link.clicked', ownerId, body }])
    await remove(tx, rows)
    return rows.length
  }
}

async function remove(tx: SqlTransaction, rows: readonly Row[]): Promise<void> {
  const ids = rows.map(({ id }) => `x'${Buffer.from(id).toString('hex')}'`)
  await tx.run(`DELETE FROM EventOutbox WHERE id IN (${ids.join()})`, [])
}

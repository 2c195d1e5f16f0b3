import { marks } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import { type EventKind, eventBits } from './kinds'

/** How old what is remembered may be, in ms. */
const FRESH = 500
/** How long a webhook that was created or turned on waits before that is answered: then no process remembers it otherwise. */
export const LISTENERS_DELAY = 600
/** Accounts that are remembered. Where more have webhooks, MySQL is asked each time. */
const MOST = 5_000
/** Accounts of one statement. */
const ROWS = 500

interface Row {
  ownerId: string
  events: number
}

/** Where it is read: within a transaction or without. */
export type Read = <Found>(sql: string, values: unknown[]) => Promise<Found[]>

/**
 * Which accounts have webhooks that want to be told of what, so that all others cost nothing: no statement more, no row. What is
 * remembered is read again after half a second, with the next change and never without one. A webhook is answered for a little
 * later than that, so what happens after the answer is never missed.
 */
export class Listeners {
  private readAt = Number.NEGATIVE_INFINITY
  /** By account. null: there are too many. */
  private known: ReadonlyMap<string, number> | null = new Map()
  private reading: Promise<void> | null = null

  constructor(private readonly now = () => performance.now()) {}

  /** Whether a change of an account's must be written down. @throws what `read` throws */
  async hears(kind: EventKind, ownerId: string | null, read: Read): Promise<boolean> {
    return ownerId !== null && (await this.among([ownerId], kind, read)).has(ownerId)
  }

  /** Those of some accounts that want to be told. @throws what `read` throws */
  async among(ownerIds: Iterable<string>, kind: EventKind, read: Read): Promise<ReadonlySet<string>> {
    const bit = eventBits([kind])
    const known = await this.fresh(read)
    if (known) return new Set([...ownerIds].filter((id) => (known.get(id) ?? 0) & bit))
    const found = new Set<string>()
    for (const some of pieces([...new Set(ownerIds)], ROWS)) {
      const rows = await read<Row>(
        `SELECT ownerId, events FROM Webhook WHERE ownerId IN (${marks(some)}) AND enabled = TRUE`,
        some,
      )
      for (const { ownerId, events } of rows) if (events & bit) found.add(ownerId)
    }
    return found
  }

  /** Whether anyone at all wants to be told. @throws what `read` throws */
  async anyHears(kind: EventKind, read: Read): Promise<boolean> {
    const bit = eventBits([kind])
    const known = await this.fresh(read)
    return known === null || [...known.values()].some((events) => events & bit)
  }

  private async fresh(read: Read): Promise<ReadonlyMap<string, number> | null> {
    const askedAt = this.now()
    // One that is under way may have begun too long ago.
    while (askedAt - this.readAt > FRESH) {
      this.reading ??= this.readAll(read).finally(() => {
        this.reading = null
      })
      await this.reading
    }
    return this.known
  }

  private async readAll(read: Read): Promise<void> {
    const begunAt = this.now()
    const rows = await read<Row>(
      'SELECT ownerId, events FROM Webhook FORCE INDEX (Webhook_enabled_ownerId_events_idx) WHERE enabled = TRUE LIMIT ?',
      [MOST + 1],
    )
    const known = new Map<string, number>()
    for (const { ownerId, events } of rows) known.set(ownerId, (known.get(ownerId) ?? 0) | events)
    this.known = rows.length > MOST ? null : known
    this.readAt = begunAt
  }
}

import type { DatabaseGateway } from '@/lib/db/gateway'
import { marks } from '@/lib/db/literal'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Loop } from '@/lib/tools/loop'
import { type Holder, Places } from './places'

const INTERVAL = 1_000
const MAX_WATCHERS = 1_000

export interface Watcher {
  /** The link's count, whenever it is another than it was. */
  clicks(count: number): void
  /** The link is gone, this process is about to stop, or a newer watcher was given the place. Nothing follows. */
  end(why?: 'replaced'): void
}

interface Watched {
  count: number
  seats: Set<Seat>
}

interface Seat {
  watcher: Watcher
  giveBack: () => void
}

/** Tells watchers of links how many clicks these have: one query a second for all of them, none while nobody watches. */
export class LiveHub {
  private readonly links = new Map<bigint, Watched>()
  private readonly places: Places
  private readonly loop: Loop

  constructor(
    private readonly db: Pick<DatabaseGateway, 'rows'>,
    every = INTERVAL,
    maxWatchers = MAX_WATCHERS,
  ) {
    // While MySQL is away watchers keep what they know, and the next second asks again.
    this.loop = new Loop({ every, run: () => this.poll() })
    this.places = new Places(maxWatchers)
  }

  /** Watchers there are. */
  get watching(): number {
    return this.places.size
  }

  /**
   * Watches a link until the function returned is called.
   * @param count its clicks as the caller read them; the watcher is told this first, or what is known by now
   * @param holder who watches: one who has too many loses the oldest
   * @throws TerseError 'unavailable' when there are too many watchers, or this process is about to stop
   */
  watch(linkId: bigint, count: number, watcher: Watcher, holder: Holder): () => void {
    const giveBack = this.loop.isStopped ? null : this.places.occupy(holder, linkId, () => this.replace(linkId, seat))
    if (!giveBack) {
      throw new TerseError('unavailable', say('api.stats.live'), { retryAfter: 30 })
    }
    const seat: Seat = { watcher, giveBack }
    const watched = this.links.get(linkId) ?? { count, seats: new Set() }
    this.links.set(linkId, watched)
    watched.seats.add(seat)
    this.loop.startLater()
    watcher.clicks(watched.count)
    return () => this.leave(linkId, seat)
  }

  private replace(linkId: bigint, seat: Seat): void {
    this.leave(linkId, seat)
    seat.watcher.end('replaced')
  }

  private leave(linkId: bigint, seat: Seat): void {
    const watched = this.links.get(linkId)
    if (!watched?.seats.delete(seat)) return
    seat.giveBack()
    if (watched.seats.size === 0) this.links.delete(linkId)
    if (this.links.size === 0) this.loop.pause()
  }

  private async poll(): Promise<void> {
    const asked = [...this.links]
    const rows = await this.db.rows<{ id: bigint; clicks: bigint }>(
      `SELECT id, clicks FROM Link WHERE id IN (${marks(asked)})`,
      ...asked.map(([id]) => id),
    )
    const counts = new Map(rows.map(({ id, clicks }) => [id, Number(clicks)]))
    for (const [id, watched] of asked) this.tell(id, watched, counts.get(id))
  }

  private tell(id: bigint, watched: Watched, count: number | undefined): void {
    if (count === undefined) {
      this.end(id, watched)
      return
    }
    if (count === watched.count) return
    watched.count = count
    for (const { watcher } of [...watched.seats]) watcher.clicks(count)
  }

  private end(id: bigint, watched: Watched): void {
    for (const seat of [...watched.seats]) {
      this.leave(id, seat)
      seat.watcher.end()
    }
  }

  /** Ends all watching, so that open connections do not keep the process from stopping. */
  close(): void {
    void this.loop.stop()
    for (const [id, watched] of [...this.links]) this.end(id, watched)
  }
}

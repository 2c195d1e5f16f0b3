import type { DatabaseGateway } from '@/lib/db/gateway'
import { marks } from '@/lib/db/literal'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Loop } from '@/lib/tools/loop'
import { type Holder, Places } from './places'

const INTERVAL = 1_000
const MAX_WATCHERS = 1_000

export interface Watcher {
  /** The count, whenever it is another than it was. */
  clicks(count: number): void
  /** What was watched is gone, this process is about to stop, or a newer watcher was given the place. Nothing follows. */
  end(why?: 'replaced'): void
}

/** Says how many clicks these have; what is gone is left out. @throws while nobody knows */
export type ReadCounts<Key> = (keys: readonly Key[]) => Promise<Map<Key, number>>

/** Clicks of links, by their ids. */
export const countsOfLinks =
  (db: Pick<DatabaseGateway, 'rows'>): ReadCounts<bigint> =>
  async (ids) => {
    const rows = await db.rows<{ id: bigint; clicks: bigint }>(`SELECT id, clicks FROM Link WHERE id IN (${marks(ids)})`, ...ids)
    return new Map(rows.map(({ id, clicks }) => [id, Number(clicks)]))
  }

interface Watched {
  count: number
  seats: Set<Seat>
}

interface Seat {
  watcher: Watcher
  giveBack: () => void
}

/** Tells watchers how many clicks something has: it is read once a second for all of them, and never while nobody watches. */
export class LiveHub<Key> {
  private readonly things = new Map<Key, Watched>()
  private readonly places: Places
  private readonly loop: Loop

  constructor(
    private readonly read: ReadCounts<Key>,
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
   * Watches a link, or what else this is about, until the function returned is called.
   * @param count its clicks as the caller read them; the watcher is told this first, or what is known by now
   * @param holder who watches: one who has too many loses the oldest
   * @throws TerseError 'unavailable' when there are too many watchers, or this process is about to stop
   */
  watch(key: Key, count: number, watcher: Watcher, holder: Holder): () => void {
    const giveBack = this.loop.isStopped ? null : this.places.occupy(holder, key, () => this.replace(key, seat))
    if (!giveBack) {
      throw new TerseError('unavailable', say('api.stats.live'), { retryAfter: 30 })
    }
    const seat: Seat = { watcher, giveBack }
    const watched = this.things.get(key) ?? { count, seats: new Set() }
    this.things.set(key, watched)
    watched.seats.add(seat)
    this.loop.startLater()
    watcher.clicks(watched.count)
    return () => this.leave(key, seat)
  }

  private replace(key: Key, seat: Seat): void {
    this.leave(key, seat)
    seat.watcher.end('replaced')
  }

  private leave(key: Key, seat: Seat): void {
    const watched = this.things.get(key)
    if (!watched?.seats.delete(seat)) return
    seat.giveBack()
    if (watched.seats.size === 0) this.things.delete(key)
    if (this.things.size === 0) this.loop.pause()
  }

  private async poll(): Promise<void> {
    const asked = [...this.things]
    const counts = await this.read(asked.map(([key]) => key))
    for (const [key, watched] of asked) this.tell(key, watched, counts.get(key))
  }

  private tell(key: Key, watched: Watched, count: number | undefined): void {
    if (count === undefined) {
      this.end(key, watched)
      return
    }
    if (count === watched.count) return
    watched.count = count
    for (const { watcher } of [...watched.seats]) watcher.clicks(count)
  }

  private end(key: Key, watched: Watched): void {
    for (const seat of [...watched.seats]) {
      this.leave(key, seat)
      seat.watcher.end()
    }
  }

  /** Ends all watching, so that open connections do not keep the process from stopping. */
  close(): void {
    void this.loop.stop()
    for (const [key, watched] of [...this.things]) this.end(key, watched)
  }
}

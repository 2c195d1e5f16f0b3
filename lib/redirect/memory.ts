import { LRUCache } from 'lru-cache'
import type { Decision } from './decide'
import type { Outbox } from './outbox'
import type { CachedRecord } from './record'
import type { ShardFeed } from './shard-feed'

/** Lifetimes from when an entry was filled; a hit never renews them. In ms. */
const HIT_LIFETIME = 600_000
const MISS_LIFETIME = 2_000
/** Unknown codes that are kept. */
const MISSES = 2_000
/** From this age on somebody must vouch that nothing changed since. */
const YOUNG = 700

export interface Entry {
  readonly record: CachedRecord | null
  readonly filledAt: number
  /** The lane's answer, where it is the same for every request. */
  constant?: Decision
}

interface HeldEntry extends Entry {
  /** Where changes of this link would be heard. */
  readonly feed: ShardFeed
}

/**
 * What a process remembers of links. An entry is believed while its shard's feed confirms that no change was missed, and
 * the outbox that none was unheard. After a gap it is doubtful: not believed, and kept for when nobody can be asked.
 */
export class Memory {
  private readonly hits: LRUCache<string, HeldEntry> | null
  /** Apart, so that someone who tries out codes does not push the links out. */
  private readonly misses: LRUCache<string, HeldEntry> | null

  /** @param capacity entries that are kept; 0 keeps none */
  constructor(
    capacity: number,
    private readonly outbox: Pick<Outbox, 'vouches'>,
  ) {
    this.hits = capacity > 0 ? new LRUCache({ max: capacity }) : null
    this.misses = capacity > 0 ? new LRUCache({ max: Math.min(capacity, MISSES) }) : null
  }

  /** The entry, if it can be believed. */
  fresh(full: string): Entry | undefined {
    return this.believed(this.hits?.get(full), HIT_LIFETIME) ?? this.believed(this.misses?.get(full), MISS_LIFETIME)
  }

  private believed(entry: HeldEntry | undefined, lifetime: number): Entry | undefined {
    if (entry === undefined) return undefined
    const { feed, filledAt } = entry
    if (filledAt <= feed.doubtedAt) return undefined
    const now = performance.now()
    if (now - filledAt < YOUNG) return entry
    const vouched = feed.isLive(now) && this.outbox.vouches(now)
    return vouched && now - filledAt < lifetime ? entry : undefined
  }

  /** What it last was, filled after `since` (of performance.now()): for when nobody answers. */
  lastKnown(full: string, since: number): CachedRecord | null {
    const entry = this.hits?.get(full)
    return entry && entry.filledAt > since ? entry.record : null
  }

  keep(full: string, entry: HeldEntry): void {
    const [to, from] = entry.record === null ? [this.misses, this.hits] : [this.hits, this.misses]
    to?.set(full, entry)
    from?.delete(full)
  }

  forget(full: string): void {
    this.hits?.delete(full)
    this.misses?.delete(full)
  }

  get size(): number {
    return this.hits?.size ?? 0
  }
}

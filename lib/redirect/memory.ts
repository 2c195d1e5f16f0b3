import { LRUCache } from 'lru-cache'
import { HOUR } from '@/lib/tools/time'
import type { Decision } from './decide'
import type { Feeds } from './feeds'
import type { Outbox } from './outbox'
import { NOWHERE, PackedRecords } from './packed-records'
import { type CachedRecord, decodeRecord, encodeRecord } from './record'
import type { ShardFeed } from './shard-feed'

/** Lifetimes from when an entry was filled; a hit never renews them. In ms. */
const HIT_LIFETIME = HOUR
const MISS_LIFETIME = 2_000
/** Unknown codes that are kept. */
const MISSES = 2_000
/** From this age on somebody must vouch that nothing changed since. */
const YOUNG = 700
/** Entries that are held ready for the lane, a power of two; and how long a record of one may be, packed. */
const READY = 8_192
const READY_LENGTH = 1_000
/** Characters of longer records, packed, that are held ready beside them: rules of many links, or of few with very many. */
const LONG_LENGTH = 2_000_000

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
 *
 * All links are packed. Those that are asked for most are unpacked beside that, in places that the hash of the full short URL
 * names: the first link takes a free one, and then any that is asked for again.
 */
export class Memory {
  private readonly packed: PackedRecords | null
  private readonly names: (string | undefined)[] = new Array(READY).fill(undefined)
  private readonly ready: (HeldEntry | undefined)[] = new Array(READY).fill(undefined)
  /** Long ones: to read one and make its rules ready takes longer than all else of a redirect. */
  private readonly long = new LRUCache<string, HeldEntry>({ maxSize: LONG_LENGTH })
  /** Apart, so that someone who tries out codes does not push the links out. */
  private readonly misses: LRUCache<string, HeldEntry> | null

  /** @param bytes for links that are kept; 0 keeps none */
  constructor(
    bytes: number,
    private readonly feeds: Pick<Feeds, 'inShard'>,
    private readonly outbox: Pick<Outbox, 'vouches'>,
  ) {
    this.packed = bytes > 0 ? new PackedRecords(bytes) : null
    this.misses = bytes > 0 ? new LRUCache({ max: MISSES }) : null
  }

  /** The entry, if it can be believed. */
  fresh(full: string): Entry | undefined {
    return this.believed(this.held(full), HIT_LIFETIME) ?? this.believed(this.misses?.get(full), MISS_LIFETIME)
  }

  private held(full: string): HeldEntry | undefined {
    const { packed } = this
    if (packed === null) return undefined
    const hash = packed.hash(full)
    const place = hash & (READY - 1)
    return this.names[place] === full ? this.ready[place] : this.unpack(packed, full, hash)
  }

  private unpack(packed: PackedRecords, full: string, hash: number): HeldEntry | undefined {
    const at = packed.find(full, hash)
    if (at === NOWHERE) return undefined
    const value = packed.value(at)
    const known = value.length > READY_LENGTH ? this.long.get(full) : undefined
    if (known) {
      packed.use(at)
      return known
    }
    const record = decodeRecord(value)
    if (record === null) return undefined
    const entry = { record, filledAt: packed.filledAt(at), feed: this.feeds.inShard(packed.shard(at)) }
    if (packed.use(at) || value.length > READY_LENGTH) this.makeReady(full, hash, entry, value)
    return entry
  }

  private makeReady(full: string, hash: number, entry: HeldEntry, value: string): void {
    if (value.length > READY_LENGTH) {
      this.long.set(full, entry, { size: value.length })
      return
    }
    const place = hash & (READY - 1)
    this.names[place] = full
    this.ready[place] = entry
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

  /** What it last was, if that was right after `since` (of performance.now()): for when nobody answers. */
  lastKnown(full: string, since: number): CachedRecord | null {
    const entry = this.held(full)
    return entry && entry.feed.rightUntil(entry.filledAt) > since ? entry.record : null
  }

  /** @param shard of the full short URL, whose changes `entry.feed` tells */
  keep(full: string, shard: number, entry: HeldEntry): void {
    this.forget(full)
    const { packed } = this
    if (packed === null) return
    if (entry.record === null) {
      this.misses?.set(full, entry)
      return
    }
    const hash = packed.hash(full)
    const value = encodeRecord(entry.record)
    packed.set(full, hash, value, entry.filledAt, shard)
    // Who comes first only where nobody is: most links are asked for once.
    if (this.names[hash & (READY - 1)] === undefined) this.makeReady(full, hash, entry, value)
  }

  forget(full: string): void {
    const { packed } = this
    if (packed === null) return
    const hash = packed.hash(full)
    packed.delete(full, hash)
    const place = hash & (READY - 1)
    if (this.names[place] === full) this.names[place] = this.ready[place] = undefined
    this.long.delete(full)
    this.misses?.delete(full)
  }

  /** Links that are kept. */
  get size(): number {
    return this.packed?.size ?? 0
  }

  /** Bytes that these take. */
  get bytes(): number {
    return this.packed?.used ?? 0
  }
}

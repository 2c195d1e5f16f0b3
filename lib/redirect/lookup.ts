import { LRUCache } from 'lru-cache'
import type { Registry } from '@/lib/codes/registry'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { SingleFlight } from '@/lib/tools/single-flight'
import type { Decision } from './decide'
import type { Outbox } from './outbox'
import { type CachedRecord, decodeRecord, encodeRecord } from './record'
import { readRecord } from './source'

/** Lifetimes in memory from when an entry was filled; a hit never renews them. In ms. */
const HIT_LIFETIME = 10_000
const MISS_LIFETIME = 2_000
/** Unknown codes kept in memory. */
const MISSES = 2_000
/** While changes by others may not be heard, nothing older than this is served. */
const UNHEARD_LIFETIME = 800
/** With MySQL and Redis down, how old an entry may get. */
const STALE_LIFETIME = 3_600_000

/** Where an answer came from. */
export type Tier = 'memory' | 'redis' | 'filter' | 'mysql' | 'stale'

export interface Entry {
  readonly record: CachedRecord | null
  readonly filledAt: number
  /** The lane's answer, where it is the same for every request. */
  constant?: Decision & { kind: 'redirect' }
}

export interface Found {
  entry: Entry
  tier: Tier
}

interface Sources {
  db: SqlGateway
  registry: Registry
  outbox: Outbox
  /** Whether changes published by other processes reach this one. */
  hearsChanges: () => boolean
  /** Entries kept in memory; 0 keeps none. */
  capacity: number
}

/**
 * Finds links: memory, then Redis, then MySQL, each standing in for the next.
 * The rules that keep an old answer from outliving a change are in docs/decisions/0004-lookup.md.
 */
export class Lookup {
  private readonly memory: LRUCache<string, Entry> | null
  /** Apart, so that someone who tries out codes does not push the links out of memory. */
  private readonly misses: LRUCache<string, Entry> | null
  private readonly flights = new SingleFlight<Found>()
  /** Grows when everything in memory became doubtful; a flight from before may not fill it. */
  private era = 0

  constructor(private readonly sources: Sources) {
    this.memory = sources.capacity > 0 ? new LRUCache({ max: sources.capacity }) : null
    this.misses = sources.capacity > 0 ? new LRUCache({ max: Math.min(sources.capacity, MISSES) }) : null
  }

  /** The entry in memory, if it is fresh: the whole of the hot path. */
  peek(full: string): Entry | undefined {
    return this.fresh(this.memory?.get(full), HIT_LIFETIME) ?? this.fresh(this.misses?.get(full), MISS_LIFETIME)
  }

  private fresh(entry: Entry | undefined, lifetime: number): Entry | undefined {
    if (entry === undefined) return undefined
    const now = performance.now()
    const age = now - entry.filledAt
    if (age < UNHEARD_LIFETIME) return entry
    return age < lifetime && this.sources.hearsChanges() && this.sources.outbox.vouches(now) ? entry : undefined
  }

  /** @throws TerseError 'unavailable' when the code is in no cache and MySQL does not answer */
  async find(full: string): Promise<Found> {
    const entry = this.peek(full)
    return entry ? { entry, tier: 'memory' } : this.flights.run(full, () => this.fetch(full))
  }

  /** Something about this link changed. */
  invalidate(full: string): void {
    this.memory?.delete(full)
    this.misses?.delete(full)
    this.flights.forget(full)
    this.changed.set(full, performance.now())
  }

  /** Anything may have changed. */
  invalidateAll(): void {
    this.era += 1
    this.memory?.clear()
    this.misses?.clear()
    this.flights.forgetAll()
  }

  get size(): number {
    return this.memory?.size ?? 0
  }

  /** When a link was last said to have changed; as old as a flight can be is long enough. */
  private readonly changed = new LRUCache<string, number>({ max: 10_000 })

  private async fetch(full: string): Promise<Found> {
    const filledAt = performance.now()
    const { era } = this
    const { record, tier } = await this.ask(full, filledAt)
    const entry: Entry = { record, filledAt }
    const overtaken = era !== this.era || (this.changed.get(full) ?? Number.NEGATIVE_INFINITY) >= filledAt
    // Kept only when nothing was said to have changed since this flight began.
    if (tier !== 'stale' && !overtaken) this.keep(full, entry)
    return { entry, tier }
  }

  private keep(full: string, entry: Entry): void {
    if (entry.record === null) {
      this.misses?.set(full, entry)
      this.memory?.delete(full)
      return
    }
    this.memory?.set(full, entry)
    this.misses?.delete(full)
  }

  private async ask(full: string, now: number): Promise<{ record: CachedRecord | null; tier: Tier }> {
    const { registry, outbox, db } = this.sources
    const answer = await registry.lookup(full).catch(() => null)
    // What is known to be out of date is not even served when nobody else answers: it may have been banned.
    const held = answer?.record && !outbox.names(full) ? decodeRecord(answer.record) : null
    if (answer?.trusted) {
      if (held && outbox.vouches(now)) return { record: held, tier: 'redis' }
      if (answer.record === null && !answer.mayExist && outbox.isEmpty) return { record: null, tier: 'filter' }
    }
    let record: CachedRecord | null
    try {
      record = await readRecord(db, full)
    } catch (error) {
      if (held) return { record: held, tier: 'redis' }
      const stale = this.memory?.get(full)
      if (stale?.record && now - stale.filledAt < STALE_LIFETIME) return { record: stale.record, tier: 'stale' }
      throw error
    }
    if (record && answer?.trusted && answer.record === null) registry.fill(full, encodeRecord(record)).catch(() => {})
    return { record, tier: 'mysql' }
  }
}

import { LRUCache } from 'lru-cache'
import type { Registry, RegistryAnswer } from '@/lib/codes/registry'
import { shardOf } from '@/lib/codes/shards'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { SingleFlight } from '@/lib/tools/single-flight'
import { HOUR } from '@/lib/tools/time'
import { Together } from '@/lib/tools/together'
import type { Feeds } from './feeds'
import { type Entry, Memory } from './memory'
import { readRecordsInOrder } from './mysql-records'
import type { Nearby } from './nearby'
import type { Outbox } from './outbox'
import { type CachedRecord, decodeRecord, encodeRecord, isOlder } from './record'

export type { Entry } from './memory'

/** With MySQL and Redis down, for how long an entry is served after it was last known to be right. In ms. */
const STALE_LIFETIME = HOUR
/** Links of one statement. */
const STATEMENT = 64
/** Changes that are remembered: as many as can come during one flight, and those worth remembering in an outage. */
const CHANGES = 10_000

/** Where an answer came from. */
export type Tier = 'memory' | 'nearby' | 'redis' | 'filter' | 'mysql' | 'stale'

export interface Found {
  entry: Entry
  tier: Tier
}

interface Answer {
  record: CachedRecord | null
  tier: Tier
  /** Whether it was current when it was asked for, rather than the best there was. */
  current: boolean
}

interface Sources {
  db: SqlGateway
  registry: Registry
  outbox: Outbox
  feeds: Feeds
  /** Copies near an edge process; null where there are none. */
  nearby?: Nearby | null
  /** Bytes for what is kept in memory; 0 keeps nothing. */
  memory: number
}

/**
 * Finds links: memory, then a nearby Redis where there is one, then Redis, then MySQL, each standing in for the next.
 * The rules that keep an old answer from outliving a change are in docs/decisions/0004-lookup.md and 0016-gaps.md.
 */
export class Lookup {
  private readonly memory: Memory
  private readonly flights = new SingleFlight<Found>()
  /** What is asked of MySQL, all of one turn by one statement. */
  private readonly records = new Together<string, CachedRecord | null>({
    most: STATEMENT,
    work: (fulls) => readRecordsInOrder(this.sources.db, fulls),
  })
  /** The same of links that have several names, of which none is in another statement than the others. */
  private readonly namedRecords = new Together<readonly string[], (CachedRecord | null)[]>({
    most: STATEMENT / 2,
    work: async (asked) => {
      const records = await readRecordsInOrder(this.sources.db, asked.flat())
      return asked.map((names) => records.splice(0, names.length))
    },
  })
  /** When a link was last said to have changed, and to which version ('0' when that was not said). */
  private readonly changed = new LRUCache<string, { at: number; version: string }>({ max: CHANGES })

  constructor(private readonly sources: Sources) {
    this.memory = new Memory(sources.memory, sources.feeds, sources.outbox)
    sources.feeds.listen({
      change: (full, version) => this.invalidate(full, version),
      // Who asks from now on does not share a flight from before.
      gap: () => this.flights.forgetAll(),
    })
  }

  /** The entry in memory, if it is fresh: the whole of the hot path. */
  peek(full: string): Entry | undefined {
    return this.memory.fresh(full)
  }

  /** @throws TerseError 'unavailable' when the code is in no cache and MySQL does not answer */
  find(full: string): Promise<Found> {
    const entry = this.peek(full)
    return entry ? Promise.resolve({ entry, tier: 'memory' }) : this.flights.run(full, () => this.fetch(full))
  }

  /**
   * The same of a link that may be found under one of several names, as `Domains.namesOf` gives them: the first that leads
   * somewhere. What caches have under none of them may be on its way from one to another at this moment: MySQL is asked about all
   * by one statement, which sees it under one.
   */
  async findNamed(names: readonly [string, ...string[]]): Promise<Found> {
    const [name, ...others] = names
    if (others.length === 0) return this.find(name)
    const cached = await Promise.all(names.map((one) => this.find(one)))
    const led = cached.find(({ entry }) => entry.record?.kind === 'link')
    if (led) return led
    const records = await this.namedRecords.add(names)
    const record = records.find((one) => one?.kind === 'link') ?? records.find((one) => one !== null) ?? null
    return { entry: { record, filledAt: performance.now() }, tier: 'mysql' }
  }

  /** Something about this link changed. @param version that it has now, if that is known */
  invalidate(full: string, version = '0'): void {
    this.memory.forget(full)
    this.flights.forget(full)
    const known = this.changed.get(full)?.version ?? '0'
    this.changed.set(full, { at: performance.now(), version: isOlder(version, known) ? known : version })
  }

  /** What is kept in memory: links, the bytes that they take, and those that they may. */
  get held(): { links: number; bytes: number; limit: number } {
    return { links: this.memory.size, bytes: this.memory.bytes, limit: this.sources.memory }
  }

  private async fetch(full: string): Promise<Found> {
    const filledAt = performance.now()
    const shard = shardOf(full)
    const feed = this.sources.feeds.inShard(shard)
    const { number } = feed
    const { record, tier, current } = await this.ask(full, filledAt, number)
    const entry = { record, filledAt, feed }
    // Kept only when nothing was said to have changed since this flight began, nor may have.
    const overtaken = feed.doubtedAt >= filledAt || (this.changed.get(full)?.at ?? Number.NEGATIVE_INFINITY) >= filledAt
    if (current && !overtaken) {
      this.memory.keep(full, shard, entry)
      // A miss is not copied: who tries out codes would fill that Redis.
      if (record && tier !== 'nearby') this.sources.nearby?.keep(full, encodeRecord(record), number)
    }
    return { entry, tier }
  }

  /** @param number of the last change of the link's shard that was heard */
  private async ask(full: string, now: number, number: number): Promise<Answer> {
    const { registry, outbox, db, nearby } = this.sources
    const copy = nearby ? await nearby.find(full) : null
    const near = this.unlessOutdated(full, copy?.value)
    if (near && copy?.current && outbox.vouches(now)) return { record: near, tier: 'nearby', current: true }
    // With an answer at hand, do not wait for Redis. Reading the numbers of changes tries whether it is back.
    const answer = near && registry.isAway ? null : await this.inRegistry(full)
    const held = this.unlessOutdated(full, answer?.record)
    if (answer?.trusted) {
      if (held && outbox.vouches(now)) return { record: held, tier: 'redis', current: true }
      if (answer.record === null && !answer.mayExist && outbox.isEmpty) return { record: null, tier: 'filter', current: true }
    }
    const fallback = newest([
      { record: this.memory.lastKnown(full, now - STALE_LIFETIME), tier: 'stale' },
      { record: near, tier: 'nearby' },
      { record: held, tier: 'redis' },
    ])
    // MySQL is known to be away: with an answer at hand, do not wait for it. Reading the outbox tries it.
    if (fallback && db.breakerState !== 'closed') return fallback
    let record: CachedRecord | null
    try {
      record = await this.records.add(full)
    } catch (error) {
      if (fallback) return fallback
      throw error
    }
    if (record && answer?.trusted && answer.record === null) registry.fill(full, encodeRecord(record), number).catch(() => {})
    return { record, tier: 'mysql', current: true }
  }

  /** Null when Redis cannot be asked. */
  private async inRegistry(full: string): Promise<RegistryAnswer | null> {
    try {
      return await this.sources.registry.lookup(full)
    } catch {
      return null
    }
  }

  /** The record in `value`, or null when a newer one is known of. Such a one is never served: it may have been banned since. */
  private unlessOutdated(full: string, value: string | null | undefined): CachedRecord | null {
    if (!value || this.sources.outbox.names(full)) return null
    const record = decodeRecord(value)
    const change = this.changed.get(full)
    return record && change && isOlder(record.version, change.version) ? null : record
  }
}

/** The newest of what caches have, none of which can be vouched for; of two alike the first. */
function newest(known: readonly { record: CachedRecord | null; tier: Tier }[]): Answer | null {
  let best: Answer | null = null
  for (const { record, tier } of known) {
    if (record && !(best?.record && !isOlder(best.record.version, record.version))) best = { record, tier, current: false }
  }
  return best
}

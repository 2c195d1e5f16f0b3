import { shardKeys, shardOf } from '@/lib/codes/shards'
import type { RedisGateway } from '@/lib/redis/gateway'
import type { Feeds } from './feeds'

/** How long a copy is kept, in ms. With the centre away, none that is older is served. */
const LIFETIME = 24 * 3_600_000
/** A state that is behind for longer is not on its way any more, in ms. */
const ON_ITS_WAY = 500

export interface Copy {
  /** As lib/redirect/record.ts encodes it. */
  value: string
  /** Whether it was told of every change that this process heard, and this process of all there were. */
  current: boolean
}

/**
 * Copies of records in a Redis near an edge process, so that it need not ask the centre. Each process passes the changes that
 * it hears on to it; they are numbered, so that a copy is only believed where none was missed (lib/redis/lua/nearby.lua).
 */
export class Nearby {
  constructor(
    readonly redis: RedisGateway,
    private readonly feeds: Feeds,
  ) {
    feeds.listen({ published: (shard, before, number, fulls) => this.pass(shard, before, number, fulls) })
  }

  /** The copy of a link's record, or null. Never throws. */
  async find(full: string): Promise<Copy | null> {
    const keys = shardKeys(shardOf(full))
    const reply = await this.redis.script('nearby', [keys.nearby, keys.copy(full)], []).catch(() => null)
    if (reply === null) return null
    const feed = this.feeds.of(full)
    const [number, ofThisEpoch, value] = reply
    const together = Number(number) === feed.number
    if (!together) this.follow(full)
    return value === null ? null : { value, current: together && ofThisEpoch === 1 && feed.isLive(performance.now()) }
  }

  /** Keeps a record that was current when `number` was the last change heard. */
  keep(full: string, value: string, number: number): void {
    const keys = shardKeys(shardOf(full))
    this.redis.script('nearbyKeep', [keys.nearby, keys.copy(full)], [number, value, LIFETIME]).catch(() => {})
  }

  private pass(shard: number, before: number, number: number, fulls: readonly string[]): void {
    const keys = shardKeys(shard)
    // What does not arrive leaves the state behind.
    this.redis.script('nearbyPass', [keys.nearby, ...fulls.map(keys.copy)], [before, number]).catch(() => {})
  }

  /** The state is elsewhere than this process, which may be a moment ahead or behind. */
  private follow(full: string): void {
    const feed = this.feeds.of(full)
    const now = performance.now()
    if (!feed.isLive(now) || now - feed.movedAt < ON_ITS_WAY) return
    this.redis.script('nearbyFollow', [shardKeys(shardOf(full)).nearby], [feed.number]).catch(() => {})
  }
}

import { shardKeys, shardOf } from '@/lib/codes/shards'
import type { RedisGateway } from '@/lib/redis/gateway'
import { DAY } from '@/lib/tools/time'
import type { Feeds } from './feeds'
import { nearbyScripts } from './scripts'
import type { ShardFeed } from './shard-feed'

/** How long a copy is kept, in ms. With the centre away, none that is older is served. */
const LIFETIME = DAY

export interface Copy {
  /** As lib/redirect/record.ts encodes it. */
  value: string
  /** Whether it was told of every change that this process heard, and this process of all there were. */
  current: boolean
}

/**
 * Copies of records in a Redis near an edge process, so that it need not ask the centre. Each process passes the changes that
 * it hears on to it; they are numbered, so that a copy is only believed where none was missed (lua/nearby.lua).
 */
export class Nearby {
  /** Shards whose state was seen elsewhere than this process: where both were, and since when (of performance.now()). */
  private readonly apart = new Map<number, { state: string; number: number; since: number }>()

  constructor(
    readonly redis: RedisGateway,
    private readonly feeds: Feeds,
  ) {
    feeds.listen({ published: (shard, before, number, fulls) => this.pass(shard, before, number, fulls) })
  }

  /** The copy of a link's record, or null. Never throws. */
  async find(full: string): Promise<Copy | null> {
    const shard = shardOf(full)
    const keys = shardKeys(shard)
    const reply = await this.redis.script(nearbyScripts.find, [keys.nearby, keys.copy(full)], []).catch(() => null)
    if (reply === null) return null
    const feed = this.feeds.of(full)
    const [state, ofThisEpoch, value] = reply
    const together = Number(state) === feed.number
    if (together) this.apart.delete(shard)
    else this.follow(shard, feed, state)
    return value === null ? null : { value, current: together && ofThisEpoch === 1 && feed.isLive(performance.now()) }
  }

  /** Keeps a record that was current when `number` was the last change heard. */
  keep(full: string, value: string, number: number): void {
    const keys = shardKeys(shardOf(full))
    this.redis.script(nearbyScripts.keep, [keys.nearby, keys.copy(full)], [number, value, LIFETIME]).catch(() => {})
  }

  private pass(shard: number, before: number, number: number, fulls: readonly string[]): void {
    const keys = shardKeys(shard)
    // What does not arrive leaves the state behind.
    this.redis.script(nearbyScripts.pass, [keys.nearby, ...fulls.map(keys.copy)], [before, number]).catch(() => {})
  }

  /**
   * The state is elsewhere than this process: a change may be on its way to one of them. When both are still there and a reading
   * begun since found no other change at the centre, the state has missed some, or is from before the centre lost its data.
   */
  private follow(shard: number, feed: ShardFeed, state: string): void {
    const seen = this.apart.get(shard)
    if (seen?.state !== state || seen.number !== feed.number) {
      this.apart.set(shard, { state, number: feed.number, since: performance.now() })
    } else if (feed.confirmedAt > seen.since) {
      this.redis.script(nearbyScripts.follow, [shardKeys(shard).nearby], [feed.number, state]).catch(() => {})
    }
  }
}

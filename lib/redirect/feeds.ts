import { SHARDS, shardKeys, shardOf } from '@/lib/codes/shards'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Background, Loop } from '@/lib/tools/loop'
import { ShardFeed } from './shard-feed'

/** How often the numbers of the last changes are read, from the beginning of one reading to that of the next, in ms. */
const INTERVAL = 250

interface Listener {
  /** A link changed. @param version of its record; '0' when it is new */
  change?(full: string, version: string): void
  /** The same for all links that changed at once, with the number of the change and of the one before it. */
  published?(shard: number, before: number, number: number, fulls: readonly string[]): void
  /** Changes of a shard were missed. */
  gap?(shard: number): void
}

/** The changes of all shards, as they are published (lib/codes/lua/prelude-changes.lua). */
export class Feeds extends Background {
  private readonly feeds: readonly ShardFeed[]
  private readonly listeners: Listener[] = []
  protected readonly loop = new Loop({ every: INTERVAL, run: () => this.read() })

  constructor(private readonly redis: RedisGateway) {
    super()
    this.feeds = Array.from({ length: SHARDS }, (_, shard) => new ShardFeed(() => this.tellGap(shard)))
  }

  listen(listener: Listener): void {
    this.listeners.push(listener)
  }

  /** The feed of a full short URL's shard. */
  of(full: string): ShardFeed {
    return this.inShard(shardOf(full))
  }

  inShard(shard: number): ShardFeed {
    const feed = this.feeds[shard]
    if (!feed) throw new RangeError('no such shard')
    return feed
  }

  /** Never throws: what cannot be read is not confirmed. */
  private async read(): Promise<void> {
    const begunAt = performance.now()
    await Promise.all(
      this.feeds.map(async (feed, shard) => {
        const heardBefore = feed.number
        // One by one, as the shards of a cluster are on several servers, and one of these may be away.
        const number = await this.redis.use((client) => client.get(shardKeys(shard).changes)).catch(() => undefined)
        // Before the first change of all, or after a flush, there is none: the next one then names 1 as the one before it.
        if (number !== undefined) feed.read(Number(number ?? 1), heardBefore, begunAt)
      }),
    )
  }

  /** A published message arrived. */
  receive(text: string): void {
    const [, shard, before, number, version = '0', items = ''] = /^(\d+) (\d+) (\d+) (\d+) (.*)$/s.exec(text) ?? []
    const feed = this.feeds[Number(shard)]
    if (feed === undefined) return
    const fulls = items.split('\n')
    for (const listener of this.listeners) {
      for (const full of fulls) listener.change?.(full, version)
      listener.published?.(Number(shard), Number(before), Number(number), fulls)
    }
    feed.heard(Number(before), Number(number))
  }

  /** Anything may have changed. */
  doubtAll(): void {
    for (const [shard, feed] of this.feeds.entries()) {
      feed.doubt()
      this.tellGap(shard)
    }
  }

  private tellGap(shard: number): void {
    for (const listener of this.listeners) listener.gap?.(shard)
  }
}

import type { RedisGateway } from '@/lib/redis/gateway'
import { Freshness, lost } from './freshness'
import { idScripts } from './scripts'

/** A position that MySQL knows to be busy. */
export interface BusyPosition {
  position: number
  /** In ms since 1970. */
  until: number
  /** Of two positions the one with the greater was given later. */
  id: bigint
}

/**
 * What came of a draw: positions, and how many are free then; or too few are free, and when enough will be (ms since 1970; null:
 * never).
 */
export type Drawn = { positions: number[]; free: number } | { positions: null; free: number; freeAt: number | null }

/** A time at which nothing ever frees: the greatest that there is. */
export const NEVER = 8.64e15

/**
 * A cycle over the positions 0 to `size` - 1 that only goes on, leaves out what is busy, and begins again at its end. It lies in
 * Redis; MySQL knows the same by the numbers that positions stand for.
 */
export class Cycle {
  private readonly freshness: Freshness
  /** about, busy, until: see lua/cycle.lua. */
  readonly keys: [about: string, busy: string, until: string]

  /**
   * @param tag hash tag of its keys: `{spoken:4}`
   * @param first where it begins when nothing is known
   * @param frees whether positions come again: then one that is busy takes some 100 bytes of Redis, else a bit
   */
  constructor(
    private readonly redis: RedisGateway,
    tag: string,
    readonly size: number,
    private readonly first: () => number,
    private readonly frees = true,
  ) {
    this.keys = [`${tag}:about`, `${tag}:busy`, `${tag}:until`]
    this.freshness = new Freshness(redis, this.keys[0])
  }

  /**
   * The next positions that are not busy, in one round trip.
   * @param count 10,000 at most: what takes Redis some 20 ms
   * @param busyUntil when they may be given again, in ms since 1970
   * @param now ms since 1970; default: the clock of the Redis server, the one that all processes share
   * @returns null while Redis cannot be asked; then it is stale
   */
  async take(count: number, busyUntil: number, now?: number): Promise<Drawn | null> {
    const reply = await this.run(count, Math.ceil(busyUntil), now)
    if (reply === null) {
      this.freshness.markStale()
      return null
    }
    const [isGiven, free = 0, ...rest] = reply
    if (isGiven === 1) return { positions: rest, free: free - count }
    const [freeAt = -1] = rest
    return { positions: null, free, freeAt: freeAt === -1 || freeAt >= NEVER ? null : freeAt }
  }

  /** The positions that would be next, as many as are free, and how many are; null while Redis cannot be asked. */
  async look(count: number, now?: number): Promise<{ positions: number[]; free: number } | null> {
    const reply = await this.run(count, '', now)
    if (reply === null) return null
    const [, free = 0, ...positions] = reply
    return { positions, free }
  }

  private run(count: number, busyUntil: number | '', now: number | undefined): Promise<number[] | null> {
    return this.redis
      .script(idScripts.cycle, this.keys, [this.size, count, busyUntil, now ?? '', this.redis.serverId, this.frees ? 0 : 1])
      .catch(() => null)
  }

  isStale(): Promise<boolean> {
    return this.freshness.isStale()
  }

  /** Makes the positions busy that are so in MySQL, and goes on behind the newest of them. @throws when MySQL or Redis fails */
  resync(busy: () => AsyncIterable<readonly BusyPosition[]>): Promise<void> {
    return this.freshness.resync(async (token) => {
      const add = async (next: string | number, positions: (number | string)[]) => {
        if ((await this.redis.bulk(idScripts.cycleAdd, this.keys, [token, this.size, next, ...positions])) === 0) throw lost()
      }
      await add(`?${this.first()}`, [])
      let newest = { id: -1n, position: -1 }
      for await (const some of busy()) {
        for (const one of some) if (one.id > newest.id) newest = one
        await add(
          '',
          some.flatMap(({ position, until }) => [position, this.frees ? until : '']),
        )
      }
      if (newest.position !== -1) await add((newest.position + 1) % this.size, [])
    })
  }

  /** How many are busy, of those that come again, and the last position that was given. @throws when Redis cannot be asked */
  async state(): Promise<{ busy: number; last: number | null }> {
    const [about, , until] = this.keys
    const [last, busy] = await this.redis.use((client) =>
      Promise.all([client.hget(about, 'last'), client.zcount(until, `(${Date.now()}`, '(inf')]),
    )
    return { busy, last: last === null ? null : Number(last) }
  }
}

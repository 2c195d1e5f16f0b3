import { setTimeout as delay } from 'node:timers/promises'
import type { RedisGateway } from '@/lib/redis/gateway'
import { RedisLock } from '@/lib/redis/lock'

/** How long a draw waits until Redis was told what MySQL has, and how often it looks, in ms. */
const PATIENCE = 1_000
const LOOK_AGAIN = 20

/**
 * Restores a series in Redis from MySQL when it is asked for and Redis has lost it. On demand, since there may be too many series
 * to watch. One process at a time does.
 */
export class RedisCatchUp {
  private readonly lock: RedisLock
  private isStale = false

  /** @param tell @throws when MySQL or Redis fails */
  constructor(
    redis: RedisGateway,
    tag: string,
    private readonly tell: () => Promise<void>,
  ) {
    this.lock = new RedisLock(redis, `${tag}:telling`)
  }

  /** Notes that numbers were given without Redis. */
  markStale(): void {
    this.isStale = true
  }

  /**
   * What `ask` says, once Redis has been told what it lacks.
   * @param ask null: Redis does not know
   * @returns null while Redis cannot be asked, or when telling it takes long; that goes on when nobody waits any more
   */
  async ask<T>(ask: () => Promise<T | null>): Promise<T | null> {
    for (const end = performance.now() + PATIENCE; performance.now() < end; await delay(LOOK_AGAIN)) {
      const answer = this.isStale ? null : await ask()
      if (answer !== null) return answer
      if ((await this.soon()) === null) return null
    }
    return null
  }

  /** Tells it, and waits for that no longer than a draw may. @returns as `now`; null when it failed or takes longer */
  soon(): Promise<boolean | null> {
    return Promise.race([this.now(), delay(PATIENCE, null, { ref: false })]).catch(() => null)
  }

  /** Tells it now. @returns false when another process is at it. @throws when MySQL or Redis fails */
  async now(): Promise<boolean> {
    const done = await this.lock.exclusively(async () => {
      this.isStale = false
      try {
        await this.tell()
        return true
      } catch (error) {
        this.isStale = true
        throw error
      }
    })
    return done !== null
  }
}

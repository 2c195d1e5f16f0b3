import { randomUUID } from 'node:crypto'
import type { RedisGateway } from '@/lib/redis/gateway'
import { idScripts } from './scripts'

/**
 * Whether what Redis holds of one system may be believed. A hash beside it, its `about`, names the run of the server
 * for which that was last made sure of; the scripts look there, and give nothing when it is another.
 */
export class Freshness {
  /** A number was given without Redis, which has to be told. */
  private stale = false
  private flight: Promise<void> | null = null

  constructor(
    private readonly redis: RedisGateway,
    /** Key of the hash. */
    readonly about: string,
  ) {}

  /** Notes that a number was given without Redis. */
  markStale(): void {
    this.stale = true
  }

  /** @throws when Redis cannot be asked */
  async isStale(): Promise<boolean> {
    return this.stale || (await this.redis.script(idScripts.isWhole, [this.about], [])) === 0
  }

  /**
   * Runs `fill`, which adds what MySQL has, and makes it believed. Who asks meanwhile shares it.
   * @param fill given a token that its scripts show to Redis, so that they fill nothing that a flush has emptied
   * @throws when MySQL or Redis fails, or Redis lost meanwhile what was added
   */
  resync(fill: (token: string) => Promise<void>): Promise<void> {
    this.flight ??= this.fillOnce(fill).finally(() => {
      this.flight = null
    })
    return this.flight
  }

  private async fillOnce(fill: (token: string) => Promise<void>): Promise<void> {
    // Before MySQL is read: what is given from now on without Redis may come too late for this time.
    this.stale = false
    try {
      const token = randomUUID()
      const run = await this.redis.bulk(idScripts.resync, [this.about], [token])
      await fill(token)
      if ((await this.redis.bulk(idScripts.resynced, [this.about], [token, run])) === 0) throw lost()
    } catch (error) {
      this.stale = true
      throw error
    }
  }
}

/** Redis forgot in the middle of a resynchronisation what had been added to it. */
export const lost = () => new Error('Redis restarted, or was flushed, or another process began again, before this was done')

import { randomUUID } from 'node:crypto'
import { Loop } from '@/lib/tools/loop'
import type { RedisGateway } from './gateway'

/** How long a lock outlives a process that died with it, in ms. */
const LIFETIME = 15_000

/** Lets one process at a time do a piece of work. It spares work and guards nothing: two may hold it after a flush. */
export class RedisLock {
  private readonly token = randomUUID()

  constructor(
    private readonly redis: RedisGateway,
    private readonly key: string,
  ) {}

  /**
   * Runs `work` unless another process is at it; the lock is renewed while it lasts.
   * @returns what `work` gave; null when it was not run
   * @throws what `work` throws, or Redis
   */
  async exclusively<T>(work: () => Promise<T>): Promise<{ value: T } | null> {
    const { client } = this.redis
    if ((await client.set(this.key, this.token, 'PX', LIFETIME, 'NX')) !== 'OK') return null
    const renewal = new Loop({ every: LIFETIME / 3, run: () => this.ifHeld(() => client.pexpire(this.key, LIFETIME)) })
    try {
      return { value: await renewal.during(work) }
    } finally {
      await this.ifHeld(() => client.del(this.key))
    }
  }

  /** Does something to the lock unless it ran out and another process has it now. Needs no Redis. */
  private async ifHeld(work: () => Promise<unknown>): Promise<void> {
    try {
      if ((await this.redis.client.get(this.key)) === this.token) await work()
    } catch {
      // It ends by itself.
    }
  }
}

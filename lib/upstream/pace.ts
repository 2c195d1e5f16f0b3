import { setTimeout as delay } from 'node:timers/promises'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RedisGateway } from '@/lib/redis/gateway'

/** How long a visitor waits for a turn, in ms. */
const MOST_WAIT = 2_000
/** What one client can have of a second: one part of so many. */
export const SHARES = 2

/**
 * How often the old shortener of a domain is asked: so many codes a second of the clock, by all processes together; each for
 * itself while Redis is away. A few visitors wait for the next second; the others are refused at once: a flood holds nothing.
 */
export class Pace {
  private readonly shared: RateLimiterRedis
  private readonly own: RateLimiterMemory
  private readonly clients: RateLimiterMemory
  private waiting = 0

  /** @param perClient whether one client can have only a part of it */
  constructor(
    private readonly redis: RedisGateway,
    private readonly perSecond: number,
    private readonly perClient: boolean,
  ) {
    const rule = { points: perSecond, duration: 1 }
    this.shared = new RateLimiterRedis({
      ...rule,
      storeClient: redis.client,
      keyPrefix: 'terse:upstream:pace',
      // Once the second is used up, Redis is not asked again in it.
      inMemoryBlockOnConsumed: perSecond + 1,
      rejectIfRedisNotReady: true,
    })
    this.own = new RateLimiterMemory(rule)
    this.clients = new RateLimiterMemory({ points: Math.ceil(perSecond / SHARES), duration: 1 })
  }

  /**
   * Waits for a turn.
   * @param client who wants to know
   * @returns null, or in how many seconds there may be one
   */
  async waitForTurn(domainId: number, client: string): Promise<{ retryAfter: number } | null> {
    const end = performance.now() + MOST_WAIT
    for (;;) {
      const wait = (await this.clientWait(`${domainId}|${client}`)) ?? (await this.domainWait(String(domainId)))
      if (wait === null) return null
      if (performance.now() + wait > end || this.waiting >= this.perSecond) {
        return { retryAfter: Math.ceil(MOST_WAIT / 1_000) }
      }
      this.waiting += 1
      // Not all in the same moment.
      await delay(wait + Math.random() * 50).finally(() => {
        this.waiting -= 1
      })
    }
  }

  private clientWait(key: string): Promise<number | null> {
    return this.perClient ? refusal(this.clients.consume(key)) : Promise.resolve(null)
  }

  private domainWait(key: string): Promise<number | null> {
    return this.redis.use(() => refusal(this.shared.consume(key))).catch(() => refusal(this.own.consume(key)))
  }
}

/** In how many ms there is a turn again; null: there is one. @throws what is no refusal */
async function refusal(counted: Promise<RateLimiterRes>): Promise<number | null> {
  try {
    await counted
    return null
  } catch (reason) {
    if (reason instanceof RateLimiterRes) return Math.max(1, reason.msBeforeNext)
    throw reason
  }
}

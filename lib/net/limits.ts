import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { TerseError } from '@/lib/errors'
import type { RedisGateway } from '@/lib/redis/gateway'

/** Every rate limit: how many of what in how many seconds. */
const POLICIES = {
  /** Links made without an account, by one client. */
  create: { points: 60, duration: 60 },
  /** Other API requests of one client. */
  api: { points: 300, duration: 60 },
  /** Passwords tried by one client on one link. */
  unlock: { points: 10, duration: 300 },
  /** Passwords tried by all clients on one link. */
  unlockLink: { points: 200, duration: 300 },
} as const

export type Policy = keyof typeof POLICIES

/** Counts in Redis, so that all processes share a limit; each for itself while Redis is away. */
export class Limits {
  private readonly limiters: Record<Policy, RateLimiterRedis>

  constructor(
    redis: RedisGateway,
    private readonly enabled: boolean,
  ) {
    const limiter = (name: Policy) =>
      new RateLimiterRedis({
        storeClient: redis.client,
        keyPrefix: `terse:limit:${name}`,
        ...POLICIES[name],
        // A client that is over its limit is refused from memory, without asking Redis.
        inMemoryBlockOnConsumed: POLICIES[name].points + 1,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory(POLICIES[name]),
      })
    this.limiters = {
      create: limiter('create'),
      api: limiter('api'),
      unlock: limiter('unlock'),
      unlockLink: limiter('unlockLink'),
    }
  }

  /** Counts one more. @throws TerseError 'rate_limited' once there were too many */
  async take(policy: Policy, key: string): Promise<void> {
    if (!this.enabled) return
    try {
      await this.limiters[policy].consume(key)
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason
      const retryAfter = Math.max(1, Math.ceil(reason.msBeforeNext / 1000))
      throw new TerseError('rate_limited', `Too many requests. Try again in ${retryAfter} s.`, { retryAfter })
    }
  }
}

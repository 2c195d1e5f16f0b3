import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { TerseError } from '@/lib/errors'
import type { RedisGateway } from '@/lib/redis/gateway'
import { type EachPolicy, type NotedPolicy, POLICIES, type Policy, pointsOf, type ReservedPolicy, refusalOf } from './policies'

export type { EachPolicy } from './policies'

type Limiter = RateLimiterRedis | RateLimiterMemory

/** Counts in Redis, so that all processes share a limit; each for itself while Redis is away. */
export class Limits {
  private readonly shared: Record<Policy, RateLimiterRedis>
  private readonly own: Record<Policy, RateLimiterMemory>

  constructor(
    private readonly redis: RedisGateway,
    /** Else everything is let through. */
    readonly enabled: boolean,
    linksPerMinute: number,
  ) {
    const ruleOf = (name: Policy) => {
      const { counts, duration } = POLICIES[name]
      return { counts, duration, points: pointsOf(name, linksPerMinute) }
    }
    const shared = (name: Policy) => {
      const { counts, duration, points } = ruleOf(name)
      return new RateLimiterRedis({
        storeClient: redis.client,
        keyPrefix: `terse:limit:${name}`,
        duration,
        points,
        // A client that is over its limit is refused from memory, without asking Redis, where nothing may be given back.
        ...(counts === 'each' ? { inMemoryBlockOnConsumed: points + 1 } : {}),
        rejectIfRedisNotReady: true,
      })
    }
    const own = (name: Policy) => new RateLimiterMemory(ruleOf(name))
    this.shared = forEach(shared)
    this.own = forEach(own)
  }

  /**
   * Counts one more.
   * @param leave how many are left to others: refused, and not counted, where there are no more than these
   * @throws TerseError 'rate_limited' once there were too many
   */
  async consume(policy: EachPolicy, key: string, leave = 0): Promise<void> {
    if (!this.enabled) return
    if (leave > 0) await this.check(policy, key, leave)
    await this.count(policy, key)
  }

  /**
   * Counts as many more as there may be.
   * @returns how many: `wanted`, or fewer, but one at least
   * @throws TerseError 'rate_limited' as `consume`
   */
  async consumeUpTo(policy: EachPolicy, key: string, wanted: number, leave = 0): Promise<number> {
    if (!this.enabled) return wanted
    const counted = await this.read(policy, key)
    if (counted && counted.remainingPoints <= leave) throw tooMany(policy, counted)
    const left = (counted?.remainingPoints ?? this.own[policy].points) - leave
    const some = Math.min(wanted, left)
    await this.count(policy, key, some)
    return some
  }

  /**
   * Counts as many more, all or none. Of requests at the same time that are too many together, one that comes too late is refused
   * and counted all the same: none passes that should not.
   * @throws TerseError 'rate_limited' where there may be fewer
   */
  async consumeAll(policy: EachPolicy, key: string, wanted: number): Promise<void> {
    if (!this.enabled) return
    await this.check(policy, key, wanted - 1)
    await this.count(policy, key, wanted)
  }

  /**
   * Counts one more until it is known whether it counts: requests at the same time cannot all pass before the first is counted.
   * @returns what takes it back; never throws
   * @throws TerseError 'rate_limited' once there were too many
   */
  async reserve(policy: ReservedPolicy, key: string): Promise<() => Promise<void>> {
    if (!this.enabled) return async () => {}
    const limiter = await this.count(policy, key)
    const giveBack = async () => void (await limiter.reward(key))
    return () => (limiter instanceof RateLimiterMemory ? giveBack() : this.redis.use(giveBack).catch(() => {}))
  }

  /** Counts one more and refuses nothing. */
  async note(policy: NotedPolicy, key: string): Promise<void> {
    if (!this.enabled) return
    await this.redis.use(() => this.shared[policy].penalty(key)).catch(() => this.own[policy].penalty(key))
  }

  /** How many were counted; those that wait to be given back, too. */
  async counted(policy: Policy, key: string): Promise<number> {
    return (await this.read(policy, key))?.consumedPoints ?? 0
  }

  private read(policy: Policy, key: string): Promise<RateLimiterRes | null> {
    return this.redis.use(() => this.shared[policy].get(key)).catch(() => this.own[policy].get(key))
  }

  /** @returns where it was counted. @throws TerseError 'rate_limited' */
  private async count(policy: Policy, key: string, points = 1): Promise<Limiter> {
    let limiter: Limiter = this.shared[policy]
    // By way of the gateway, since a Redis that hangs would keep the request waiting for ever.
    const refusal = await this.redis
      .use(() => refused(this.shared[policy].consume(key, points)))
      .catch(() => {
        limiter = this.own[policy]
        return refused(limiter.consume(key, points))
      })
    if (refusal) throw tooMany(policy, refusal)
    return limiter
  }

  /** Counts nothing. @throws TerseError 'rate_limited' once there were as many as there may be, less `leave` */
  async check(policy: Policy, key: string, leave = 0): Promise<void> {
    if (!this.enabled) return
    const counted = await this.read(policy, key)
    if (counted && counted.remainingPoints <= leave) throw tooMany(policy, counted)
  }
}

function tooMany(policy: Policy, { msBeforeNext }: RateLimiterRes): TerseError {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return new TerseError('rate_limited', refusalOf(policy, retryAfter), { retryAfter })
}

/** The limiter's refusal, which it throws, or null. @throws what is no refusal */
async function refused(counted: Promise<RateLimiterRes>): Promise<RateLimiterRes | null> {
  try {
    await counted
    return null
  } catch (reason) {
    if (reason instanceof RateLimiterRes) return reason
    throw reason
  }
}

function forEach<T>(make: (name: Policy) => T): Record<Policy, T> {
  return Object.fromEntries((Object.keys(POLICIES) as Policy[]).map((name) => [name, make(name)])) as Record<Policy, T>
}

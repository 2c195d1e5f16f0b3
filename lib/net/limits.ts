import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { TerseError } from '@/lib/errors'
import type { RedisGateway } from '@/lib/redis/gateway'

/** One rate limit: how many of what in how many seconds. */
interface Rule {
  /**
   * What is counted. `each`: all that is asked for, by `take`. `reserved`: what is not given back once it is known that it does not
   * count, by `reserve`. `noted`: all, and nothing is ever refused, by `note`.
   */
  counts: 'each' | 'reserved' | 'noted'
  /** None where nothing is refused, or where a setting says how many. */
  points?: number
  duration: number
}

const POLICIES = {
  /** Links made without an account, by one client. */
  create: { counts: 'each', points: 60, duration: 60 },
  /** Links made by one account, by requests and jobs together; LINKS_PER_MINUTE says how many. */
  links: { counts: 'each', duration: 60 },
  /** Lists of links that one client sends: each is read to its end. */
  upload: { counts: 'each', points: 10, duration: 60 },
  /** Other API requests of one client. */
  api: { counts: 'each', points: 300, duration: 60 },
  /** Wrong passwords of one client on one link. */
  unlock: { counts: 'reserved', points: 10, duration: 300 },
  /** Wrong passwords of all clients on one link. */
  unlockLink: { counts: 'noted', duration: 300 },
  /** Passwords of links that are compared for one client, right or wrong: each is costly. */
  unlockTries: { counts: 'each', points: 120, duration: 60 },
  /** Passwords and codes that are tried by one client, and for one account, right or wrong. */
  attempts: { counts: 'each', points: 120, duration: 60 },
  /** Failed attempts of one client to sign in, by password, second factor or passkey. */
  signIn: { counts: 'reserved', points: 20, duration: 300 },
  /** Wrong passwords for one account, and for one name that is typed for it, by all clients together. */
  signInAccount: { counts: 'reserved', points: 60, duration: 900 },
  /** Wrong passwords for one account, in one browser that signed in to it before. */
  signInDevice: { counts: 'reserved', points: 20, duration: 900 },
  /** Wrong codes of the second factor for one account, by all clients together. */
  secondFactor: { counts: 'reserved', points: 10, duration: 900 },
  /** Wrong codes for one account, in one browser that signed in to it before. */
  secondFactorDevice: { counts: 'reserved', points: 10, duration: 900 },
  /** Accounts made by one client. */
  signUp: { counts: 'each', points: 10, duration: 3600 },
  /** Mails asked for by one client: resets, verifications. */
  mail: { counts: 'each', points: 10, duration: 3600 },
  /** Other requests about one's own account. */
  account: { counts: 'each', points: 120, duration: 60 },
  /** Links reported by one client. */
  report: { counts: 'each', points: 10, duration: 3600 },
  /** Numbers that one client tried and that were no spoken code. */
  spokenMiss: { counts: 'reserved', points: 20, duration: 300 },
  /** Numbers that one client tried and that were spoken codes, each once. */
  spokenHit: { counts: 'reserved', points: 60, duration: 300 },
  /** One number told to one client. */
  spokenTold: { counts: 'each', points: 1, duration: 300 },
} as const satisfies Record<string, Rule>

type Policies = typeof POLICIES
export type Policy = keyof Policies
type Counting<C extends Rule['counts']> = { [N in Policy]: Policies[N]['counts'] extends C ? N : never }[Policy]
export type EachPolicy = Counting<'each'>
export type ReservedPolicy = Counting<'reserved'>
export type NotedPolicy = Counting<'noted'>

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
      const { counts, duration, points = Number.MAX_SAFE_INTEGER }: Rule = POLICIES[name]
      return { counts, duration, points: name === 'links' ? linksPerMinute : points }
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
  async take(policy: EachPolicy, key: string, leave = 0): Promise<void> {
    if (!this.enabled) return
    if (leave > 0) await this.check(policy, key, leave)
    await this.count(policy, key)
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
  private async count(policy: Policy, key: string): Promise<Limiter> {
    let limiter: Limiter = this.shared[policy]
    // By way of the gateway, since a Redis that hangs would keep the request waiting for ever.
    const refusal = await this.redis
      .use(() => refusalOf(this.shared[policy].consume(key)))
      .catch(() => {
        limiter = this.own[policy]
        return refusalOf(limiter.consume(key))
      })
    if (refusal) throw tooMany(refusal)
    return limiter
  }

  /** Counts nothing. @throws TerseError 'rate_limited' once there were as many as there may be, less `leave` */
  async check(policy: Policy, key: string, leave = 0): Promise<void> {
    if (!this.enabled) return
    const counted = await this.read(policy, key)
    if (counted && counted.remainingPoints <= leave) throw tooMany(counted)
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes): TerseError {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return new TerseError('rate_limited', `Too many requests. Try again in ${retryAfter} s.`, { retryAfter })
}

/** The limiter's refusal, which it throws, or null. @throws what is no refusal */
async function refusalOf(counted: Promise<RateLimiterRes>): Promise<RateLimiterRes | null> {
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

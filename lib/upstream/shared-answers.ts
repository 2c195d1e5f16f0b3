import { setTimeout as delay } from 'node:timers/promises'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Loop } from '@/lib/tools/loop'
import type { UpstreamAnswer } from './upstream'

/** How long a process is believed to be asking since it last said so, in ms: one that was killed no longer says so. */
const LEASE = 2_000
/** The most that a question takes, with the link that comes of it, in ms. */
const LONGEST = 15_000
/** How often who waits looks whether there is an answer, in ms. */
const LOOK = 40
const ASKING = 'asking'

/** How long an answer stands for all processes, in ms. */
const LIFETIMES: Record<UpstreamAnswer['kind'], number> = {
  unknown: 60_000,
  refused: 60_000,
  redirect: 2_000,
  failed: 1_000,
  busy: 1,
  loop: 1,
}

/** How long an answer stands, in ms. */
export const lifetimeOf = ({ kind }: UpstreamAnswer): number => LIFETIMES[kind]

/**
 * What the old shortener said a moment ago, in Redis: of all processes one asks for a code, and the others take its answer. There
 * are never more than can be asked for within a minute. Without Redis each process asks for itself.
 */
export class SharedAnswers {
  constructor(private readonly redis: RedisGateway) {}

  /**
   * The answer of another process; where none asks, what `ask` finds.
   * @param key names the code, and who is asked
   * @throws what `ask` throws
   */
  async of(key: string, ask: () => Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
    const others = await this.ofOthers(key)
    if (others !== null) return others
    const renewal = new Loop({ every: LEASE / 4, run: () => this.use((client) => client.pexpire(nameOf(key), LEASE)) })
    const answer = await renewal.during(ask)
    await this.use((client) => client.set(nameOf(key), JSON.stringify(answer), 'PX', lifetimeOf(answer)))
    return answer
  }

  /** Once another process has it; null: it is ours to ask. */
  private async ofOthers(key: string): Promise<UpstreamAnswer | null> {
    for (const end = performance.now() + LONGEST; performance.now() < end; await delay(LOOK)) {
      const held = await this.use((client) => client.set(nameOf(key), ASKING, 'PX', LEASE, 'NX', 'GET'))
      if (held === null) return null
      if (held !== ASKING) return JSON.parse(held) as UpstreamAnswer
    }
    return null
  }

  /** Null where Redis is away. */
  private use<T>(work: (client: RedisGateway['client']) => Promise<T>): Promise<T | null> {
    return this.redis.use(work).catch(() => null)
  }
}

const nameOf = (key: string) => `terse:upstream:${key}`

import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, nearbyRedisUrl } from '@/lib/config'
import { RedisGateway } from '@/lib/redis/gateway'
import { Backlog } from './backlog'
import { Capture } from './capture'
import type { Counting } from './counting'
import { Forward } from './forward'
import type { ClickMetrics } from './metrics'
import { Replay } from './replay'
import { Spool } from './spool'

interface Parts {
  config: Config
  metrics: ClickMetrics
  log: Logger
  /** Null where clicks are captured only. */
  counting: Counting | null
}

/** The way of clicks through one process: captured, kept, and, except near the users, counted. */
export class ClickPipeline {
  readonly capture: Capture
  readonly backlog: Backlog
  private readonly redis: RedisGateway
  private readonly replay: Replay
  private readonly counting: Counting | null
  /** Null where clicks are captured into the Redis from which they are counted. */
  private readonly forward: Forward | null = null
  private readonly away: { redis: RedisGateway; backlog: Backlog } | null = null

  constructor({ config, metrics, log, counting }: Parts) {
    // Apart from each other and from the redirects' own connection: none waits behind another's answers.
    this.redis = new RedisGateway(nearbyRedisUrl(config) ?? config.REDIS_URL)
    const dir = join(config.DATA_DIR, 'spool')
    const spool = new Spool(dir)
    this.backlog = new Backlog(this.redis, config.CLICK_STREAM_MB * 1024 * 1024, log)
    const { backlog, redis } = this
    const isFull = () => backlog.isFull
    const fast = config.CLICK_DURABILITY === 'fast'
    const replicas = config.CLICK_REPLICAS
    this.capture = new Capture({ redis, spool, replicas, isFull, metrics, log, fast, felt: (ms) => counting?.felt?.(ms) })
    this.replay = new Replay({ dir, spool, redis, replicas, backlog, metrics, log })
    this.counting = counting
    if (nearbyRedisUrl(config) === null) return
    const to = new RedisGateway(config.REDIS_URL)
    this.away = { redis: to, backlog: new Backlog(to, config.CLICK_STREAM_MB * 1024 * 1024, log) }
    this.forward = new Forward({ from: redis, to, replicas, backlog: this.away.backlog, log })
  }

  async start(): Promise<void> {
    await this.redis.connected(1_000)
    await this.backlog.start()
    await this.replay.start()
    await this.away?.backlog.start()
    await this.forward?.start()
    await this.counting?.start()
  }

  /** Keeps what was taken, and ends after what is being counted. */
  async close(): Promise<void> {
    this.backlog.close()
    this.replay.close()
    this.forward?.close()
    this.away?.backlog.close()
    await Promise.all([this.capture.close(), this.counting?.close()])
    this.redis.close()
    this.away?.redis.close()
  }
}

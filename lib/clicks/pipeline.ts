import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '@/lib/config'
import { RedisGateway } from '@/lib/redis/gateway'
import { Backlog } from './backlog'
import { Capture } from './capture'
import type { Counting } from './counting'
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

  constructor({ config, metrics, log, counting }: Parts) {
    // Apart from each other and from the redirects' own connection: none waits behind another's answers.
    this.redis = new RedisGateway(config.REDIS_URL)
    const dir = join(config.DATA_DIR, 'spool')
    const spool = new Spool(dir)
    this.backlog = new Backlog(this.redis, config.CLICK_STREAM_MB * 1024 * 1024, log)
    const { backlog, redis } = this
    const isFull = () => backlog.isFull
    this.capture = new Capture({ redis, spool, isFull, metrics, log, fast: config.CLICK_DURABILITY === 'fast' })
    this.replay = new Replay({ dir, spool, redis, backlog, metrics, log })
    this.counting = counting
  }

  async start(): Promise<void> {
    await this.redis.connected(1_000)
    await this.backlog.start()
    await this.replay.start()
    await this.counting?.start()
  }

  /** Keeps what was taken, and ends after what is being counted. */
  async close(): Promise<void> {
    this.backlog.close()
    this.replay.close()
    await Promise.all([this.capture.close(), this.counting?.close()])
    this.redis.close()
  }
}

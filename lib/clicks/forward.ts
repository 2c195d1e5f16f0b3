import type { Logger } from 'pino'
import type { RedisGateway } from '@/lib/redis/gateway'
import { RedisLock } from '@/lib/redis/lock'
import { Loop } from '@/lib/tools/loop'
import { withTimeout } from '@/lib/tools/timeout'
import type { Backlog } from './backlog'
import { ALL_PARTITIONS, partitionKeys } from './stream'

const INTERVAL = 200
/** Entries on their way at once; each has 500 clicks at most. */
const GROUP_SIZE = 20
const PATIENCE = 10_000

interface Parts {
  /** The Redis near this process, into which it captures. */
  from: RedisGateway
  /** The one from which clicks are counted. */
  to: RedisGateway
  /** Of `to`. */
  backlog: Pick<Backlog, 'isRoomy'>
  log: Logger
}

/**
 * Brings clicks from the Redis near an edge process to the one from which they are counted. An entry is removed once it
 * is there, so some may arrive twice: each has its batch's id, and is counted once.
 */
export class Forward {
  private readonly loop = new Loop({
    every: INTERVAL,
    run: () => this.lock.exclusively(() => this.once()),
    onFailure: (err) => this.parts.log.debug({ err }, 'clicks wait nearby'),
  })
  /** Spares work where several edge processes share a Redis. */
  private readonly lock: RedisLock

  constructor(private readonly parts: Parts) {
    this.lock = new RedisLock(parts.from, 'terse:forward')
  }

  /** Not waited for: the centre may be away. */
  async start(): Promise<void> {
    void this.loop.start()
  }

  /** Brings all that lies there. @throws when either Redis fails */
  private async once(): Promise<void> {
    await Promise.all(
      ALL_PARTITIONS.map(async (partition) => {
        while (!this.loop.isStopped && this.parts.backlog.isRoomy && (await this.bringSome(partition)) === GROUP_SIZE);
      }),
    )
  }

  /** @returns how many entries there were */
  private async bringSome(partition: number): Promise<number> {
    const { from, to } = this.parts
    const { stream } = partitionKeys(partition)
    const entries = await within(from.client.xrange(stream, '-', '+', 'COUNT', GROUP_SIZE))
    if (entries.length === 0) return 0
    await Promise.all(entries.map(([, fields]) => within(to.client.xadd(stream, '*', ...fields))))
    await within(from.client.xdel(stream, ...entries.map(([id]) => id)))
    return entries.length
  }

  close(): void {
    void this.loop.stop()
  }
}

const within = <T>(work: Promise<T>) => withTimeout(work, PATIENCE, 'Redis')

import type { Logger } from 'pino'
import type { RedisGateway } from '@/lib/redis/gateway'
import { RedisLock } from '@/lib/redis/lock'
import { Loop } from '@/lib/tools/loop'
import { withTimeout } from '@/lib/tools/timeout'
import { addEntries, SendSize } from './add-entries'
import type { Backlog } from './backlog'
import { ALL_PARTITIONS, partitionKeys } from './stream'

const INTERVAL = 200
/** Entries on their way at once; each has 500 clicks at most. */
const GROUP_SIZE = 20
const PATIENCE = 10_000
/** How long replicas may take, in ms: the centre may be far, and nobody waits for them. */
const REPLICA_PATIENCE = 1_000

interface Parts {
  /** The Redis near this process, into which it captures. */
  from: RedisGateway
  /** The one from which clicks are counted. */
  to: RedisGateway
  /** How many replicas of that one must have a click before it leaves this one. */
  replicas: number
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
  private readonly sendSize = new SendSize(GROUP_SIZE)

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
        while (!this.loop.isStopped && this.parts.backlog.isRoomy && (await this.bringSome(partition)));
      }),
    )
  }

  /** @returns whether there may be more */
  private async bringSome(partition: number): Promise<boolean> {
    const { from, to, replicas } = this.parts
    const size = this.sendSize.entries
    const { stream } = partitionKeys(partition)
    const entries = await within(from.client.xrange(stream, '-', '+', 'COUNT', size))
    if (entries.length === 0) return false
    const contents = entries.map(([, fields]) => fields)
    await this.sendSize.learnFrom(within(addEntries(to.client, partition, contents, { replicas, patience: REPLICA_PATIENCE })))
    await within(from.client.xdel(stream, ...entries.map(([id]) => id)))
    return entries.length === size
  }

  close(): void {
    void this.loop.stop()
  }
}

const within = <T>(work: Promise<T>) => withTimeout(work, PATIENCE, 'Redis')

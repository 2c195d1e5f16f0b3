import type { Redis } from 'ioredis'
import { Loop } from '@/lib/tools/loop'

/** How often a server is asked who it is while its connection stands, in ms. */
const INTERVAL = 500
/** How long to stay with a replica before it is looked again where the master is, in ms. */
const PATIENCE = 2_000

/**
 * Which server a connection leads to, and whose data it has. A restart ends the connection; a failover need not: a master that
 * became a replica keeps its clients, so it is asked again and again, and left when it only follows.
 */
export class ServerId {
  /** The same as `server_id` of the scripts (lib/redis/lua/prelude-server.lua): '' while it is not known, and of a replica. */
  current = ''
  private leftAt = Number.NEGATIVE_INFINITY
  private readonly loop = new Loop({ every: INTERVAL, run: () => this.read() })

  constructor(private readonly client: Redis) {
    client.on('close', () => {
      this.current = ''
    })
    client.on('ready', () => void this.ask())
    client.on('end', () => void this.loop.stop())
    this.loop.startLater()
  }

  /** Asks now: what the server answered makes no sense of a master. */
  ask(): Promise<void> {
    return this.loop.wake()
  }

  private async read(): Promise<void> {
    if (this.client.status !== 'ready') return
    // Nothing is sent again after a connection broke (maxRetriesPerRequest), so this is of the one there is.
    const info = await this.client.info('server', 'replication')
    if (this.client.status !== 'ready') return
    const field = (name: string) => new RegExp(`^${name}:(\\w+)`, 'm').exec(info)?.[1] ?? ''
    const isMaster = field('role') === 'master'
    this.current = isMaster ? field('run_id').slice(0, 20) + field('master_replid').slice(0, 20) : ''
    if (!isMaster) this.leave()
  }

  /** A name, a proxy or a Sentinel may lead to the master by now. */
  private leave(): void {
    const now = performance.now()
    if (now - this.leftAt < PATIENCE) return
    this.leftAt = now
    this.client.disconnect(true)
  }
}

import type { Redis } from 'ioredis'
import { Loop } from '@/lib/tools/loop'
import { withTimeout } from '@/lib/tools/timeout'
import { connectRedis } from './gateway'

const PING_INTERVAL = 1_000
/** A connection that is silent for so long is given up. A half-open one is as silent as a quiet one, hence the pings. */
const PATIENCE = 2_000
/** Pause before the next connection, in ms; twice as long after each that failed. */
const PAUSE = 25
const LONGEST_PAUSE = 500

/**
 * Hears what is published on a channel, over a connection of its own. What it misses between two connections others
 * notice (lib/redirect/shard-feed.ts). Of a Redis Cluster any node will do, since each passes on what is published to
 * all others; the next connection is to the next node, as one that was cut off from the others hears nothing.
 */
export class Subscriber {
  private readonly urls: string[]
  private client: Redis
  private readonly pings = new Loop({ every: PING_INTERVAL, run: () => this.ping() })
  private pause: NodeJS.Timeout | undefined
  private turn = Math.floor(Math.random() * 1_000)
  private failures = 0
  private subscribedAt = Number.POSITIVE_INFINITY
  private closed = false

  constructor(
    urls: string,
    private readonly channel: string,
    private readonly onMessage: (text: string) => void,
  ) {
    // Several nodes of a cluster; the Sentinels of one master are one address.
    this.urls = /^rediss?:/.test(urls) ? urls.split(',') : [urls]
    this.client = this.connect()
    this.pings.startLater()
  }

  private connect(): Redis {
    this.turn += 1
    // Connecting again is ours: to the next node.
    const client = connectRedis(this.urls[this.turn % this.urls.length] ?? '', {
      enableOfflineQueue: true,
      retryStrategy: () => null,
    }) as Redis
    client.on('message', (_channel: string, text: string) => this.onMessage(text))
    client.once('ready', () => {
      client.subscribe(this.channel).then(
        () => {
          this.failures = 0
          this.subscribedAt = performance.now()
        },
        () => client.disconnect(),
      )
    })
    client.once('end', () => this.reconnect())
    return client
  }

  private reconnect(): void {
    this.subscribedAt = Number.POSITIVE_INFINITY
    if (this.closed) return
    const pause = Math.min(PAUSE * 2 ** this.failures, LONGEST_PAUSE)
    this.failures += 1
    this.pause = setTimeout(() => {
      this.client = this.connect()
    }, pause)
  }

  /** Something was published and did not arrive: perhaps this connection hears nothing any more. */
  renew(): void {
    // One that was just opened may have been too late for it.
    if (performance.now() - this.subscribedAt < PATIENCE) return
    this.subscribedAt = Number.POSITIVE_INFINITY // Several shards say so at once.
    this.client.disconnect()
  }

  private async ping(): Promise<void> {
    const { client } = this
    if (client.status !== 'ready') return
    await withTimeout(client.ping(), PATIENCE, 'Redis').catch(() => client.disconnect())
  }

  close(): void {
    this.closed = true
    void this.pings.stop()
    clearTimeout(this.pause)
    this.client.disconnect()
  }
}

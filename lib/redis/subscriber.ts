import type { Redis } from 'ioredis'
import { withTimeout } from '@/lib/tools/timeout'
import { connectRedis, type RedisClient } from './gateway'

const PING_INTERVAL = 250
/** A ping begun longer ago than this vouches for nothing. */
const TRUSTED_FOR = 700

/**
 * Hears of changed links by pub/sub, and knows whether it would: the subscription's own connection is
 * pinged, since a half-open one is silent just as a quiet one is.
 */
export class Subscriber {
  private readonly client: RedisClient
  private readonly timer: NodeJS.Timeout
  private heardAt = Number.NEGATIVE_INFINITY
  private subscribed = false

  constructor(
    urls: string,
    channel: string,
    private readonly on: { message: (text: string) => void; gap: () => void },
  ) {
    this.client = connectRedis(urls, { enableOfflineQueue: true })
    this.client.on('message', (_channel: string, text: string) => on.message(text))
    this.client.on('close', () => {
      this.subscribed = false
    })
    // ioredis subscribes again by itself; what was published in between is lost, hence the gap.
    this.client.on('ready', () => {
      this.client.subscribe(channel).then(
        () => {
          this.subscribed = true
          on.gap()
        },
        () => {},
      )
    })
    this.timer = setInterval(() => void this.ping(), PING_INTERVAL)
    this.timer.unref()
  }

  /** True while changes published by others reach this process. */
  get live(): boolean {
    return this.subscribed && performance.now() - this.heardAt < TRUSTED_FOR
  }

  private async ping(): Promise<void> {
    if (!this.subscribed) return
    const begun = performance.now()
    const lapsed = !this.live
    try {
      await withTimeout((this.client as Redis).ping(), TRUSTED_FOR, 'Redis')
      // Silence for a while, then life: what was said meanwhile may be lost or late.
      if (lapsed && this.heardAt > Number.NEGATIVE_INFINITY) this.on.gap()
      this.heardAt = begun
    } catch {
      // Not heard: `live` says so by itself.
    }
  }

  close(): void {
    clearInterval(this.timer)
    this.client.disconnect()
  }
}

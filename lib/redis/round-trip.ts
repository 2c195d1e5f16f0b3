import type { Cluster, Redis } from 'ioredis'
import { Loop } from '@/lib/tools/loop'

const INTERVAL = 1_000
/** The shortest of so many counts: a server that is slow for a while has not moved away. */
const SAMPLES = 8
/** Until the first answer, in ms: far, rather than that everything is taken for lost. */
const ASSUMED = 250
/** The longest way that patience follows, in ms. */
const LONGEST = 1_000

/** How long a command and its answer are on their way to a server and back, at the least, in ms. */
export class RoundTrip {
  private samples: number[] = []
  private shortest = ASSUMED
  private readonly loop = new Loop({ every: INTERVAL, run: () => this.measure() })

  constructor(private readonly client: Redis | Cluster) {
    client.on('ready', () => void this.loop.wake())
    this.loop.startLater()
  }

  get ms(): number {
    return this.shortest
  }

  private async measure(): Promise<void> {
    if (this.client.status !== 'ready') return
    const begun = performance.now()
    // Of a cluster, any node. One that fails says nothing about the way.
    await (this.client as Redis).ping()
    this.samples = [...this.samples, performance.now() - begun].slice(-SAMPLES)
    this.shortest = Math.min(LONGEST, ...this.samples)
  }

  close(): void {
    void this.loop.stop()
  }
}

import type { Cluster, Redis } from 'ioredis'

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
  private measuring = false
  private readonly timer: NodeJS.Timeout

  constructor(private readonly client: Redis | Cluster) {
    client.on('ready', () => void this.measure())
    this.timer = setInterval(() => void this.measure(), INTERVAL)
    this.timer.unref()
  }

  get ms(): number {
    return this.shortest
  }

  private async measure(): Promise<void> {
    if (this.measuring || this.client.status !== 'ready') return
    this.measuring = true
    const begun = performance.now()
    try {
      // Of a cluster, any node.
      await (this.client as Redis).ping()
      this.samples = [...this.samples, performance.now() - begun].slice(-SAMPLES)
      this.shortest = Math.min(LONGEST, ...this.samples)
    } catch {
      // It says nothing about the way.
    }
    this.measuring = false
  }

  close(): void {
    clearInterval(this.timer)
  }
}

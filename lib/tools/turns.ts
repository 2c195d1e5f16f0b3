/** More work is waiting for its turn than may. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

/** How much is done at once and may wait, of all and of each key. What is not given has no bound. */
export interface TurnsLimits {
  atOnce?: number
  atOnceEach?: number
  mayWait?: number
  mayWaitEach?: number
}

/** What is done for one key. */
interface Share {
  running: number
  waiting: (() => void)[]
}

/**
 * Lets so much work run at once; the rest waits. Keys (a client, an account) are served in a circle, one piece of work each, and
 * those of one key in order of arrival: who asks for much waits for themselves, and with a bound for each key nobody can hold all
 * places.
 */
export class Turns {
  private running = 0
  private waiting = 0
  /** By key, whose turn is next first. */
  private readonly shares = new Map<string, Share>()
  private readonly limits: Required<TurnsLimits>

  constructor({ atOnce = Infinity, atOnceEach = Infinity, mayWait = Infinity, mayWaitEach = Infinity }: TurnsLimits) {
    this.limits = { atOnce, atOnceEach, mayWait, mayWaitEach }
  }

  /** Keys with work under way. */
  get size(): number {
    return this.shares.size
  }

  /** @throws BusyError when too much waits already; else what `work` throws */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const share = this.shares.get(key) ?? { running: 0, waiting: [] }
    if (this.isFree(share)) this.start(key, share)
    else await this.wait(key, share)
    try {
      return await work()
    } finally {
      this.running -= 1
      share.running -= 1
      if (share.running === 0 && share.waiting.length === 0) this.shares.delete(key)
      this.handOn()
    }
  }

  private isFree({ running }: Share): boolean {
    return this.running < this.limits.atOnce && running < this.limits.atOnceEach
  }

  private start(key: string, share: Share): void {
    this.running += 1
    share.running += 1
    // Behind all others.
    this.shares.delete(key)
    this.shares.set(key, share)
  }

  private wait(key: string, share: Share): Promise<void> {
    const { mayWait, mayWaitEach } = this.limits
    if (this.waiting >= mayWait || share.waiting.length >= mayWaitEach) throw new BusyError(`${this.waiting} wait already`)
    this.shares.set(key, share)
    this.waiting += 1
    return new Promise((resolve) => share.waiting.push(resolve))
  }

  /** One that ends hands its place on, so that nobody who comes in between can take it. */
  private handOn(): void {
    for (const [key, share] of this.shares) {
      if (this.running >= this.limits.atOnce) return
      if (share.waiting.length === 0 || !this.isFree(share)) continue
      this.waiting -= 1
      this.start(key, share)
      share.waiting.shift()?.()
      return
    }
  }
}

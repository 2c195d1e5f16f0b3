/** More work is waiting for its turn than may. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

/** Lets so many pieces of work run at once; a bounded number of others waits, in order of arrival. */
export class Turns {
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(
    private readonly atOnce: number,
    private readonly mayWait: number,
  ) {}

  get isIdle(): boolean {
    return this.running === 0
  }

  /** @throws BusyError when too many wait already; else what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.atOnce) {
      if (this.waiting.length >= this.mayWait) throw new BusyError(`${this.mayWait} wait already`)
      // One that ends hands its place on, so nobody who comes in between can take it.
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    } else {
      this.running += 1
    }
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.running -= 1
    }
  }
}

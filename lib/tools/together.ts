interface Waiting<T> {
  item: T
  resolve: () => void
  reject: (error: unknown) => void
}

interface Options<T> {
  /** How many items are worked on at once. */
  most: number
  /** Takes effect for all items or for none. */
  work: (items: T[]) => Promise<unknown>
  /** Whether an error of `work` is about some item, and none took effect: each is then worked on by itself. */
  isRefusal: (error: unknown) => boolean
}

/** Does together what is asked for in one turn of the event loop by callers who know nothing of each other. */
export class Together<T> {
  private waiting: Waiting<T>[] = []

  constructor(private readonly options: Options<T>) {}

  /** @throws what `work` has against this item */
  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.push({ item, resolve, reject }) === 1) setImmediate(() => this.send())
    })
  }

  private send(): void {
    while (this.waiting.length > 0) void this.run(this.waiting.splice(0, this.options.most))
  }

  private async run(some: Waiting<T>[]): Promise<void> {
    const { work, isRefusal } = this.options
    try {
      await work(some.map(({ item }) => item))
      for (const { resolve } of some) resolve()
    } catch (error) {
      const oneByOne = some.length > 1 && isRefusal(error)
      for (const one of some) oneByOne ? void this.run([one]) : one.reject(error)
    }
  }
}

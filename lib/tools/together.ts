interface Waiting<T, R> {
  item: T
  resolve: (result: R) => void
  reject: (error: unknown) => void
}

interface Options<T, R> {
  /** How many items are worked on at once. */
  most: number
  /** Takes effect for all items or for none. @returns a result of each, in their order; none where there is nothing to say */
  work: (items: T[]) => Promise<readonly R[]>
  /** Whether an error of `work` is about some item, and none took effect: each is then worked on by itself. Default: no. */
  isRefusal?: (error: unknown) => boolean
}

/** Does together what is asked for in one turn of the event loop by callers who know nothing of each other. */
export class Together<T, R = void> {
  private waiting: Waiting<T, R>[] = []

  constructor(private readonly options: Options<T, R>) {}

  /** @throws what `work` has against this item */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.waiting.push({ item, resolve, reject }) === 1) setImmediate(this.send)
    })
  }

  private readonly send = (): void => {
    while (this.waiting.length > 0) void this.run(this.waiting.splice(0, this.options.most))
  }

  private async run(some: Waiting<T, R>[]): Promise<void> {
    const { work, isRefusal } = this.options
    try {
      const results = await work(some.map(({ item }) => item))
      for (let i = 0; i < some.length; i++) some[i]?.resolve(results[i] as R)
    } catch (error) {
      const oneByOne = some.length > 1 && isRefusal?.(error)
      for (const one of some) oneByOne ? void this.run([one]) : one.reject(error)
    }
  }
}

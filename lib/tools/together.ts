import { isTerseError } from '@/lib/errors'

type Work<T> = (items: T[]) => Promise<unknown>

interface Waiting<T> {
  item: T
  work: Work<T>
  resolve: () => void
  reject: (error: unknown) => void
}

/** Does together what is asked for in one turn of the event loop by callers who know nothing of each other. */
export class Together<T> {
  private waiting: Waiting<T>[] = []

  /** @param most how many items are worked on at once */
  constructor(private readonly most: number) {}

  /**
   * @param work takes effect for all items or for none, and is the same for all callers. When it refuses some items, each is worked on by itself.
   * @throws what `work` has against this item; TerseError 'unavailable', after which it may have taken effect
   */
  add(item: T, work: Work<T>): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.push({ item, work, resolve, reject }) === 1) setImmediate(() => this.send())
    })
  }

  private send(): void {
    while (this.waiting.length > 0) void this.run(this.waiting.splice(0, this.most))
  }

  private async run(some: Waiting<T>[]): Promise<void> {
    try {
      await some[0]?.work(some.map(({ item }) => item))
      for (const { resolve } of some) resolve()
    } catch (error) {
      // After an outage all may have been done.
      const isRefusal = some.length > 1 && !isTerseError(error)
      for (const one of some) isRefusal ? void this.run([one]) : one.reject(error)
    }
  }
}

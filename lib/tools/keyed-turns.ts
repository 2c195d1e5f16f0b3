import { Turns } from './turns'

/** One piece of work at a time for each key; a bounded number of others with the same key waits, in order of arrival. */
export class KeyedTurns {
  private readonly byKey = new Map<string, Turns>()

  constructor(private readonly mayWait: number) {}

  /** @throws BusyError when too many wait already; else what `work` throws */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turns = this.byKey.get(key) ?? new Turns(1, this.mayWait)
    this.byKey.set(key, turns)
    try {
      return await turns.run(work)
    } finally {
      if (turns.isIdle) this.byKey.delete(key)
    }
  }

  /** Keys with work under way. */
  get size(): number {
    return this.byKey.size
  }
}

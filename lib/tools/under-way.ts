import { setTimeout as delay } from 'node:timers/promises'

/**
 * Work that somebody else takes their time for, such as an answer of another server: who needs it waits a moment, does something
 * else, and asks again. It goes on meanwhile.
 */
export class UnderWay<T> {
  private readonly works = new Map<string, Promise<T>>()

  /**
   * @param most works at the same time, those included whose result nobody has asked for yet
   * @param kept how long such a result is kept, in ms
   */
  constructor(
    private readonly most: number,
    private readonly kept: number,
  ) {}

  /**
   * The result of what has this name, which is begun if it is not under way; null where that takes longer than `ms`, or too much
   * is under way. A result is given once.
   * @throws what the work throws
   */
  async within(ms: number, name: string, begin: () => Promise<T>): Promise<{ result: T } | null> {
    const work = this.works.get(name) ?? this.begun(name, begin)
    if (!work) return delay(ms, null)
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, ms, null)
    })
    try {
      const ended = await Promise.race([work.then((result) => ({ result })), over])
      if (ended) this.works.delete(name)
      return ended
    } catch (error) {
      this.works.delete(name)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  private begun(name: string, begin: () => Promise<T>): Promise<T> | null {
    if (this.works.size >= this.most) return null
    const work = begin()
    this.works.set(name, work)
    const forget = () => this.works.get(name) === work && this.works.delete(name)
    // Nobody may come back for it.
    work.catch(() => {}).finally(() => setTimeout(forget, this.kept).unref())
    return work
  }
}

import { setTimeout as delay } from 'node:timers/promises'

export interface UnderWayLimits {
  /** Works at the same time, those included whose result nobody has asked for yet: of all, and of each who asks. */
  most: number
  mostEach: number
  /** How long such a result is kept, in ms. */
  kept: number
  /** After how long who found no place and did not ask again is not waited for, in ms. */
  gone: number
}

/**
 * Work that somebody else takes their time for, such as an answer of another server: who needs it waits a moment, does something
 * else, and asks again. It goes on meanwhile. A free place goes to the account with the least under
 * way, and of these to the one that asked first: others that are slow on purpose hold up no one else.
 */
export class UnderWay<T> {
  private readonly works = new Map<string, { who: string; work: Promise<T> }>()
  /** Who found no place, in order of arrival, and when they last asked for one. */
  private readonly waiting = new Map<string, number>()

  constructor(private readonly limits: UnderWayLimits) {}

  /**
   * The result of what has this name, which is begun if it is not under way; null where that takes longer than `ms`, or too much
   * is under way. A result is given once.
   * @throws what the work throws
   */
  async within(ms: number, { who, name }: { who: string; name: string }, begin: () => Promise<T>): Promise<{ result: T } | null> {
    const work = this.works.get(name)?.work ?? this.begun(who, name, begin)
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

  private begun(who: string, name: string, begin: () => Promise<T>): Promise<T> | null {
    if (!this.hasPlace(who)) {
      this.waiting.set(who, performance.now())
      return null
    }
    this.waiting.delete(who)
    const work = begin()
    this.works.set(name, { who, work })
    const forget = () => this.works.get(name)?.work === work && this.works.delete(name)
    // Nobody may come back for it.
    work.catch(() => {}).finally(() => setTimeout(forget, this.limits.kept).unref())
    return work
  }

  private hasPlace(who: string): boolean {
    const { most, mostEach, gone } = this.limits
    const own = this.countOf(who)
    let free = most - this.works.size
    if (own >= mostEach || free <= 0) return false
    let isBefore = true
    for (const [other, askedAt] of this.waiting) {
      if (other === who) isBefore = false
      else if (performance.now() - askedAt >= gone) this.waiting.delete(other)
      else {
        const others = this.countOf(other)
        if (others < own || (isBefore && others === own)) free -= 1
      }
    }
    return free > 0
  }

  private countOf(who: string): number {
    let count = 0
    for (const work of this.works.values()) if (work.who === who) count += 1
    return count
  }
}

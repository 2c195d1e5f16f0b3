import { BusyError } from './turns'

interface Person {
  running: number
  waiting: (() => void)[]
}

/** How much is done at once and may wait, of all and of one person. */
export interface FairTurnsLimits {
  atOnce: number
  atOnceEach: number
  mayWait: number
  mayWaitEach: number
}

/**
 * Turns between people. Those who wait are served in a circle, one piece of work each: who asks for much waits for themselves. No one
 * can hold all places.
 */
export class FairTurns {
  private running = 0
  private waiting = 0
  /** By key, whose turn is next first. */
  private readonly people = new Map<string, Person>()

  constructor(private readonly limits: FairTurnsLimits) {}

  /** @throws BusyError when too much waits already; else what `work` throws */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const person = this.people.get(key) ?? { running: 0, waiting: [] }
    if (this.isFree(person)) this.start(key, person)
    else await this.wait(key, person)
    try {
      return await work()
    } finally {
      this.running -= 1
      person.running -= 1
      if (person.running === 0 && person.waiting.length === 0) this.people.delete(key)
      this.handOn()
    }
  }

  private isFree({ running }: Person): boolean {
    return this.running < this.limits.atOnce && running < this.limits.atOnceEach
  }

  private start(key: string, person: Person): void {
    this.running += 1
    person.running += 1
    // Behind all others.
    this.people.delete(key)
    this.people.set(key, person)
  }

  private wait(key: string, person: Person): Promise<void> {
    const { mayWait, mayWaitEach } = this.limits
    if (this.waiting >= mayWait || person.waiting.length >= mayWaitEach) throw new BusyError(`${this.waiting} wait already`)
    this.people.set(key, person)
    this.waiting += 1
    return new Promise((resolve) => person.waiting.push(resolve))
  }

  private handOn(): void {
    for (const [key, person] of this.people) {
      if (this.running >= this.limits.atOnce) return
      if (person.waiting.length === 0 || !this.isFree(person)) continue
      this.waiting -= 1
      this.start(key, person)
      person.waiting.shift()?.()
      return
    }
  }
}

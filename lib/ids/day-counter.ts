import { randomInt } from 'node:crypto'
import type { RedisGateway } from '@/lib/redis/gateway'
import { SingleFlight } from '@/lib/tools/single-flight'
import { Freshness } from './freshness'
import { idScripts } from './scripts'

interface Settings {
  /** Key of the hash that says whether it may be believed. */
  about: string
  /** Key of a hash: day (`yyyyMMdd`), how far its counter is. */
  daily: string
  /** The greatest number of a day in MySQL, 0 when there is none. */
  greatest: (day: string) => Promise<number>
}

/**
 * A counter that begins at 1 each day, in one hash of Redis. Servers whose clocks disagree count in the same field or in
 * different ones, and never share a number. While Redis cannot be asked, it is MySQL's greatest number and one, and the unique
 * index decides.
 */
export class DayCounter {
  private readonly freshness: Freshness
  /** The last number that this process gave without Redis. */
  private alone = { day: '', count: 0 }
  private readonly reading = new SingleFlight<number>()

  constructor(
    private readonly redis: RedisGateway,
    private readonly settings: Settings,
  ) {
    this.freshness = new Freshness(redis, settings.about)
  }

  private get keys(): string[] {
    return [this.settings.about, this.settings.daily]
  }

  /**
   * Counts on, in one round trip but for the first of a day.
   * @param count how many numbers; 0: it only says where the counter is
   * @param most the greatest number that may be given
   * @returns the last of them; null when there are not so many left
   * @throws TerseError 'unavailable' when neither Redis nor MySQL answers
   */
  async take(day: string, count: number, attempt = 0, most = Number.POSITIVE_INFINITY): Promise<number | null> {
    const last = await this.takeShared(day, count, most).catch(() => undefined)
    return last === undefined ? this.takeAlone(day, count, attempt, most) : last
  }

  private async takeShared(day: string, count: number, most: number): Promise<number | null> {
    const ask = (greatest: number | '') => {
      const bound = Number.isFinite(most) ? most : ''
      return this.redis.script(idScripts.counter, this.keys, [day, count, bound, greatest, this.redis.serverId])
    }
    const last = Number((await ask('')) ?? (await ask(await this.greatest(day))))
    return last < 0 ? null : last
  }

  private async takeAlone(day: string, count: number, attempt: number, most: number): Promise<number | null> {
    if (count > 0) this.freshness.markStale()
    const known = Math.max(await this.greatest(day), this.alone.day === day ? this.alone.count : 0)
    // Processes that ask at the same time read the same from MySQL, and must not meet again and again.
    const last = known + count + (attempt === 0 ? 0 : count * randomInt(2 ** Math.min(attempt, 10)))
    if (last > most) return null
    if (count > 0) this.alone = { day, count: last }
    return last
  }

  /** Many may ask at once at midnight: they share an answer. */
  private greatest(day: string): Promise<number> {
    return this.reading.run(day, () => this.settings.greatest(day))
  }

  /** At once: the counter stands where it stood before, and the numbers that follow were given too. */
  async raise(day: string): Promise<void> {
    await this.redis.bulk(idScripts.counterRaise, [this.settings.daily], [day, await this.greatest(day)])
  }

  /** Removes the counters of the days before `first`. @returns how many. @throws when Redis cannot be asked */
  async forgetBefore(first: string): Promise<number> {
    const old = (await this.days()).filter((day) => day < first)
    return old.length === 0 ? 0 : this.redis.use((client) => client.hdel(this.settings.daily, ...old))
  }

  private days(): Promise<string[]> {
    return this.redis.use((client) => client.hkeys(this.settings.daily))
  }

  isStale(): Promise<boolean> {
    return this.freshness.isStale()
  }

  /** Raises each counter that Redis has to what MySQL has; the others are asked for when they are needed. */
  resync(): Promise<void> {
    return this.freshness.resync(async () => {
      for (const day of await this.days()) await this.raise(day)
    })
  }

  /** How far each counter is, by its day. @throws when Redis cannot be asked */
  counters(): Promise<Record<string, string>> {
    return this.redis.use((client) => client.hgetall(this.settings.daily))
  }
}

import { randomInt } from 'node:crypto'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import type { RedisGateway } from '@/lib/redis/gateway'
import { SingleFlight } from '@/lib/tools/single-flight'
import { calendarDaysBefore, utcDay } from '@/lib/tools/time'
import { Freshness } from './freshness'
import { idScripts } from './scripts'
import { type IdState, type IdSystem, type NumberSource, readState } from './system'

const ABOUT = '{jobs}:about'
/** A hash: day (`yyyyMMdd`), how many jobs it has had. */
export const DAILY = '{jobs}:daily'
const KEYS = [ABOUT, DAILY]

/**
 * Numbers of jobs: the UTC day as `yyyyMMdd` and a counter of at least 5 digits that begins at 00001 each day. Servers
 * whose clocks disagree count in the same field or in different ones, and never share a number. While Redis cannot be asked,
 * it is MySQL's greatest number and one, and the unique index decides.
 */
export class JobNumbers implements IdSystem {
  readonly name = 'job'
  private readonly freshness: Freshness
  /** The last number that this process gave without Redis. */
  private alone = { day: '', count: 0 }
  private readonly reading = new SingleFlight<number>()

  constructor(
    private readonly redis: RedisGateway,
    private readonly db: SqlGateway,
    /** Calendar days that counters are kept. */
    private readonly keepDays: number,
  ) {
    this.freshness = new Freshness(redis, ABOUT)
  }

  /**
   * The next number of the UTC day of `now`, in one round trip but for the first of a day. It is not in MySQL yet.
   * @throws TerseError 'unavailable' when neither Redis nor MySQL answers
   */
  async issue(now = new Date(), attempt = 0): Promise<string> {
    const day = utcDay(now)
    const count = await this.count(day).catch(() => null)
    return asNumber(day, count ?? (await this.countAlone(day, attempt)))
  }

  /** Numbers for `insertUnique`. */
  source(now = new Date()): NumberSource {
    return {
      issue: (attempt) => this.issue(now, attempt),
      // At once: the counter stands where it stood before, and the numbers that follow were given too.
      taken: (number) => this.raise(number.slice(0, 8)),
    }
  }

  private async count(day: string): Promise<number> {
    const count = await this.redis.script(idScripts.job, KEYS, [day, '', this.redis.serverId])
    if (count !== null) return count
    return Number(await this.redis.script(idScripts.job, KEYS, [day, await this.greatest(day), this.redis.serverId]))
  }

  private async countAlone(day: string, attempt: number): Promise<number> {
    this.freshness.markStale()
    const known = Math.max(await this.greatest(day), this.alone.day === day ? this.alone.count : 0)
    // Processes that ask at the same time read the same from MySQL, and must not meet again and again.
    const count = known + 1 + (attempt === 0 ? 0 : randomInt(2 ** Math.min(attempt, 10)))
    this.alone = { day, count }
    return count
  }

  /** The greatest counter of a day in MySQL, 0 when there is none. Many may ask at once at midnight: they share an answer. */
  private greatest(day: string): Promise<number> {
    return this.reading.run(day, async () => {
      const [row] = await this.db.rows<{ greatest: bigint | number | null }>(
        'SELECT MAX(CAST(SUBSTRING(number, 9) AS UNSIGNED)) AS greatest FROM Job WHERE number LIKE ?',
        `${day}%`,
      )
      return Number(row?.greatest ?? 0)
    })
  }

  private async raise(day: string): Promise<void> {
    await this.redis.bulk(idScripts.jobRaise, [DAILY], [day, await this.greatest(day)])
  }

  /**
   * Removes the counters of days that lie more than the kept number of calendar days back.
   * @returns how many. @throws when Redis cannot be asked
   */
  async cleanUp(now = new Date()): Promise<number> {
    const first = calendarDaysBefore(now, this.keepDays)
    const old = (await this.days()).filter((day) => day < first)
    return old.length === 0 ? 0 : this.redis.use((client) => client.hdel(DAILY, ...old))
  }

  private days(): Promise<string[]> {
    return this.redis.use((client) => client.hkeys(DAILY))
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

  state(): Promise<IdState> {
    return readState(this.name, async () => {
      const counters = await this.redis.use((client) => client.hgetall(DAILY))
      return Object.entries(counters)
        .sort(([one], [other]) => other.localeCompare(one))
        .map(([day, count]) => ({ part: isoDay(day), used: Number(count), capacity: null, last: asNumber(day, Number(count)) }))
    })
  }
}

/** `2026-11-22`, of `20261122`. */
const isoDay = (day: string) => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

const asNumber = (day: string, count: number) => day + String(count).padStart(5, '0')

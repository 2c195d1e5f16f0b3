import type { SqlGateway } from '@/lib/db/sql-gateway'
import type { RedisGateway } from '@/lib/redis/gateway'
import { calendarDaysBefore, utcDay } from '@/lib/tools/time'
import { DayCounter } from './day-counter'
import { type IdState, type IdSystem, type NumberSource, readState } from './system'

const ABOUT = '{jobs}:about'
/** A hash: day (`yyyyMMdd`), how many jobs it has had. */
export const DAILY = '{jobs}:daily'

/** Numbers of jobs: the UTC day as `yyyyMMdd` and a counter of at least 5 digits that begins at 00001 each day. */
export class JobNumbers implements IdSystem {
  readonly name = 'job'
  private readonly counter: DayCounter

  constructor(
    redis: RedisGateway,
    db: SqlGateway,
    /** Calendar days that counters are kept. */
    private readonly keepDays: number,
  ) {
    this.counter = new DayCounter(redis, { about: ABOUT, daily: DAILY, greatest: (day) => greatestOf(db, day) })
  }

  /**
   * The next number of the UTC day of `now`, in one round trip but for the first of a day. It is not in MySQL yet.
   * @throws TerseError 'unavailable' when neither Redis nor MySQL answers
   */
  async issue(now = new Date(), attempt = 0): Promise<string> {
    const day = utcDay(now)
    return asNumber(day, (await this.counter.take(day, 1, attempt)) ?? 0)
  }

  /** Numbers for `insertUnique`. */
  source(now = new Date()): NumberSource {
    return {
      issue: (attempt) => this.issue(now, attempt),
      taken: (number) => this.counter.raise(number.slice(0, 8)),
    }
  }

  /**
   * Removes the counters of days that lie more than the kept number of calendar days back.
   * @returns how many. @throws when Redis cannot be asked
   */
  cleanUp(now = new Date()): Promise<number> {
    return this.counter.forgetBefore(calendarDaysBefore(now, this.keepDays))
  }

  isStale(): Promise<boolean> {
    return this.counter.isStale()
  }

  resync(): Promise<void> {
    return this.counter.resync()
  }

  state(): Promise<IdState> {
    return readState(this.name, async () => {
      const counters = await this.counter.counters()
      return Object.entries(counters)
        .sort(([one], [other]) => other.localeCompare(one))
        .map(([day, count]) => ({ part: isoDay(day), used: Number(count), capacity: null, last: asNumber(day, Number(count)) }))
    })
  }
}

/** The greatest counter of a day in MySQL, 0 when there is none. */
async function greatestOf(db: SqlGateway, day: string): Promise<number> {
  const [row] = await db.rows<{ greatest: bigint | number | null }>(
    'SELECT MAX(CAST(SUBSTRING(number, 9) AS UNSIGNED)) AS greatest FROM Job WHERE number LIKE ?',
    `${day}%`,
  )
  return Number(row?.greatest ?? 0)
}

/** `2026-11-22`, of `20261122`. */
const isoDay = (day: string) => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

const asNumber = (day: string, count: number) => day + String(count).padStart(5, '0')

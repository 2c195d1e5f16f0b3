import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { RedisGateway } from '@/lib/redis/gateway'
import { RedisLock } from '@/lib/redis/lock'
import { SingleFlight } from '@/lib/tools/single-flight'
import { endOfUtcDay, utcDay } from '@/lib/tools/time'
import { makePool, type PoolDigits, poolKeys } from './pools'
import { idScripts, type ReferenceReply } from './scripts'
import { LIST_SIZE } from './shuffle'
import { type IdState, type IdSystem, type NumberSource, readState } from './system'

/** How often the place of the next number is looked for: it moves on while others draw too. */
const LOOKS = 30
/** How long another process may take to make a pool, and how often to look whether it is done, in ms. */
const PATIENCE = 5_000
const LOOK_AGAIN = 20

/** Where the next number of a day lies, as far as this process knows. */
interface Place {
  day: string
  digits: PoolDigits
  /** Id of the pool. */
  pool: string
  /** How many of it were given. */
  given: number
  /** Questions to Redis that are under way and count on this: each takes the place behind the one before. */
  asking: number
}

/**
 * Receipts of reports: the UTC day as `yyMMdd` and a number of 5 digits that tells neither order nor how many there were.
 * The numbers of a day are shuffled beforehand, by the process that comes first, and lie in Redis in lists of 1,000; when all
 * 90,000 are given, those with 6 digits follow. While Redis cannot be asked, a random number is given and MySQL's unique
 * index decides.
 */
export class References implements IdSystem {
  readonly name = 'reference'
  private place: Place = startOf('')
  private readonly making = new SingleFlight<boolean>()
  /** A reference was given without Redis, whose pool may hold it still. */
  private stale = false

  constructor(
    private readonly redis: RedisGateway,
    private readonly db: SqlGateway,
  ) {}

  /**
   * The next reference of the UTC day of `now`, in one round trip but for the first of a day. It is not in MySQL yet.
   * @throws TerseError 'unavailable' when all 990,000 of the day are given
   */
  async issue(now = new Date(), attempt = 0): Promise<string> {
    const day = dayOf(now)
    const number = await this.draw(day).catch(() => {
      this.stale = true
      // Where many are given already, there is more room among those with 6 digits.
      return String(attempt < 3 ? randomInt(10_000, 100_000) : randomInt(100_000, 1_000_000))
    })
    if (number !== null) return day + number
    const retryAfter = Math.max(1, Math.ceil((endOfUtcDay(now) - now.getTime()) / 1000))
    throw new TerseError('unavailable', say('api.report.full'), { retryAfter })
  }

  /** References for `insertUnique`. */
  source(now = new Date()): NumberSource {
    return {
      issue: (attempt) => this.issue(now, attempt),
      // At once: the counter stands where it stood before, and the numbers that follow were given too.
      taken: async () => {
        const { day, digits, pool } = this.place
        if (day === dayOf(now)) await this.make(day, digits, pool)
      },
    }
  }

  /** The number, or null when all of the day are given. @throws when Redis cannot be asked, or a pool cannot be made */
  private async draw(day: string): Promise<string | null> {
    if (this.place.day !== day) this.place = startOf(day)
    for (let look = 0; look < LOOKS; look++) {
      const { place } = this
      const reply = await this.ask(place)
      const [outcome, pool] = reply
      if (outcome === 'given') {
        Object.assign(place, { pool, given: reply[3] + 1 })
        return reply[2]
      }
      if (outcome === 'elsewhere') {
        // Others that were asked from the same place hear the same: they follow the first.
        if (this.place === place) this.place = { day, digits: reply[2] === 5 ? 5 : 6, pool, given: reply[3], asking: 0 }
      } else if (outcome === 'none') await this.make(day, 5, pool)
      else if (reply[2] === 6 || !(await this.make(day, 6, pool))) return null
    }
    throw new Error('the pool of references moves on faster than this process can follow')
  }

  /** Asks for the next number, naming the list where it should lie by now, and the one after that. */
  private async ask(place: Place): Promise<ReferenceReply> {
    const { day, digits } = place
    const list = Math.floor((place.given + place.asking) / LIST_SIZE)
    const keys = [poolKeys.about(day), poolKeys.list(day, digits, list), poolKeys.list(day, digits, list + 1)]
    place.asking += 1
    try {
      return await this.redis.script(idScripts.reference, keys, [digits, list, this.redis.serverId])
    } finally {
      place.asking -= 1
    }
  }

  /**
   * Has the pool `found` replaced: by this process, or by another that is at it already.
   * @returns false when all of the day are given
   * @throws when MySQL or Redis fails, or the other takes too long
   */
  private make(day: string, digits: PoolDigits, found: string): Promise<boolean> {
    return this.making.run(`${day} ${digits} ${found}`, async () => {
      const lock = new RedisLock(this.redis, `{reports:${day}}:maker`)
      const work = async () => {
        const left = await makePool(this.redis, this.db, { day, digits, found })
        return left || (digits === 5 && makePool(this.redis, this.db, { day, digits: 6, found }))
      }
      for (const end = performance.now() + PATIENCE; performance.now() < end; await delay(LOOK_AGAIN)) {
        const pool = await this.redis.use((client) => client.hget(poolKeys.about(day), 'pool'))
        if ((pool ?? '') !== found) return true
        const made = await lock.exclusively(work)
        if (made) return made.value
      }
      throw new Error('another process did not get its pool of references done')
    })
  }

  /**
   * A pool that is missing or old is made when the next reference is asked for, so only a reference given without Redis makes it
   * stale.
   */
  async isStale(): Promise<boolean> {
    return this.stale
  }

  /** Shuffles today's pool again, without what MySQL has. */
  async resync(now = new Date()): Promise<void> {
    const day = dayOf(now)
    this.stale = false
    try {
      const [pool, digits] = await this.redis.use((client) => client.hmget(poolKeys.about(day), 'pool', 'digits'))
      if (pool) await this.make(day, digits === '6' ? 6 : 5, pool)
    } catch (error) {
      this.stale = true
      throw error
    }
  }

  state(now = new Date()): Promise<IdState> {
    return readState(this.name, async () => {
      const day = dayOf(now)
      const about = await this.redis.use((client) => client.hgetall(poolKeys.about(day)))
      const part = now.toISOString().slice(0, 10)
      if (about.pool === undefined) return [{ part, used: 0, capacity: 90_000, last: null }]
      const { count, size, last } = about
      return [{ part, used: Number(count), capacity: Number(size), last: last ? day + last : null }]
    })
  }
}

const startOf = (day: string): Place => ({ day, digits: 5, pool: '', given: 0, asking: 0 })

/** `261121`: the UTC day of an instant. */
const dayOf = (at: Date) => utcDay(at).slice(2)

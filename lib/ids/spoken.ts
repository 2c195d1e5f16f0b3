import { randomInt } from 'node:crypto'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Freshness, lost } from './freshness'
import { Permutation } from './permutation'
import { idScripts } from './scripts'
import { type IdPart, type IdState, type IdSystem, type NumberSource, readState } from './system'

export type SpokenDigits = 4 | 5 | 6
const DIGITS: readonly SpokenDigits[] = [4, 5, 6]
/** Rows read, and positions added to Redis, at a time. */
const BATCH = 2_000

/** The cycle of all numbers with so many digits. */
interface Cycle {
  size: number
  freshness: Freshness
  /** about, busy, until: see lua/spoken.lua. */
  keys: [about: string, busy: string, until: string]
}

function createCycle(redis: RedisGateway, digits: SpokenDigits): Cycle {
  const tag = `{spoken:${digits}}`
  const about = `${tag}:about`
  return { size: 10 ** digits, freshness: new Freshness(redis, about), keys: [about, `${tag}:busy`, `${tag}:until`] }
}

/** A link in MySQL that has a spoken code, and when that expires or was deleted. */
interface Row {
  full: string
  id: bigint
  endsAt: Date
}

/**
 * Short numbers to be read aloud, which are used again: a cycle over all numbers with so many digits that only goes on,
 * leaves out what is alive or rests, and begins again at its end. A position of the cycle becomes a number by a keyed
 * permutation, so that a number does not tell the one after it. While Redis cannot be asked, a random number is given and
 * MySQL's unique index decides.
 */
export class SpokenCodes implements IdSystem {
  readonly name = 'spoken'
  private readonly cycles: Record<SpokenDigits, Cycle>
  private readonly permutations = new Map<SpokenDigits, Permutation>()

  constructor(
    private readonly redis: RedisGateway,
    private readonly db: SqlGateway,
    private readonly secret: string,
    /** How long a number rests after its link expired, in ms. */
    private readonly grace: number,
  ) {
    this.cycles = { 4: createCycle(redis, 4), 5: createCycle(redis, 5), 6: createCycle(redis, 6) }
  }

  /**
   * The next number that is neither alive nor at rest, in one round trip. It is not in MySQL yet.
   * @param busyUntil when it may be given again, in ms since 1970: its link's expiry and the grace time
   * @param now ms since 1970; default: the clock of the Redis server, the one that all processes share
   * @throws TerseError 'unavailable' when all are alive or at rest, with the time at which the next one frees
   */
  async issue(digits: SpokenDigits, busyUntil: number, now?: number): Promise<{ code: string }> {
    const { size, keys, freshness } = this.cycles[digits]
    const reply = await this.redis
      .script(idScripts.spoken, keys, [size, Math.ceil(busyUntil), now ?? '', this.redis.serverId])
      .catch(() => null)
    if (reply === null) {
      freshness.markStale()
      return { code: asCode(randomInt(size), digits) }
    }
    const [position, freeAt] = reply
    if (position === -1) throw noneFree(digits, freeAt, now ?? Date.now())
    return { code: asCode(this.permutation(digits).forward(position), digits) }
  }

  /** Numbers for `insertUnique`. */
  source(digits: SpokenDigits, busyUntil: number): NumberSource {
    return {
      issue: async () => (await this.issue(digits, busyUntil)).code,
      // At once: the cycle stands where it stood before, and the numbers that follow are alive too.
      taken: () => this.resyncCycle(digits),
    }
  }

  async isStale(): Promise<boolean> {
    const stale = await Promise.all(DIGITS.map((digits) => this.cycles[digits].freshness.isStale()))
    return stale.includes(true)
  }

  async resync(): Promise<void> {
    for (const digits of DIGITS) await this.resyncCycle(digits)
  }

  /** Makes the numbers busy that are alive or at rest in MySQL, and goes on behind the newest of them. */
  private resyncCycle(digits: SpokenDigits): Promise<void> {
    const { freshness, keys, size } = this.cycles[digits]
    const permutation = this.permutation(digits)
    return freshness.resync(async (token) => {
      const add = async (next: string | number, positions: number[]) => {
        if ((await this.redis.bulk(idScripts.spokenAdd, keys, [token, size, next, ...positions])) === 0) throw lost()
      }
      // Where nothing is known, it begins where nobody can tell.
      await add(`?${randomInt(size)}`, [])
      let newest = { id: -1n, position: -1 }
      for await (const rows of this.busyLinks(digits)) {
        const positions = rows.flatMap(({ full, id, endsAt }) => {
          const position = permutation.backward(Number(full.slice(-digits)))
          if (id > newest.id) newest = { id, position }
          return [position, endsAt.getTime() + this.grace]
        })
        await add('', positions)
      }
      if (newest.position !== -1) await add((newest.position + 1) % size, [])
    })
  }

  /** Links on any domain whose code has so many digits and is alive or at rest, the deleted ones too, batch by batch. */
  private async *busyLinks(digits: SpokenDigits): AsyncGenerator<Row[], void> {
    const hosts = await this.db.rows<{ host: string }>('SELECT host FROM Domain')
    for (const { host } of hosts) {
      yield* this.busyRows('Link', 'expiresAt', host, digits)
      yield* this.busyRows('DeletedLink', 'deletedAt', host, digits)
    }
  }

  private async *busyRows(table: string, end: string, host: string, digits: SpokenDigits): AsyncGenerator<Row[], void> {
    const restsFrom = sqlTime(Date.now() - this.grace)
    // ':' comes after '9': a range of the unique index that holds all codes that begin with a digit.
    for (let after = `${host}/`; ; ) {
      const rows = await this.db.scan<Row>(
        `fullShortUrl AS full, id, ${end} AS endsAt FROM ${table} WHERE fullShortUrl > ? AND fullShortUrl < ?
         AND fullShortUrl REGEXP ? AND ${end} > ? ORDER BY fullShortUrl LIMIT ${BATCH}`,
        after,
        `${host}/:`,
        `/[0-9]{${digits}}$`,
        restsFrom,
      )
      const last = rows.at(-1)
      if (!last) return
      yield rows
      after = last.full
    }
  }

  private permutation(digits: SpokenDigits): Permutation {
    const known = this.permutations.get(digits)
    if (known) return known
    const made = new Permutation(this.secret, this.cycles[digits].size)
    this.permutations.set(digits, made)
    return made
  }

  state(): Promise<IdState> {
    return readState(this.name, () => Promise.all(DIGITS.map((digits) => this.part(digits))))
  }

  private async part(digits: SpokenDigits): Promise<IdPart> {
    const { size, keys } = this.cycles[digits]
    const [about, , until] = keys
    const [last, busy] = await this.redis.use((client) =>
      Promise.all([client.hget(about, 'last'), client.zcount(until, `(${Date.now()}`, '(inf')]),
    )
    return {
      part: String(digits),
      used: busy,
      capacity: size,
      last: last === null ? null : asCode(this.permutation(digits).forward(Number(last)), digits),
    }
  }
}

const asCode = (number: number, digits: SpokenDigits) => String(number).padStart(digits, '0')

function noneFree(digits: SpokenDigits, freeAt: number, now: number): TerseError {
  return new TerseError('unavailable', say('api.link.noSpoken', { digits, freeAt }), {
    retryAfter: Math.max(1, Math.ceil((freeAt - now) / 1000)),
  })
}

import { randomInt } from 'node:crypto'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { RedisGateway } from '@/lib/redis/gateway'
import { type BusyPosition, Cycle } from './cycle'
import { Permutation } from './permutation'
import { spokenRanges } from './spoken-ranges'
import { type IdPart, type IdState, type IdSystem, type NumberSource, readState } from './system'

export type SpokenDigits = 4 | 5 | 6
const DIGITS: readonly SpokenDigits[] = [4, 5, 6]
/** Rows read at a time. */
const BATCH = 2_000

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
    redis: RedisGateway,
    private readonly db: SqlGateway,
    private readonly secret: string,
    /** How long a number rests after its link expired, in ms. */
    private readonly grace: number,
    /** The host of BASE_URL, which has spoken codes unless it was decided otherwise. */
    private readonly baseHost: string,
  ) {
    // Where nothing is known, it begins where nobody can tell.
    const cycle = (digits: SpokenDigits) => new Cycle(redis, `{spoken:${digits}}`, 10 ** digits, () => randomInt(10 ** digits))
    this.cycles = { 4: cycle(4), 5: cycle(5), 6: cycle(6) }
  }

  /**
   * The next number that is neither alive nor at rest, in one round trip. It is not in MySQL yet.
   * @param busyUntil when it may be given again, in ms since 1970: its link's expiry and the grace time
   * @param now ms since 1970; default: the clock of the Redis server, the one that all processes share
   * @throws TerseError 'unavailable' when all are alive or at rest, with the time at which the next one frees
   */
  async issue(digits: SpokenDigits, busyUntil: number, now?: number): Promise<{ code: string }> {
    const cycle = this.cycles[digits]
    const drawn = await cycle.take(1, busyUntil, now)
    if (drawn === null) return { code: asCode(randomInt(cycle.size), digits) }
    if (drawn.positions === null) throw noneFree(digits, drawn.freeAt ?? busyUntil, now ?? Date.now())
    const [position = 0] = drawn.positions
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
    const stale = await Promise.all(DIGITS.map((digits) => this.cycles[digits].isStale()))
    return stale.includes(true)
  }

  async resync(): Promise<void> {
    for (const digits of DIGITS) await this.resyncCycle(digits)
  }

  /** Makes the numbers busy that are alive or at rest in MySQL, and goes on behind the newest of them. */
  private resyncCycle(digits: SpokenDigits): Promise<void> {
    return this.cycles[digits].resync(() => this.busyPositions(digits))
  }

  private async *busyPositions(digits: SpokenDigits): AsyncGenerator<BusyPosition[], void> {
    const permutation = this.permutation(digits)
    for await (const rows of this.busyLinks(digits)) {
      yield rows.map(({ full, id, endsAt }) => ({
        position: permutation.backward(Number(full.slice(-digits))),
        until: endsAt.getTime() + this.grace,
        id,
      }))
    }
  }

  /** Links whose spoken code has so many digits and is alive or at rest, the deleted ones too, batch by batch. */
  private async *busyLinks(digits: SpokenDigits): AsyncGenerator<Row[], void> {
    const hosts = await this.db.rows<{ host: string }>(
      'SELECT host FROM Domain WHERE COALESCE(spokenCodes, host = ?)',
      this.baseHost,
    )
    for (const { host } of hosts) {
      yield* this.busyRows('Link', 'expiresAt', host, digits)
      yield* this.busyRows('DeletedLink', 'deletedAt', host, digits)
    }
  }

  private async *busyRows(table: string, end: string, host: string, digits: SpokenDigits): AsyncGenerator<Row[], void> {
    const restsFrom = sqlTime(Date.now() - this.grace)
    for (const { where, values } of spokenRanges(host)) {
      for (let after = ''; ; ) {
        const rows = await this.db.search<Row>(
          `fullShortUrl AS full, id, ${end} AS endsAt FROM ${table} WHERE ${where} AND fullShortUrl > ?
           AND fullShortUrl REGEXP ? AND ${end} > ? ORDER BY fullShortUrl LIMIT ${BATCH}`,
          ...[...values, after, `/[0-9]{${digits}}$`, restsFrom],
        )
        if (rows.length > 0) yield rows
        const last = rows.at(-1)
        if (!last || rows.length < BATCH) break
        after = last.full
      }
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
    const { size } = this.cycles[digits]
    const { busy, last } = await this.cycles[digits].state()
    return {
      part: String(digits),
      used: busy,
      capacity: size,
      last: last === null ? null : asCode(this.permutation(digits).forward(last), digits),
    }
  }
}

const asCode = (number: number, digits: SpokenDigits) => String(number).padStart(digits, '0')

function noneFree(digits: SpokenDigits, freeAt: number, now: number): TerseError {
  return new TerseError('unavailable', say('api.link.noSpoken', { digits, freeAt }), {
    retryAfter: Math.max(1, Math.ceil((freeAt - now) / 1000)),
  })
}

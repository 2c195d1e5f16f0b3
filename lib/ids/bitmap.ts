import { randomInt } from 'node:crypto'
import { PIECE, pieces } from '@/lib/db/pieces'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Freshness, lost } from './freshness'
import { idScripts } from './scripts'

interface Settings {
  /** Hash tag of its keys: `{handles}`. */
  tag: string
  /** Positions: 0 to `size` - 1. */
  size: number
  /** Bits in a segment. */
  bits: number
  /** Segments that a script is shown; more than one, so that a draw goes on where one ends. */
  shown: number
  /** A draw takes as many as are wanted, or none: by the count of what is taken, which a resynchronisation makes from nothing. */
  allOrNone?: boolean
}

/** What came of a draw. */
export interface TakenBits {
  positions: number[]
  /** How many are set now. */
  used: number
  /** A search came to the end of a segment and began again at its start. */
  wrapped: boolean
}

/** Places that are looked at for each position of a sample: some lead to the same. */
const SAMPLES = 3
/** How often the first segment with a free bit is looked for: it moves on while others draw too. */
const LOOKS = 30

/**
 * Which of the positions 0 to `size` - 1 are taken: a bit each, in Redis, in segments that are there once they are needed. Free
 * ones are found from a random place on, of the first segment that has any. MySQL knows the same by the numbers that positions
 * stand for.
 */
export class Bitmap {
  private readonly freshness: Freshness
  readonly about: string
  private readonly segments: number
  /** The first segment with a free bit, as far as this process knows. */
  private first = 0

  constructor(
    private readonly redis: RedisGateway,
    private readonly settings: Settings,
  ) {
    this.about = `${settings.tag}:about`
    this.segments = Math.ceil(settings.size / settings.bits)
    this.freshness = new Freshness(redis, this.about)
  }

  keyOf(segment: number): string {
    return `${this.settings.tag}:${segment}`
  }

  /**
   * Takes positions that are free, in one round trip unless others have come to another segment.
   * @param count 10,000 at most
   * @returns fewer when there are no more; null while Redis cannot be asked
   */
  async take(count: number): Promise<TakenBits | null> {
    const { bits, size, allOrNone = false } = this.settings
    const taken: TakenBits = { positions: [], used: 0, wrapped: false }
    for (let look = 0; look < LOOKS && taken.positions.length < count; look++) {
      const named = this.settings.shown >= this.segments ? 0 : Math.min(this.first, this.segments - 1)
      const keys = [this.about, ...this.keysFrom(named)]
      const args = [named, bits, size, count - taken.positions.length, randomInt(2 ** 31), allOrNone ? 1 : 0, this.redis.serverId]
      const reply = await this.redis.script(idScripts.bitmap, keys, args).catch(() => null)
      if (reply === null) return null
      const [isTaken, used, ...rest] = reply
      taken.used = used
      if (isTaken === 1) {
        const [wrapped, ...positions] = rest
        taken.wrapped ||= wrapped === 1
        for (const position of positions) taken.positions.push(position)
        const last = positions.at(-1)
        if (last !== undefined) this.first = Math.floor(last / bits)
      } else {
        this.first = rest[0] ?? 0
        if (this.first >= this.segments) return taken
      }
    }
    return taken
  }

  private keysFrom(first: number): string[] {
    const count = Math.min(this.settings.shown, this.segments - first)
    return Array.from({ length: count }, (_, i) => this.keyOf(first + i))
  }

  /** Puts positions back. Only where a script is shown all segments. @throws when Redis does not take them */
  async putBack(positions: readonly number[]): Promise<void> {
    const keys = [this.about, ...this.keysFrom(0)]
    const done = await this.redis.bulk(idScripts.bitmapBack, keys, [this.settings.bits, this.redis.serverId, ...positions])
    if (done === 0) throw new Error('the bitmap is not complete yet')
  }

  markStale(): void {
    this.freshness.markStale()
  }

  isStale(): Promise<boolean> {
    return this.freshness.isStale()
  }

  /** Sets the bit of every position that MySQL has. @param taken some at a time. @throws when MySQL or Redis fails */
  resync(taken: () => AsyncIterable<readonly number[]>): Promise<void> {
    const { bits, size } = this.settings
    return this.freshness.resync(async (token) => {
      for await (const some of taken()) {
        const positions = some.filter((position) => position >= 0 && position < size)
        const segments = [...new Set(positions.map((position) => Math.floor(position / bits)))]
        const keys = [this.about, ...segments.map((segment) => this.keyOf(segment))]
        if ((await this.redis.bulk(idScripts.bitmapAdd, keys, [token, bits, size, ...segments, ...positions])) === 0) throw lost()
      }
    })
  }

  /** The last position that was given, and how many are set in each of the first segments. @throws when Redis cannot be asked */
  async state(segments: number): Promise<{ last: number | null; used: number[] }> {
    const keys = Array.from({ length: segments }, (_, segment) => this.keyOf(segment))
    const [last, used] = await this.redis.use((client) =>
      Promise.all([client.hget(this.about, 'last'), Promise.all(keys.map((key) => client.bitcount(key)))]),
    )
    return { last: last === null ? null : Number(last), used }
  }

  /**
   * Positions that are free, found as `take` finds them, and how many are set; nothing is taken.
   * @returns null when the bitmap is not known to be complete
   * @throws when Redis cannot be asked
   */
  async sample(count: number): Promise<{ positions: number[]; used: number } | null> {
    if (await this.isStale()) return null
    const { bits, size } = this.settings
    const about = await this.redis.use((client) => client.hmget(this.about, 'segment', 'used'))
    const segment = Math.min(Number(about[0] ?? 0), this.segments - 1)
    const end = Math.min(bits, size - segment * bits) - 1
    const key = this.keyOf(segment)
    const starts = Array.from({ length: count * SAMPLES }, () => randomInt(end + 1))
    const found = await this.redis.use((client) =>
      Promise.all(
        starts.map(async (start) => {
          const bit = await client.bitpos(key, 0, start, end, 'BIT')
          return bit === -1 ? client.bitpos(key, 0, 0, end, 'BIT') : bit
        }),
      ),
    )
    // Of a segment that is not there yet, the first bit is all that is told.
    const isThere = (await this.redis.use((client) => client.exists(key))) === 1
    const free = (isThere ? found : starts).filter((bit) => bit !== -1).map((bit) => segment * bits + bit)
    return { positions: [...new Set(free)].slice(0, count), used: Number(about[1] ?? 0) }
  }

  /** Removes all that Redis has of it. @throws when Redis cannot be asked */
  async forget(): Promise<void> {
    const fields = await this.redis.use((client) => client.hkeys(this.about))
    const segments = fields.flatMap((field) => /^allocated:(\d+)$/.exec(field)?.[1] ?? [])
    const keys = [this.about, ...segments.map((segment) => this.keyOf(Number(segment)))]
    for (const some of pieces(keys, PIECE)) await this.redis.use((client) => client.unlink(...some))
  }
}

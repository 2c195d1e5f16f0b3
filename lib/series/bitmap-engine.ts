import { randomInt } from 'node:crypto'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Bitmap } from '@/lib/ids/bitmap'
import { type Draw, type Engine, type EngineContext, type Outlook, type Series, tagOf } from './engine'
import { busyPositions, newestPosition, takenPositions } from './numbers'
import { RedisCatchUp } from './redis-catch-up'
import type { Definition } from './schemas'

type BitmapDefinition = Extract<Definition, { kind: 'bitmap' }>

/** Bits of a segment: 16 KB of Redis. Twice as many as a draw takes at most and more, so that a draw needs two of them. */
const BITS = 131_072
/** Segments that a script is shown. */
const SHOWN = 2
/** Positions of which MySQL is asked at a time, and how often at most. */
const WINDOW = 10_000
const WINDOWS = 200

/**
 * Numbers from 0 on in no order, each once: free ones are found from a random place of a bitmap in Redis (lib/ids/bitmap.ts), and
 * while that cannot be asked, of what MySQL has.
 */
export class BitmapEngine implements Engine {
  private readonly bitmap: Bitmap
  private readonly catchUp: RedisCatchUp
  private readonly numberAt: (position: number) => number

  constructor(
    private readonly ctx: EngineContext,
    private readonly series: Series<BitmapDefinition>,
  ) {
    const tag = tagOf(series)
    const { size } = series.definition
    this.bitmap = new Bitmap(ctx.redis, { tag, size, bits: BITS, shown: SHOWN, allOrNone: true })
    this.catchUp = new RedisCatchUp(ctx.redis, tag, () => this.tell())
    this.numberAt = size <= BITS ? (position) => position : spread(size)
  }

  /** From nothing on, so that Redis counts right what is taken. */
  private async tell(): Promise<void> {
    await this.bitmap.forget()
    await this.bitmap.resync(() => this.takenPieces())
  }

  private async *takenPieces(): AsyncGenerator<number[], void> {
    for await (const rows of busyPositions(this.ctx.db, this.series.id)) yield rows.map(({ position }) => position)
  }

  async draw(count: number, at: Date): Promise<Draw> {
    const taken = await this.catchUp.ask(() => this.bitmap.take(count))
    const positions = taken?.positions ?? (await this.drawAlone(count))
    if (positions.length < count) {
      // Redis had counted wrong, and took what there was: it is told again, and then has them.
      if (taken !== null && positions.length > 0) this.catchUp.markStale()
      // Not all of it was looked at.
      if (taken === null && this.series.definition.size > WINDOWS * WINDOW) {
        throw new TerseError('unavailable', say('api.system.noNumber'), { retryAfter: 1 })
      }
      const { left } = this.outlook(taken)
      throw new TerseError('conflict', say('api.series.usedUp', { left: left ?? positions.length, count }))
    }
    return { positions, day: 0, at: at.getTime(), freeAt: null, ...this.outlook(taken) }
  }

  /** From a random place on, no further than Redis may have come by now: what it is told of then takes few segments. */
  private async drawAlone(count: number): Promise<number[]> {
    this.catchUp.markStale()
    const { size } = this.series.definition
    const newest = await newestPosition(this.ctx.db, this.series.id)
    const bound = Math.min(size, (Math.floor((newest ?? 0) / BITS) + 2) * BITS)
    const first = randomInt(bound)
    const positions: number[] = []
    for (let seen = 0; seen < Math.min(size, WINDOWS * WINDOW) && positions.length < count; seen += WINDOW) {
      const some = Array.from({ length: Math.min(WINDOW, size - seen) }, (_, i) => (first + seen + i) % size)
      const taken = await takenPositions(this.ctx.db, this.series.id, 0, some, Date.now())
      positions.push(...some.filter((position) => !taken.has(position)).slice(0, count - positions.length))
    }
    return positions
  }

  async taken(): Promise<void> {
    this.catchUp.markStale()
    await this.catchUp.now()
  }

  /** Some that are free: which ones come next, nobody can tell. */
  async look(count: number, at: Date): Promise<Draw> {
    const seen = await this.catchUp.ask(() => this.bitmap.sample(count).catch(() => null))
    return { positions: seen?.positions ?? [], day: 0, at: at.getTime(), freeAt: null, ...this.outlook(seen) }
  }

  private outlook(seen: { used: number } | null): Outlook {
    const { size } = this.series.definition
    return { left: seen && size - seen.used, untilRestart: null, size }
  }

  numberOf(position: number): number {
    return this.numberAt(position)
  }

  forget(): Promise<void> {
    return this.bitmap.forget()
  }
}

/** Sends 0 to `size` - 1 to the same numbers, such that those of one segment lie all over: by steps of the golden section. */
function spread(size: number): (position: number) => number {
  let step = Math.floor(size * 0.6180339887498949)
  while (divisorOf(step, size) !== 1) step += 1
  const [by, all] = [BigInt(step), BigInt(size)]
  return (position) => Number((BigInt(position) * by) % all)
}

/** The greatest common divisor. */
function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b)
}

import { randomInt } from 'node:crypto'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { type BusyPosition, Cycle, NEVER } from '@/lib/ids/cycle'
import { type Draw, type Engine, type EngineContext, type Outlook, type Series, tagOf } from './engine'
import { busyPositions, newestPosition, takenPositions } from './numbers'
import { RedisCatchUp } from './redis-catch-up'
import type { Definition } from './schemas'

type CycleDefinition = Extract<Definition, { kind: 'cycle' }>

/** Positions of which MySQL is asked at a time. */
const WINDOW = 10_000

/**
 * A cycle of numbers from a first to a last. It lies in Redis (lib/ids/cycle.ts). What Redis has lost it is told when the next
 * number is asked for; while it cannot be asked, the next numbers that MySQL has not are given.
 */
export class CycleEngine implements Engine {
  private readonly cycle: Cycle
  private readonly catchUp: RedisCatchUp

  constructor(
    private readonly ctx: EngineContext,
    private readonly series: Series<CycleDefinition>,
  ) {
    const { start, max, step, rest } = series.definition
    const tag = tagOf(series)
    this.cycle = new Cycle(ctx.redis, tag, (max - start) / step + 1, () => 0, rest !== null)
    this.catchUp = new RedisCatchUp(ctx.redis, tag, () => this.cycle.resync(() => this.busy()))
  }

  async draw(count: number, at: Date, attempt: number): Promise<Draw> {
    const { rest } = this.series.definition
    const now = at.getTime()
    const freeAt = rest === null ? null : now + rest * 1_000
    const drawn = await this.catchUp.ask(() => this.cycle.take(count, freeAt ?? NEVER, now))
    if (drawn?.positions === null) throw tooFew(count, drawn, now)
    const positions = drawn?.positions ?? (await this.drawAlone(count, now, attempt))
    if (positions.length < count) throw tooFew(count, { free: positions.length, freeAt: null }, now)
    const next = ((positions.at(-1) ?? -1) + 1) % this.cycle.size
    return { positions, day: 0, at: now, freeAt, ...this.outlook(drawn?.free ?? null, next) }
  }

  private async *busy(): AsyncGenerator<BusyPosition[], void> {
    for await (const rows of busyPositions(this.ctx.db, this.series.id)) {
      yield rows.map(({ position, id, freeAt }) => ({ position, id, until: freeAt?.getTime() ?? NEVER }))
    }
  }

  /** What MySQL has not, behind what was drawn last. @returns fewer where there are no more */
  private async drawAlone(count: number, now: number, attempt: number): Promise<number[]> {
    this.catchUp.markStale()
    const { size } = this.cycle
    const newest = await newestPosition(this.ctx.db, this.series.id)
    // Processes that ask at the same time read the same from MySQL, and must not meet again and again.
    const skipped = attempt === 0 ? 0 : count * randomInt(2 ** Math.min(attempt, 10))
    const first = (newest === null ? 0 : newest + 1 + skipped) % size
    const positions: number[] = []
    for (let seen = 0; seen < size && positions.length < count; seen += WINDOW) {
      const some = Array.from({ length: Math.min(WINDOW, size - seen) }, (_, i) => (first + seen + i) % size)
      const taken = await takenPositions(this.ctx.db, this.series.id, 0, some, now)
      positions.push(...some.filter((position) => !taken.has(position)).slice(0, count - positions.length))
    }
    return positions
  }

  async taken(): Promise<void> {
    this.catchUp.markStale()
    await this.catchUp.now()
  }

  async look(count: number, at: Date): Promise<Draw> {
    const now = at.getTime()
    const seen = await this.catchUp.ask(() => this.cycle.look(count, now))
    const positions = seen?.positions ?? (await this.drawAlone(Math.min(count, this.cycle.size), now, 0))
    const [next = null] = positions
    return { positions, day: 0, at: now, freeAt: null, ...this.outlook(seen?.free ?? null, next === null ? 0 : next) }
  }

  /** @param next where it goes on */
  private outlook(left: number | null, next: number): Outlook {
    const { size } = this.cycle
    return { left, untilRestart: this.series.definition.rest === null ? null : size - next, size }
  }

  numberOf(position: number): number {
    const { start, step } = this.series.definition
    return start + position * step
  }

  async forget(): Promise<void> {
    await this.ctx.redis.use((client) => client.unlink(...this.cycle.keys))
  }
}

/** Fewer are free than are asked for: for now, or for good. */
function tooFew(count: number, { free, freeAt }: { free: number; freeAt: number | null }, now: number): TerseError {
  if (freeAt === null) return new TerseError('conflict', say('api.series.usedUp', { left: free, count }))
  const retryAfter = Math.max(1, Math.ceil((freeAt - now) / 1_000))
  return new TerseError('unavailable', say('api.series.resting', { left: free, count, freeAt }), { retryAfter })
}

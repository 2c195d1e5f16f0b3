import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { DayCounter } from '@/lib/ids/day-counter'
import { Permutation } from '@/lib/ids/permutation'
import { calendarDaysBefore, endOfUtcDay, utcDay } from '@/lib/tools/time'
import { type Batch, type Draw, type Engine, type EngineContext, type Outlook, type Series, tagOf } from './engine'
import { greatestPosition } from './numbers'
import { RedisCatchUp } from './redis-catch-up'
import type { Definition } from './schemas'
import { SHUFFLED_DIGITS } from './values'

type DailyDefinition = Extract<Definition, { kind: 'counter' | 'shuffled' }>

/** The numbers of a day, by the order in which they are given. */
export interface DayOrder {
  /** null: no end. */
  size: number | null
  numberOf(position: number, day: number): number
}

/** One after another. */
export const inOrder = ({ first, step }: { first: number; step: number }): DayOrder => ({
  size: null,
  numberOf: (position) => first + position * step,
})

/**
 * All numbers with so many digits, shuffled again for each day, and when these are used up, those with one digit more. The order
 * is a keyed permutation (lib/ids/permutation.ts), which tells neither the next number nor how many there were, and takes no
 * room: lists of the 9,000,000 numbers with 7 digits would take 45 MB of Redis a day.
 */
export function shuffledByDay(secret: string, { id }: Pick<Series, 'id'>, fewest: number): DayOrder {
  const permutations = new LRUCache<string, Permutation>({ max: 4 })
  const permutationOf = (day: number, digits: number) => {
    const name = `series:${id}:${day}:${digits}`
    const known = permutations.get(name)
    if (known) return known
    const made = new Permutation(createHmac('sha256', secret).update(name).digest('hex'), sizeOf(digits))
    permutations.set(name, made)
    return made
  }
  let size = 0
  for (let digits = fewest; digits <= SHUFFLED_DIGITS.most; digits++) size += sizeOf(digits)
  return {
    size,
    numberOf(position, day) {
      let digits = fewest
      let rest = position
      for (; rest >= sizeOf(digits) && digits < SHUFFLED_DIGITS.most; digits++) rest -= sizeOf(digits)
      return 10 ** (digits - 1) + permutationOf(day, digits).forward(rest)
    },
  }
}

/** How many numbers have so many digits, without leading zeros. */
const sizeOf = (digits: number) => 9 * 10 ** (digits - 1)

/** Numbers that begin again each UTC day: a counter of the day (lib/ids/day-counter.ts), seen through an order. */
export class CounterEngine implements Engine {
  private readonly counter: DayCounter
  private readonly catchUp: RedisCatchUp
  /** MySQL had to be asked, since Redis did not know, or could not be asked. */
  private hasAsked = false
  private cleanedOn = ''
  private readonly keys: [about: string, daily: string]

  constructor(
    private readonly ctx: EngineContext,
    private readonly series: Series<DailyDefinition>,
    private readonly order: DayOrder,
  ) {
    const tag = tagOf(series)
    const [about, daily] = [`${tag}:about`, `${tag}:daily`]
    this.keys = [about, daily]
    const greatest = async (day: string) => {
      this.hasAsked = true
      // Positions begin at 0, and the counter at 1.
      return (await greatestPosition(ctx.db, series.id, Number(day))) + 1
    }
    this.counter = new DayCounter(ctx.redis, { about, daily, greatest })
    this.catchUp = new RedisCatchUp(ctx.redis, tag, () => this.counter.resync())
  }

  async draw(count: number, at: Date, attempt: number): Promise<Draw> {
    const day = utcDay(at)
    await this.keepInStep(at)
    const last = await this.counter.take(day, count, attempt, this.order.size ?? undefined)
    if (last === null) throw tooFew(count, at, this.outlook(await this.last(at)))
    const positions = Array.from({ length: count }, (_, i) => last - count + i)
    return { positions, day: Number(day), at: at.getTime(), freeAt: null, ...this.outlook(last) }
  }

  /** Redis is told what it lacks, and forgets the days that are no longer kept. What fails is tried again the next time. */
  private async keepInStep(at: Date): Promise<void> {
    if (this.hasAsked) {
      // Its own questions tell it too.
      const isTold = await this.catchUp.soon()
      this.hasAsked = !isTold
    }
    const day = utcDay(at)
    if (this.cleanedOn === day) return
    const first = calendarDaysBefore(at, this.series.definition.keepDays)
    await this.counter.forgetBefore(first).then(
      () => {
        this.cleanedOn = day
      },
      () => {
        // Redis is away.
      },
    )
  }

  async taken({ day }: Batch): Promise<void> {
    await this.counter.raise(String(day))
  }

  async look(count: number, at: Date): Promise<Draw> {
    const last = await this.last(at)
    const { size } = this.order
    const wanted = size === null ? count : Math.min(count, size - last)
    const positions = Array.from({ length: wanted }, (_, i) => last + i)
    const day = Number(utcDay(at))
    return { positions, day, at: at.getTime(), freeAt: null, ...this.outlook(last) }
  }

  /** @param last how many numbers of the day were given */
  private outlook(last: number): Outlook {
    const { size } = this.order
    return { left: size === null ? null : size - last, untilRestart: null, size }
  }

  /** How many numbers of the day were given. */
  private async last(at: Date): Promise<number> {
    return (await this.counter.take(utcDay(at), 0)) ?? 0
  }

  numberOf(position: number, day: number): number {
    return this.order.numberOf(position, day)
  }

  async forget(): Promise<void> {
    await this.ctx.redis.use((client) => client.unlink(...this.keys))
  }
}

/** Fewer are left than are asked for, until the day is over. */
function tooFew(count: number, at: Date, { left }: Outlook): TerseError {
  const until = endOfUtcDay(at)
  const retryAfter = Math.max(1, Math.ceil((until - at.getTime()) / 1_000))
  return new TerseError('unavailable', say('api.series.resting', { left: left ?? 0, count, freeAt: until }), { retryAfter })
}

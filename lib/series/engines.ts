import { LRUCache } from 'lru-cache'
import { BitmapEngine } from './bitmap-engine'
import { CounterEngine, inOrder, shuffledByDay } from './counter-engine'
import { CycleEngine } from './cycle-engine'
import type { Engine, EngineContext, Series } from './engine'
import type { Definition } from './schemas'

/** Engines that a process holds at a time. */
const MOST = 1_000

type Makers = {
  [K in Definition['kind']]: (ctx: EngineContext, series: Series<Extract<Definition, { kind: K }>>) => Engine
}

const MAKERS: Makers = {
  bitmap: (ctx, series) => new BitmapEngine(ctx, series),
  cycle: (ctx, series) => new CycleEngine(ctx, series),
  counter: (ctx, series) => new CounterEngine(ctx, series, inOrder(series.definition)),
  shuffled: (ctx, series) => new CounterEngine(ctx, series, shuffledByDay(ctx.secret, series, series.definition.format.digits)),
}

/** The engines of series, made when they are first asked for. */
export class Engines {
  private readonly known = new LRUCache<bigint, Engine>({ max: MOST })

  constructor(private readonly ctx: EngineContext) {}

  of(series: Series): Engine {
    const known = this.known.get(series.id)
    if (known) return known
    const make = MAKERS[series.definition.kind] as (ctx: EngineContext, series: Series) => Engine
    const made = make(this.ctx, series)
    this.known.set(series.id, made)
    return made
  }
}

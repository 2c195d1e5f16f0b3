/** How long work may go on at a stretch, in ms: well below what visitors feel. */
const STRETCH = 10

/** What all long loops of the process share: each bundle has a copy of this module (docs/decisions/0003-one-runtime.md). */
interface Turns {
  /** When the stretch under way began. */
  since: number
  /** Loops that wait for their next stretch, in order. */
  waiting: (() => void)[]
}
const TURNS = Symbol.for('terse.turns')

/**
 * Lets a long loop give way to everything else that the process has to do. Ask `isDue` often, and `pause` when it is.
 *
 * One loop has a stretch in each turn of the event loop, however many there are: sixty that each gave way by themselves
 * would all go on in the same turn, and redirects wait for all of them.
 */
export class Breath {
  private readonly turns = turnsOfProcess()

  /** True at first, too: what is in the way then decides when this loop has its turn. */
  get isDue(): boolean {
    return performance.now() - this.turns.since > STRETCH
  }

  /** Ends once what waits has had its turn, and the loops that paused before as well. */
  pause(): Promise<void> {
    const { turns } = this
    return new Promise((resolve) => {
      turns.waiting.push(resolve)
      if (turns.waiting.length === 1) setImmediate(next, turns)
    })
  }
}

function turnsOfProcess(): Turns {
  const holder = globalThis as { [TURNS]?: Turns }
  holder[TURNS] ??= { since: 0, waiting: [] }
  return holder[TURNS]
}

function next(turns: Turns): void {
  const resume = turns.waiting.shift()
  turns.since = performance.now()
  resume?.()
  if (turns.waiting.length > 0) setImmediate(next, turns)
}

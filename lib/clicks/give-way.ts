/** Turns with redirects that an interval needs to tell anything of what visitors feel. */
const ENOUGH = 3
/** What is felt may be so many times what it is at rest, and this much more in ms, before counting gives way. */
const TOLERATED = 1.2
const UNFELT = 0.2
/** The level at rest is the lowest that was seen; forgotten at this rate for each interval, as machines and networks change. */
const FORGOTTEN = 1.002

/** Counting rests for so many times as long as it worked, at most. */
const REST = 4
/** And this long, in ms: work that took longer waited for a server. */
const LONGEST_REST = 1_000
/** Clicks that wait for longer are counted without any rest, in ms: a backlog is bounded by time, whatever visitors feel. */
const LONGEST_WAIT = 60_000
/** From here on, rests get shorter. */
const SHORT_WAIT = 10_000

/** What visitors feel of all else that goes on on this machine: how much longer they wait than when nothing does. */
export class Strain {
  private sum = 0
  private turns = 0
  private quiet = Number.POSITIVE_INFINITY

  /** One turn's redirects waited this long for their clicks to be safe, in ms. */
  note(ms: number): void {
    this.sum += ms
    this.turns += 1
  }

  /**
   * Ends an interval.
   * @param loopDelay how late the event loop was in it, in ms
   * @returns 0, nobody feels anything, to 1
   */
  measure(loopDelay: number): number {
    const { sum, turns } = this
    this.sum = 0
    this.turns = 0
    if (turns < ENOUGH) return 0
    const felt = sum / turns + loopDelay
    this.quiet = Math.min(felt, this.quiet * FORGOTTEN)
    const over = felt - TOLERATED * this.quiet - UNFELT
    return Math.min(1, Math.max(0, over / this.quiet))
  }
}

/**
 * How long counting rests after some work, in ms. Never so long that it stands still.
 * @param worked how long the work took, in ms
 * @param strain 0 to 1
 * @param waited how long the clicks had waited that were counted, in ms
 */
export function restFor(worked: number, strain: number, waited: number): number {
  const patience = (LONGEST_WAIT - waited) / (LONGEST_WAIT - SHORT_WAIT)
  return Math.min(LONGEST_REST, REST * worked * strain * Math.min(1, Math.max(0, patience)))
}

/** Clicks of one transaction: less while visitors feel it, so that each is soon over. */
export const sizeFor = (most: number, strain: number) => Math.ceil(most / (1 + REST * strain))

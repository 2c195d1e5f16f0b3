/** Who has not heard of all changes that are older than this (in ms) vouches for nothing: a change is seen within a second. */
const TRUSTED_FOR = 700

/**
 * How far one process has heard the changes of one shard. Each change carries its number and that of the change before, and
 * the number of the last one is read four times a second: so whatever was not heard is noticed, whichever connection broke,
 * and whether or not anybody knows that it did.
 *
 * A reading that is ahead of what was heard is not yet a gap: the message may be on its way. Until it comes nothing is
 * confirmed; when it has not come by the next reading, it was missed.
 */
export class ShardFeed {
  /** The last change that was heard, or made up for by doubt; 0 before the first reading. */
  number = 0
  /** Every change from before this time was heard, or what it may concern is doubtful. Of performance.now(). */
  confirmedAt = Number.NEGATIVE_INFINITY
  /** What was read before this time may have changed unheard. Of performance.now(). */
  doubtedAt = Number.NEGATIVE_INFINITY
  /** Both, as they were when it was doubted. */
  private before = { confirmedAt: Number.NEGATIVE_INFINITY, doubtedAt: Number.NEGATIVE_INFINITY }
  /** A reading that was ahead. */
  private awaited: { number: number; begunAt: number } | null = null

  /** @param onGap called when changes were missed */
  constructor(private readonly onGap: () => void) {}

  /** A change was heard, `before` being the number of the one before it. */
  heard(before: number, number: number): void {
    if (this.number === 0) return // Nothing was read yet: the first reading says where to begin.
    if (before === this.number) this.number = number
    else if (number > this.number) this.gap(number)
    if (this.awaited && this.number >= this.awaited.number) this.confirm(this.awaited.begunAt)
  }

  /**
   * The number of the last change was read.
   * @param heardBefore `number` when the reading began
   * @param begunAt when that was, of performance.now()
   */
  read(number: number, heardBefore: number, begunAt: number): void {
    const missed = this.awaited !== null && this.awaited.number > this.number
    // Lower than what was heard before it was asked for: Redis lost its data, or got back old data.
    if (missed || number < heardBefore || heardBefore === 0) this.gap(number)
    if (number <= this.number) this.confirm(begunAt)
    else this.awaited = { number, begunAt }
  }

  private confirm(begunAt: number): void {
    this.confirmedAt = begunAt
    this.awaited = null
  }

  /** True when every change was heard that is older than a moment. @param now of performance.now() */
  isLive(now: number): boolean {
    return now - this.confirmedAt < TRUSTED_FOR
  }

  /** Until when what was read at some time is known to have been right, unless a change of it was heard. */
  rightUntil(readAt: number): number {
    const { confirmedAt, doubtedAt } = readAt > this.doubtedAt ? this : this.before
    return readAt > doubtedAt ? Math.max(readAt, confirmedAt) : readAt
  }

  private gap(number: number): void {
    this.number = number
    this.doubt()
    this.onGap()
  }

  /** From now on, what was read before is asked for again. */
  doubt(): void {
    this.before = { confirmedAt: this.confirmedAt, doubtedAt: this.doubtedAt }
    this.doubtedAt = performance.now()
  }
}

/** Clicks of one transaction: at first, and at the least and the most that it becomes. */
const FIRST = 8_000
const LEAST = 1_000
const MOST = 32_000
/** A transaction may take this long, in ms: other consumers wait for rows that it holds. */
const LONG = 4_000

/**
 * How many clicks one transaction counts, when that many wait. Clicks on many links share the more rows the more of them are
 * counted at once: 32,000 on a thousand links cost MariaDB two thirds of four times 8,000. How long that takes depends on the
 * machine, so it is found out.
 */
export class TransactionSize {
  clicks = FIRST

  /** Some clicks were counted in so many ms: how long would it take of as many as there may be? Few tell nothing. */
  took(clicks: number, ms: number): void {
    if (ms > LONG) this.shrink()
    else if (clicks >= LEAST && (ms / clicks) * this.clicks < LONG / 2) this.clicks = Math.min(MOST, this.clicks * 2)
  }

  /** They could not be counted, perhaps as it took too long. */
  shrink(): void {
    this.clicks = Math.max(LEAST, this.clicks / 2)
  }
}

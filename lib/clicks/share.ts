import { randomInt } from 'node:crypto'

/** Rows that the clicks of all links in a day are spread over. What is read is their sum. */
export const SHARES = 16

/**
 * Which of these rows a process adds to. One row would be written by every transaction that counts: on a Galera cluster, where
 * transactions of several nodes meet only when they are committed, all but one of those at work would have to be done again.
 */
export class Share {
  private last = randomInt(SHARES)

  /** As the column `value` of ClickRollup has it. */
  get name(): string {
    return String(this.last)
  }

  /** Switches to another row, as another process may be writing to this one. */
  moveOn(): void {
    this.last = (this.last + 1 + randomInt(SHARES - 1)) % SHARES
  }
}

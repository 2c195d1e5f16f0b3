import { randomInt } from 'node:crypto'
import { idAt, timeOf } from '@/lib/db/id'

/**
 * Ids of single clicks: the time of the click, and in the bits below what tells clicks of one link and millisecond apart. So an
 * id is time and order in one column, and MySQL counts by hours and days in whole numbers.
 */

const LOWER_BITS = 22
const LOWER = 1 << LOWER_BITS

/** Times that a BIGINT has room for. */
const EARLIEST = timeOf(-(1n << 63n))
const LATEST = timeOf((1n << 63n) - 1n)

/** The smallest id of a click at `at` (ms since 1970) or later. */
export const firstClickIdAt = (at: number): bigint => idAt(Math.min(Math.max(Math.ceil(at), EARLIEST), LATEST), 0, 0)

export const clickTimeOf = timeOf

/** No click is older. A beginning of days and hours, after which whole numbers need no sign. */
const BEGINNING = Date.UTC(2010, 0, 1)

/** How many times `width` (ms) lie between BEGINNING and a click, in SQL. */
export const slotSql = (id: string, width: number) =>
  `((${id} - ${firstClickIdAt(BEGINNING)}) DIV ${BigInt(width) << BigInt(LOWER_BITS)})`

/** When such a slot begins, in ms since 1970. */
export const slotTime = (slot: bigint | number | string, width: number) => BEGINNING + Number(slot) * width

/** The id of a click of a former release, and in SQL: its time was in a column of its own, its id above the same bits. */
export const movedClickId = (at: number, id: bigint): bigint => firstClickIdAt(at) + (id & BigInt(LOWER - 1))
export const movedClickIdSql = `CAST(TIMESTAMPDIFF(MICROSECOND, '2026-01-01', at) DIV 1000 * ${LOWER} + (id & ${LOWER - 1}) AS SIGNED)`

/**
 * A source of ids that gives none twice for a time, as long as no 4 million clicks are of one millisecond. Two sources may meet
 * in one of these: the database refuses the second, and it begins elsewhere.
 */
export class ClickIds {
  private last = randomInt(LOWER)

  next(at: number): bigint {
    this.last = (this.last + 1) % LOWER
    return idAt(at, 0, this.last)
  }

  /** Goes on from another number. */
  moveOn(): void {
    this.last = randomInt(LOWER)
  }
}

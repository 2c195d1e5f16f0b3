import { isTerseError } from '@/lib/errors'
import type { Message } from '@/lib/i18n/message'
import { toLine } from '@/lib/tools/line'
import type { JobItemView } from './schemas'
import type { RowResult } from './values'

/** What came of one row. */
export interface RowOutcome {
  /** What the row is about, for a person: a short URL, a host. */
  target: string
  outcome: JobItemView['outcome']
  message?: Message
  /** The same in the word of its kind, which are counted. */
  result?: RowResult
  /** The line of the file that the row began in. */
  line?: number | undefined
  /** The link that was created or completed. */
  link?: { id: bigint; version: bigint } | undefined
  /** The short link that the row asked for and did not get, as it was written there. */
  wanted?: string | undefined
}

/** Characters of a target that its column holds. */
const TARGET = 400

/** A row of a list that was sent: whatever is in it, it is shown in one line of bounded length. */
export const shownTarget = (target: string) => toLine(target.slice(0, TARGET * 2)).slice(0, TARGET)

/** What is told of a row that was refused. */
export const refusedRow = (target: string, message: Message): RowOutcome => ({
  target: shownTarget(target),
  outcome: 'failed',
  message,
})

/**
 * What is told of a row that could not be dealt with.
 * @throws `error` where that is no fault of the row's, as in an outage, or while the account has made too many links
 */
export function failedRow(target: string, error: unknown): RowOutcome {
  if (!isTerseError(error) || error.code === 'unavailable' || error.code === 'rate_limited') throw error
  return refusedRow(target, error.said)
}

/** How many rows of a job had each result. */
export const countsOf = ({ counts }: { counts: string }): Partial<Record<RowResult, number>> =>
  counts === '' ? {} : JSON.parse(counts)

import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'

/** A list that is read in pages: each page ends with a cursor, which tells the next one where to begin. */

/** A cursor of a list in order of id. */
const ID = /^(\d{1,19})$/
/** A cursor of a list in order of a time, in ms, and of id where times are equal. */
export const TIME_AND_ID = /^(\d{1,14})-(\d{1,19})$/

/** @returns what the groups of `form` hold. @throws TerseError 'bad_request' for what is no cursor of this form */
export function parseCursor(cursor: string, form: RegExp): string[] {
  const found = form.exec(cursor)
  if (!found) throw new TerseError('bad_request', say('api.request.cursor'))
  return found.slice(1)
}

/** The number in a cursor of a list in order of id. @throws as `parseCursor` */
export const idOf = (cursor: string): bigint => BigInt(parseCursor(cursor, ID)[0] ?? '')

/** The condition for what comes after a cursor in order of id; empty on the first page. @throws as `parseCursor` */
export const behindId = (cursor: string | undefined, beyond: 'lt' | 'gt' = 'lt'): { id?: { lt?: bigint; gt?: bigint } } =>
  cursor === undefined ? {} : { id: { [beyond]: idOf(cursor) } }

/** Cuts a page of rows of which one more than `limit` was asked for. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => bigint | number | string,
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, nextCursor: last !== undefined && rows.length > limit ? String(cursorOf(last)) : null }
}

export const byId = ({ id }: { id: bigint }) => id

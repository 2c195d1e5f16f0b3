import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import { DAY_HOURS } from '@/lib/tools/time'
import { ACCOUNTED, TOTAL } from './dimensions'
import { ADD_COUNTS } from './rollups'
import { Share } from './share'
import { addedUp, COUNTS, compare, type RollupRow } from './tally'

/**
 * Clicks on all links of an account by day, told at once however many links it has. A row of ClickRollup says for each link and
 * day how many of its clicks are in there (dimension ACCOUNTED), and is written together with it. What is counted of a link and
 * not in there is found again by that, be it counted by a former release, or by a process that did not know yet whose the link is
 * (./account-settling.ts).
 */

type Owners = ReadonlyMap<bigint, string | null>

/** Rows of one statement. */
const ROWS = 500
const COLUMNS = ['ownerId', 'day', 'share', ...COUNTS] as const

/**
 * What of these rollups is in the rows of accounts once `addAccountClicks` has added it.
 * @param totals rollups of all clicks by link, by hour and by day, in the order of their key; so is what comes back
 */
export const accountedOf = (totals: readonly RollupRow[], owners: Owners): RollupRow[] =>
  totals
    .filter(({ linkId, dimension, span }) => dimension === TOTAL && span === DAY_HOURS && owners.get(linkId) != null)
    .map((row) => ({ ...row, dimension: ACCOUNTED }))

/**
 * Adds clicks to the rows of the accounts. Late in a transaction, since others wait for these rows.
 * @param accounted what the same transaction adds to ClickRollup
 * @param share which rows of a day to add to (./share.ts)
 */
export async function addAccountClicks(
  tx: SqlTransaction,
  accounted: readonly RollupRow[],
  owners: Owners,
  share: string,
): Promise<void> {
  const days = addedUp(
    accounted.filter(({ linkId }) => owners.get(linkId) != null),
    ({ linkId, hour }) => `${owners.get(linkId)} ${hour}`,
    ({ linkId, hour, clicks, visitors, bots, previews }) => {
      return { ownerId: owners.get(linkId) ?? '', day: hour / DAY_HOURS, share, clicks, visitors, bots, previews }
    },
  )
  // In the order of the key, so that two transactions never wait for each other in a circle.
  const sorted = days.sort((a, b) => compare(a.ownerId, b.ownerId) || a.day - b.day)
  for (const some of pieces(sorted, ROWS)) await tx.insert('AccountClick', COLUMNS, some, ADD_COUNTS)
}

/** A link that has another owner. */
export interface Moved {
  id: bigint
  from: string | null
  to: string | null
}

/**
 * Takes the clicks of links from the accounts that had them to those that have them now, in the transaction that says so. What is
 * counted at this very moment by who knew the old owner stays with that one.
 */
export async function moveAccountClicks(tx: SqlTransaction, links: readonly Moved[]): Promise<void> {
  if (links.length === 0) return
  const accounted = await tx.rows<RollupRow>(
    `SELECT linkId, dimension, span, hour, value, ${COUNTS.join(', ')} FROM ClickRollup
      WHERE linkId IN (?) AND dimension = ${ACCOUNTED}`,
    [links.map(({ id }) => id)],
  )
  const times = (factor: 1 | -1) =>
    accounted.map((row) => ({ ...row, ...Object.fromEntries(COUNTS.map((count) => [count, factor * Number(row[count])])) }))
  const share = new Share().name
  await addAccountClicks(tx, times(-1), new Map(links.map(({ id, from }) => [id, from])), share)
  await addAccountClicks(tx, times(1), new Map(links.map(({ id, to }) => [id, to])), share)
}

import type { Link } from '@/lib/db/generated/client'
import type { HistoryField } from './values'

/** What a field was and what it became, as JSON. Of a password, only whether there is one. */
export interface FieldChange {
  field: HistoryField
  from: unknown
  to: unknown
}

/** The field of the history for a column, and its value. */
type Told = { field: HistoryField; of: (link: Link) => unknown }

const time = (at: Date | null) => at?.toISOString() ?? null

const TOLD: { [Column in keyof Link]?: Told } = {
  url: { field: 'url', of: ({ url }) => url },
  code: { field: 'code', of: ({ code }) => code },
  routing: { field: 'routing', of: ({ routing }) => routing && JSON.parse(routing) },
  preview: { field: 'preview', of: ({ preview }) => preview && JSON.parse(preview) },
  expiredUrl: { field: 'expiredUrl', of: ({ expiredUrl }) => expiredUrl },
  state: { field: 'state', of: ({ state }) => state },
  banReason: { field: 'banReason', of: ({ banReason }) => banReason },
  title: { field: 'title', of: ({ title }) => title },
  startsAt: { field: 'startsAt', of: ({ startsAt }) => time(startsAt) },
  expiresAt: { field: 'expiresAt', of: ({ expiresAt }) => time(expiresAt) },
  maxClicks: { field: 'maxClicks', of: ({ maxClicks }) => maxClicks },
  passwordHash: { field: 'password', of: ({ passwordHash }) => passwordHash !== null },
  redirectStatus: { field: 'redirectStatus', of: ({ redirectStatus }) => redirectStatus },
  listed: { field: 'listed', of: ({ listed }) => listed },
  historyHiddenAt: { field: 'publicHistory', of: ({ historyHiddenAt }) => historyHiddenAt === null },
  // Not which account: the one that claimed a link is the author of the entry, and one that gave it up is gone.
  ownerId: { field: 'owner', of: ({ ownerId }) => (ownerId === null ? 'none' : 'account') },
}

/** The other columns: those that never change, follow from others, or are counted, and whether others were given the link. */
export const NOT_TOLD = [
  ...['id', 'domainId', 'fullShortUrl', 'createdAt'],
  ...['urlHash', 'manageTokenHash', 'stateBeforeBan', 'updatedAt', 'version'],
  ...['clicks', 'clicksBefore', 'taken', 'shared'],
] as const satisfies readonly (keyof Link)[]

export const TOLD_COLUMNS = Object.keys(TOLD) as (keyof Link)[]

/** The fields in which a link differs from what it was. */
export function changesBetween(before: Link, after: Link): FieldChange[] {
  return TOLD_COLUMNS.flatMap((column) => {
    const told = TOLD[column]
    if (!told || isSame(before[column], after[column])) return []
    return [{ field: told.field, from: told.of(before), to: told.of(after) }]
  })
}

const isSame = (one: unknown, other: unknown) =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other

/** Whether the changes concern where visitors are led, now or once the link has ended. */
export const isLeading = (changes: readonly FieldChange[]): boolean =>
  changes.some(({ field }) => field === 'url' || field === 'routing' || field === 'expiredUrl')

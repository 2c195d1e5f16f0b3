import type { Transaction } from '@/lib/db/client'
import type { LinkChange } from '@/lib/db/generated/client'
import { insertMany, type Runner } from '@/lib/db/insert-many'
import { type FieldChange, isLeading } from './changes'
import { AUTHORS, type AuthorKind, MOST_ENTRIES } from './values'

/** Who changed a link. */
export interface Author {
  kind: AuthorKind
  /** null unless it is an account or an admin. */
  accountId: string | null
  /** Whether a job did it, rather than a request. */
  byJob: boolean
}

/** The server itself. */
export const SYSTEM: Author = { kind: 'system', accountId: null, byJob: false }

/** A change of a link, for its history. */
export interface NewEntry {
  linkId: bigint
  /** The link’s version after the change. */
  version: bigint
  /** By the database's clock. */
  at: Date
  by: Author
  /** Whether visitors could see where the link led until now. */
  wasOpen: boolean
  changes: readonly FieldChange[]
}

/**
 * Adds a change to a link's history, unless nothing changed. Runs in the transaction of the change, which has the link's row
 * locked, so that entries follow each other as versions do.
 */
export async function noteChange(tx: Transaction, entry: NewEntry): Promise<void> {
  if (entry.changes.length === 0) return
  const row = rowOf(entry)
  await tx.linkChange.createMany({ data: [row] })
  await dropOld(tx, row)
}

/** The same for many links at once. It keeps no limit: only for the first entries of a link, or its last, such as a deletion. */
export async function noteChanges(tx: Runner, entries: readonly NewEntry[]): Promise<void> {
  await insertMany(tx, 'LinkChange', entries.filter(({ changes }) => changes.length > 0).map(rowOf))
}

const rowOf = ({ linkId, version, at, by, wasOpen, changes }: NewEntry): LinkChange => ({
  linkId,
  version,
  at,
  byKind: AUTHORS[by.kind],
  byId: by.accountId,
  byJob: by.byJob,
  leads: isLeading(changes),
  wasOpen,
  changes: JSON.stringify(changes),
  dropped: 0,
})

/** Deletes old entries beyond the limit, but never the first one, which counts those that were deleted after it. */
async function dropOld(tx: Transaction, { linkId, leads }: LinkChange): Promise<void> {
  // The first entry stays too, so one fewer of the newest does.
  const [last] = await tx.$queryRaw<{ version: bigint }[]>`
    SELECT version FROM LinkChange WHERE linkId = ${linkId} AND leads = ${leads}
     ORDER BY version DESC LIMIT 1 OFFSET ${MOST_ENTRIES - 1}`
  if (!last) return
  const [first] = await tx.$queryRaw<{ version: bigint }[]>`
    SELECT version FROM LinkChange WHERE linkId = ${linkId} AND leads = ${leads} ORDER BY version LIMIT 1`
  if (!first || first.version === last.version) return
  const count = await tx.$executeRaw`
    DELETE FROM LinkChange WHERE linkId = ${linkId} AND leads = ${leads}
       AND version > ${first.version} AND version <= ${last.version}`
  await tx.$executeRaw`
    UPDATE LinkChange SET dropped = dropped + ${count} WHERE linkId = ${linkId} AND version = ${first.version}`
}

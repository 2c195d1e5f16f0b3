import type { Transaction } from '@/lib/db/client'
import type { Link } from '@/lib/db/generated/client'
import type { Runner } from '@/lib/db/insert-many'
import { changesBetween, type FieldChange } from '@/lib/history/changes'
import { type Author, type NewEntry, noteChange, noteChanges, SYSTEM } from '@/lib/history/note-changes'
import type { Maker } from './permit'
import { isOpenToVisitors } from './view'

/** Who changes a link, as its history names them. */
export function authorOf({ ownerId, isModerator, origin }: Maker, link: Pick<Link, 'ownerId'>): Author {
  const byJob = origin.isJob
  if (isModerator) return ownerId === null ? { ...SYSTEM, byJob } : { kind: 'admin', accountId: ownerId, byJob }
  if (ownerId !== null && ownerId === link.ownerId) return { kind: 'account', accountId: ownerId, byJob }
  return { kind: 'token', accountId: null, byJob }
}

/**
 * Writes down what a change made of a link, in its transaction.
 * @param after the link as it is written, with its version and the database's time
 * @returns what changed
 */
export async function noteEdit(tx: Transaction, by: Maker, before: Link, after: Link): Promise<FieldChange[]> {
  const entry = entryOf(by, before, after)
  await noteChange(tx, entry)
  return [...entry.changes]
}

/** The same of links that were deleted together. */
export const noteDeletions = (tx: Transaction, by: Maker, deleted: readonly { before: Link; after: Link }[]): Promise<void> =>
  noteChanges(
    tx,
    deleted.map(({ before, after }) => entryOf(by, before, after)),
  )

/** An edit of one of many links. */
export interface Edit {
  by: Maker
  before: Link
  after: Link
}

/** The same of links that nobody has edited yet, together. @returns what changed of each, in their order */
export async function noteEdits(tx: Runner, edits: readonly Edit[]): Promise<FieldChange[][]> {
  const entries = edits.map(({ by, before, after }) => entryOf(by, before, after))
  await noteChanges(tx, entries)
  return entries.map(({ changes }) => [...changes])
}

function entryOf(by: Maker, before: Link, after: Link): NewEntry {
  const { version, updatedAt: at } = after
  const changes = changesBetween(before, after)
  return { linkId: before.id, version, at, by: authorOf(by, before), wasOpen: isOpenToVisitors(before, at), changes }
}

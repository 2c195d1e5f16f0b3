import type { Link } from '@/lib/db/generated/client'
import type { SqlTransaction } from '@/lib/db/sql'
import { invalidField, isTerseError, type TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { LABEL_KINDS, MOST_TAGS } from '@/lib/labels/values'
import type { Draft } from './draft'

/** How a link was filed before an import completed it, as far as that is not so any more; ids as text, as JSON has them. */
export interface EarlierFiling {
  /** Labels that it lost, with its owner. */
  lost: string[]
  /** Labels that it was given. */
  added: string[]
  comment: { ownerId: string; text: string } | null
  isCommented: boolean
}

interface Filing {
  before: Link
  after: Link
  seeker: { draft: Draft }
}

/**
 * Files links that are completed as their rows say, beside how their owner filed them since they came over. Of what there is one
 * of, a folder and a comment, the owner's stays. What another account filed goes with it.
 * @returns by id, what each was before; an error for one that would have too many tags, which is left as it is
 */
export async function fileCompleted(
  tx: SqlTransaction,
  links: readonly Filing[],
): Promise<Map<bigint, EarlierFiling | TerseError>> {
  const done = new Map<bigint, EarlierFiling | TerseError>()
  if (links.length === 0) return done
  const held = await heldBy(
    tx,
    links.map(({ before }) => before.id),
  )
  const kinds = await kindsOf(
    tx,
    links.flatMap(({ seeker }) => seeker.draft.filed.labelIds),
  )
  for (const { before, after, seeker } of links) {
    const { filed } = seeker.draft
    const isGiven = before.ownerId !== after.ownerId
    const stays = isGiven ? [] : (held.labels.get(before.id) ?? [])
    const hasFolder = stays.some(({ kind }) => kind === LABEL_KINDS.folder)
    const added = filed.labelIds.filter(
      (id) => !stays.some(({ labelId }) => labelId === id) && !(hasFolder && kinds.get(id) === LABEL_KINDS.folder),
    )
    const isTag = (kind: number | undefined) => kind === LABEL_KINDS.tag
    const tags = stays.filter(({ kind }) => isTag(kind)).length + added.filter((id) => isTag(kinds.get(id))).length
    if (tags > MOST_TAGS) {
      done.set(before.id, invalidField('tags', say('forms.label.tooMany', { most: MOST_TAGS })))
      continue
    }
    const comment = held.comments.get(before.id) ?? null
    done.set(before.id, {
      lost: isGiven ? (held.labels.get(before.id) ?? []).map(({ labelId }) => String(labelId)) : [],
      added: added.map(String),
      comment: isGiven ? comment : null,
      isCommented: filed.comment !== '' && (isGiven || comment === null),
    })
  }
  await write(tx, links, done)
  return done
}

async function write(
  tx: SqlTransaction,
  links: readonly Filing[],
  done: ReadonlyMap<bigint, EarlierFiling | TerseError>,
): Promise<void> {
  const filings = links.flatMap((link) => {
    const filing = done.get(link.before.id)
    return filing && !isTerseError(filing) ? [{ ...link, filing }] : []
  })
  const given = filings.filter(({ before, after }) => before.ownerId !== after.ownerId).map(({ before }) => before.id)
  if (given.length > 0) {
    await tx.run('DELETE FROM LinkLabel WHERE linkId IN (?)', [given])
    await tx.run('DELETE FROM LinkComment WHERE linkId IN (?)', [given])
  }
  const labels = filings.flatMap(({ before, filing }) => filing.added.map((id) => ({ labelId: BigInt(id), linkId: before.id })))
  const comments = filings
    .filter(({ filing }) => filing.isCommented)
    .map(({ after, seeker }) => ({ linkId: after.id, ownerId: after.ownerId ?? '', text: seeker.draft.filed.comment }))
  await tx.insert('LinkLabel', ['labelId', 'linkId'], labels)
  await tx.insert('LinkComment', ['linkId', 'ownerId', 'text'], comments)
}

interface Held {
  labels: Map<bigint, { labelId: bigint; kind: number }[]>
  comments: Map<bigint, { ownerId: string; text: string }>
}

async function heldBy(tx: SqlTransaction, linkIds: readonly bigint[]): Promise<Held> {
  const labels: Held['labels'] = new Map()
  const rows = await tx.rows<{ linkId: bigint; labelId: bigint; kind: number }>(
    `SELECT linkId, labelId, kind FROM LinkLabel FORCE INDEX (LinkLabel_linkId_idx)
       STRAIGHT_JOIN Label ON Label.id = labelId WHERE linkId IN (?)`,
    [linkIds],
  )
  for (const { linkId, ...label } of rows) labels.set(linkId, [...(labels.get(linkId) ?? []), label])
  const texts = await tx.rows<{ linkId: bigint; ownerId: string; text: string }>(
    'SELECT linkId, ownerId, text FROM LinkComment FORCE INDEX (PRIMARY) WHERE linkId IN (?)',
    [linkIds],
  )
  return { labels, comments: new Map(texts.map(({ linkId, ...comment }) => [linkId, comment])) }
}

async function kindsOf(tx: SqlTransaction, ids: readonly bigint[]): Promise<Map<bigint, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ id: bigint; kind: number }>('SELECT id, kind FROM Label WHERE id IN (?)', [[...new Set(ids)]])
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

/** Files links again as they were before they were completed, but for what their owners did since. */
export async function fileAsBefore(tx: SqlTransaction, links: readonly { id: bigint; earlier: EarlierFiling }[]): Promise<void> {
  for (const { id, earlier } of links) {
    if (earlier.added.length > 0) {
      await tx.run('DELETE FROM LinkLabel WHERE linkId = ? AND labelId IN (?)', [id, earlier.added.map(BigInt)])
    }
    if (earlier.isCommented) await tx.run('DELETE FROM LinkComment WHERE linkId = ?', [id])
    if (earlier.comment) {
      const { ownerId, text } = earlier.comment
      await tx.insert('LinkComment', ['linkId', 'ownerId', 'text'], [{ linkId: id, ownerId, text }])
    }
    if (earlier.lost.length > 0) {
      // Without those that the account has deleted since.
      await tx.run('INSERT IGNORE INTO LinkLabel (labelId, linkId) SELECT id, ? FROM Label WHERE id IN (?)', [
        ...[id, earlier.lost.map(BigInt)],
      ])
    }
  }
}

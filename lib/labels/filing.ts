import type { Transaction } from '@/lib/db/client'
import type { SqlTransaction } from '@/lib/db/sql'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { type KnownLabels, type LabelContext, labelsIn, requireLabels } from './labels'
import { byName } from './order'
import { FILING_FIELDS, type Filing } from './schemas'
import { LABEL_KINDS, type LabelKind, MOST_TAGS } from './values'

/** Of a link that nobody has said anything about. */
export const NOT_FILED: Filing = { tags: [], folder: null, comment: '', archived: false, favorite: false }

/** What of a request is about how the link is filed. */
export function filingIn(input: { [K in keyof Filing]?: Filing[K] | undefined }): Partial<Filing> {
  const said = FILING_FIELDS.filter((field) => input[field] !== undefined)
  return Object.fromEntries(said.map((field) => [field, input[field]]))
}

/** Whether it says anything that a new link has not anyway. */
export const isFiled = (filing: Partial<Filing>): boolean => labelsIn(filing).length > 0 || Boolean(filing.comment)

/** How a new link is filed, as rows. */
export interface Filed {
  labelIds: readonly bigint[]
  comment: string
}

/** @throws TerseError 'validation_failed' for an account that has too many tags or folders */
export const filedAs = (filing: Partial<Filing>, known: KnownLabels): Filed => ({
  labelIds: requireLabels(known, labelsIn(filing)),
  comment: filing.comment ?? '',
})

/** A new link of an account, and how it is filed. */
export interface NewlyFiled {
  link: { id: bigint; ownerId: string | null }
  filed: Filed
}

/** Files new links, in the transaction that inserts them. */
export async function fileNew(tx: Transaction | SqlTransaction, links: readonly NewlyFiled[]): Promise<void> {
  const labels = links.flatMap(({ link, filed }) => filed.labelIds.map((labelId) => ({ labelId, linkId: link.id })))
  const comments = links
    .filter(({ filed }) => filed.comment !== '')
    .map(({ link, filed }) => ({ linkId: link.id, ownerId: link.ownerId ?? '', text: filed.comment }))
  if ('insert' in tx) {
    await tx.insert('LinkLabel', ['labelId', 'linkId'], labels)
    await tx.insert('LinkComment', ['linkId', 'ownerId', 'text'], comments)
  } else {
    if (labels.length > 0) await tx.linkLabel.createMany({ data: labels })
    if (comments.length > 0) await tx.linkComment.createMany({ data: comments })
  }
}

/** What becomes of the labels of one kind: `set` replaces those there are. */
export interface LabelChange {
  kind: LabelKind
  how: 'set' | 'add' | 'remove'
  ids: readonly bigint[]
}

/** How a link is filed from now on, where that was said. @throws as `filedAs` */
export function changesIn(filing: Partial<Filing>, known: KnownLabels): LabelChange[] {
  const ids = (kind: LabelKind) =>
    requireLabels(
      known,
      labelsIn(filing).filter((one) => one.kind === kind),
    )
  const kinds = { tags: 'tag', folder: 'folder', archived: 'archived', favorite: 'favorite' } as const
  return (Object.keys(kinds) as (keyof typeof kinds)[])
    .filter((field) => filing[field] !== undefined)
    .map((field) => ({ kind: kinds[field], how: 'set', ids: ids(kinds[field]) }))
}

/**
 * Changes how a link is filed. Two at once take effect one after the other.
 * @param comment undefined: as it is
 * @returns whether anything changed
 * @throws TerseError 'gone' for a link that this account has no longer, 'validation_failed' for too many tags
 */
export async function refile(
  tx: Transaction,
  ownerId: string,
  linkId: bigint,
  changes: readonly LabelChange[],
  comment?: string,
): Promise<boolean> {
  const links = await tx.$queryRaw<unknown[]>`SELECT id FROM Link WHERE id = ${linkId} AND ownerId = ${ownerId} FOR UPDATE`
  if (links.length === 0) throw new TerseError('gone', say('api.link.deleted'))
  const current = await tx.$queryRaw<{ labelId: bigint; kind: number }[]>`
    SELECT labelId, kind FROM LinkLabel FORCE INDEX (LinkLabel_linkId_idx)
      STRAIGHT_JOIN Label ON Label.id = labelId WHERE linkId = ${linkId}`
  let isChanged = false
  for (const { kind, how, ids } of changes) {
    const before = current.filter((row) => row.kind === LABEL_KINDS[kind]).map(({ labelId }) => labelId)
    const added = how === 'remove' ? [] : ids.filter((id) => !before.includes(id))
    const removed = before.filter((id) => (how === 'set' ? !ids.includes(id) : how === 'remove' && ids.includes(id)))
    if (kind === 'tag' && added.length > 0 && before.length + added.length - removed.length > MOST_TAGS) {
      throw invalidField('tags', say('forms.label.tooMany', { most: MOST_TAGS }))
    }
    if (removed.length > 0) await tx.linkLabel.deleteMany({ where: { linkId, labelId: { in: removed } } })
    if (added.length > 0) await tx.linkLabel.createMany({ data: added.map((labelId) => ({ labelId, linkId })) })
    isChanged ||= added.length + removed.length > 0
  }
  if (comment !== undefined) {
    await tx.linkComment.deleteMany({ where: { linkId } })
    if (comment !== '') await tx.linkComment.createMany({ data: [{ linkId, ownerId, text: comment }] })
    isChanged = true
  }
  return isChanged
}

interface LabelRow {
  linkId: bigint
  kind: number
  name: string
}

/**
 * How an account filed links, by their ids; of a link that it did not file, nothing.
 * @throws TerseError 'unavailable'
 */
export async function filingOf({ db }: LabelContext, ownerId: string, ids: readonly bigint[]): Promise<Map<bigint, Filing>> {
  const filings = new Map<bigint, Filing>()
  if (ids.length === 0) return filings
  const [labels, comments] = await Promise.all([
    db.rows<LabelRow>(
      `SELECT linkId, kind, name FROM LinkLabel FORCE INDEX (LinkLabel_linkId_idx)
         STRAIGHT_JOIN Label ON Label.id = labelId WHERE linkId IN (?) AND ownerId = ?`,
      ids,
      ownerId,
    ),
    db.rows<{ linkId: bigint; text: string }>(
      'SELECT linkId, text FROM LinkComment FORCE INDEX (PRIMARY) WHERE linkId IN (?) AND ownerId = ?',
      ids,
      ownerId,
    ),
  ])
  const of = (id: bigint) => {
    const filing = filings.get(id) ?? { ...NOT_FILED, tags: [] }
    filings.set(id, filing)
    return filing
  }
  for (const { linkId, kind, name } of labels.sort(byName)) {
    const filing = of(linkId)
    if (kind === LABEL_KINDS.tag) filing.tags.push(name)
    else if (kind === LABEL_KINDS.folder) filing.folder = name
    else if (kind === LABEL_KINDS.archived) filing.archived = true
    else filing.favorite = true
  }
  for (const { linkId, text } of comments) of(linkId).comment = text
  return filings
}

/** Those of the links that bear all of these labels. @throws TerseError 'unavailable' */
export async function bearing(
  { db }: Pick<LabelContext, 'db'>,
  labels: readonly bigint[],
  ids: readonly bigint[],
): Promise<Set<bigint>> {
  let left = [...ids]
  for (const labelId of labels) {
    if (left.length === 0) break
    const rows = await db.rows<{ linkId: bigint }>(
      'SELECT linkId FROM LinkLabel WHERE labelId = ? AND linkId IN (?)',
      labelId,
      left,
    )
    left = rows.map(({ linkId }) => linkId)
  }
  return new Set(left)
}

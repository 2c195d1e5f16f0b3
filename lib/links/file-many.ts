import { type LabelChange, refile } from '@/lib/labels/filing'
import { ensureLabels, findLabels, type KnownLabels, requireLabels, type Wanted } from '@/lib/labels/labels'
import type { LinkContext } from './context'
import { FILING_ACTIONS, type FilingAction } from './values'

export const isFilingAction = (action: string): action is FilingAction => FILING_ACTIONS.some((known) => known === action)

/** What a job files links by. */
export interface Filing {
  tags?: readonly string[] | undefined
  folder?: string | null | undefined
}

/**
 * What an action does to each of many links.
 * @throws TerseError 'validation_failed' for an account that has too many tags or folders, 'unavailable'
 */
export async function filingChange(
  ctx: LinkContext,
  ownerId: string,
  action: FilingAction,
  { tags = [], folder = null }: Filing,
): Promise<LabelChange> {
  const wanted = labelsOf(action, tags, folder)
  if (action === 'untag') {
    const known = await findLabels(ctx, ownerId, wanted)
    return { kind: 'tag', how: 'remove', ids: knownOf(known, wanted) }
  }
  const ids = requireLabels(await ensureLabels(ctx, ownerId, wanted), wanted)
  switch (action) {
    case 'tag':
      return { kind: 'tag', how: 'add', ids }
    case 'move':
      return { kind: 'folder', how: 'set', ids }
    case 'archive':
    case 'unarchive':
      return { kind: 'archived', how: 'set', ids }
    default:
      return { kind: 'favorite', how: 'set', ids }
  }
}

function labelsOf(action: FilingAction, tags: readonly string[], folder: string | null): Wanted[] {
  if (action === 'tag' || action === 'untag') return tags.map((name) => ({ kind: 'tag', name }))
  if (action === 'move') return folder === null ? [] : [{ kind: 'folder', name: folder }]
  if (action === 'archive') return [{ kind: 'archived', name: '' }]
  return action === 'favorite' ? [{ kind: 'favorite', name: '' }] : []
}

const knownOf = (known: KnownLabels, wanted: readonly Wanted[]) => wanted.flatMap((one) => known.id(one) ?? [])

/**
 * Files one of many links, for its owner, within the turn of the job.
 * @returns whether anything changed
 * @throws TerseError 'gone', 'validation_failed' for too many tags, 'unavailable'
 */
export function fileOne(ctx: LinkContext, ownerId: string, linkId: bigint, change: LabelChange): Promise<boolean> {
  return ctx.db.atomic(async (tx) => {
    await ctx.requireTurn?.(tx)
    return refile(tx, ownerId, linkId, [change])
  })
}

import { findLabels, type LabelContext, labelsAsked } from '@/lib/labels/labels'
import type { LinkScope } from './filter'
import { type Condition, condition } from './order'
import type { ListLinks } from './schemas'

/** What labels make of a list. */
export interface LabelFilter {
  /** What each link must fulfil. */
  conditions: Condition[]
  /** The same, of links that are found by `label`. */
  others: Condition[]
  /** The label by whose index the list can be read; null: there is none. */
  label: bigint | null
  /** All that each link must bear. */
  labels: bigint[]
}

/**
 * By which labels a list is filtered. Archived links are left out only where the account has ever archived any: until then
 * its lists are read as if there were no labels.
 * @returns null when there can be no link in it: there is no such tag or folder
 * @throws TerseError 'unavailable'
 */
export async function labelFilter(
  ctx: LabelContext,
  { ownerId, isOwn }: LinkScope,
  query: ListLinks,
): Promise<LabelFilter | null> {
  const asked = labelsAsked(query)
  // Others have no labels, and see none.
  if (!isOwn || typeof ownerId !== 'string')
    return asked.length > 0 ? null : { conditions: [], others: [], label: null, labels: [] }
  const archived = { kind: 'archived', name: '' } as const
  const known = await findLabels(ctx, ownerId, query.archived === undefined ? [...asked, archived] : asked)
  const labels: bigint[] = []
  for (const one of asked) {
    const id = known.id(one)
    if (id === undefined) return null
    labels.push(id)
  }
  const hidden = query.archived === undefined ? known.id(archived) : undefined
  const without = hidden === undefined ? [] : [bears(hidden, 'IS NULL')]
  const [label = null, ...more] = labels
  const others = [...more.map((id) => bears(id)), ...without]
  return { conditions: label === null ? others : [bears(label), ...others], others, label, labels }
}

/** Asked link by link, as a value: of EXISTS an optimizer may make a join, which it begins where a million links are sorted. */
const bears = (labelId: bigint, is: 'IS NULL' | 'IS NOT NULL' = 'IS NOT NULL') =>
  condition(`(SELECT held.labelId FROM LinkLabel AS held WHERE held.labelId = ? AND held.linkId = Link.id) ${is}`, labelId)

import { useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { toast } from '@/app/_ui/base/toast'
import { type RowSelection, useSelection } from '@/app/_ui/base/use-selection'
import type { Result } from '@/app/_ui/data/http'
import type { AnyBulkAction, BulkExtra, WhichLinks } from '@/app/_ui/data/links'
import type { JobView } from '@/lib/jobs/schemas'
import type { LinkTotal } from '@/lib/links/schemas'
import { matchingOf } from './links-view'
import type { Counted } from './use-total'

/** What takes an action back. Not so of the others: some of the links may have been as they are now before. */
const UNDO: Partial<Record<AnyBulkAction, AnyBulkAction>> = { delete: 'restore' }

export interface Bulk<A extends AnyBulkAction> {
  selection: RowSelection
  /** How many are selected. */
  count: LinkTotal
  /** All that match are selected, those on other pages too. */
  isAll: boolean
  /** Selects them, where the list has more than is selected. */
  selectAll: { total: LinkTotal; select: () => void } | null
  /** Which they are, as the API is told. */
  which: () => { ids: readonly string[] } | { matching: Record<string, unknown> }
  /** The job that is shown, under way or with failures to look at. */
  job: JobView | null
  busy: boolean
  /** Does it to all that are selected. */
  start: (action: A, extra?: BulkExtra) => Promise<void>
  over: (job: JobView) => void
  close: () => void
}

type Page = Pick<Counted<{ id: string }>, 'rows' | 'reload' | 'total'>
type Begin<A> = (action: A, which: WhichLinks, extra: BulkExtra) => Promise<Result<JobView>>

/**
 * What is done to the rows that are selected.
 * @param begin asks the server for a job that does it to all of these
 * @param query what the list is asked with
 * @param about `isOwn`: the list is of one's own links, of which all may be selected; everyone's only by a filter.
 * `deleted`: it is of deleted links. What can be restored cannot be turned off, and the other way round
 */
export function useBulk<A extends AnyBulkAction>(
  begin: Begin<A>,
  page: Page,
  query: Record<string, string>,
  { deleted, isOwn }: { deleted: boolean; isOwn: boolean },
): Bulk<A> {
  const t = useTranslations('linkList')
  const keys = (page.rows ?? []).map(({ id }) => id)
  const selection = useSelection(keys)
  const { chosen, clear } = selection
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the view turns from one to the other
  useEffect(() => clear(), [deleted])
  const { sort: _, cursor: __, ...filters } = query
  const list = JSON.stringify(filters)
  // All are selected until anything else is, or the list is another.
  const [all, setAll] = useState<{ list: string; chosen: ReadonlySet<string>; total: LinkTotal } | null>(null)
  const isAll = all !== null && all.list === list && all.chosen === chosen
  const [current, setCurrent] = useState<{ action: A; which: WhichLinks; job: JobView } | null>(null)
  const [busy, setBusy] = useState(false)

  const begun = async (action: A, which: WhichLinks, extra: BulkExtra = {}) => {
    setBusy(true)
    const result = await begin(action, which, extra)
    if (result.ok) return setCurrent({ action, which, job: result.value })
    setBusy(false)
    toast(t('bulk.failed'), { description: result.failure.message })
  }
  const over = (job: JobView) => {
    setBusy(false)
    clear()
    page.reload()
    if (!current) return
    const { action, which } = current
    const name: AnyBulkAction = action
    const changed = job.done - job.failed
    // Who may do a thing may take it back.
    const undo = UNDO[action] as A | undefined
    const same = 'ids' in which ? which : { deletedBy: job.number }
    toast(t(`bulk.done.${name}`, { count: changed }), {
      ...(undo && changed > 0 && { action: { label: t('undo'), onClick: () => void begun(undo, same) } }),
    })
    if (job.state === 'done' && job.failed === 0) setCurrent(null)
  }
  const which = () => (isAll ? { matching: matchingOf(query, isOwn) } : { ids: [...chosen] })
  const { total } = page
  const isPage = keys.length > 0 && keys.every((key) => chosen.has(key))
  const isMore = total !== null && (total.more || total.count > chosen.size)
  const mayBeAll = isOwn || Object.keys(filters).length > 0
  return {
    // Those in sight are ticked, whatever page they are on.
    selection: isAll ? { ...selection, chosen: new Set([...chosen, ...keys]) } : selection,
    count: isAll ? all.total : { count: chosen.size, more: false },
    isAll,
    selectAll: mayBeAll && isPage && isMore && !isAll ? { total, select: () => setAll({ list, chosen, total }) } : null,
    job: current?.job ?? null,
    busy,
    which,
    start: (action, extra) => begun(action, which(), extra),
    over,
    close: () => setCurrent(null),
  }
}

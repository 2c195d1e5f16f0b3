import { useEffect, useState } from 'react'
import { toast } from 'sonner'
import { type RowSelection, useSelection } from '@/app/_ui/base/use-selection'
import type { CursorPage } from '@/app/_ui/data/cursor-page'
import type { Result } from '@/app/_ui/data/http'
import type { AdminBulkAction } from '@/app/_ui/data/links'
import { formatCount } from '@/app/_ui/data/time'
import type { JobView } from '@/lib/jobs/schemas'
import { ACTION_LOOKS } from './action-looks'

/** What takes an action back. Not so of the others: some of the links may have been as they are now before. */
const UNDO: Partial<Record<AdminBulkAction, AdminBulkAction>> = { delete: 'restore' }

interface Bulk<A extends AdminBulkAction> {
  selection: RowSelection
  /** The job that is shown, under way or with failures to look at. */
  job: JobView | null
  busy: boolean
  start: (action: A, ids: readonly string[], reason?: string) => Promise<void>
  over: (job: JobView) => void
  close: () => void
}

type Page = Pick<CursorPage<{ id: string }>, 'rows' | 'reload'>
type Begin<A> = (action: A, ids: readonly string[], reason: string) => Promise<Result<JobView>>

/**
 * What is done to the rows that are selected.
 * @param begin asks the server for a job that does it to all of these
 * @param deleted whether the list is of deleted links: what can be restored cannot be disabled, and the other way round
 */
export function useBulk<A extends AdminBulkAction>(begin: Begin<A>, page: Page, deleted: boolean): Bulk<A> {
  const selection = useSelection((page.rows ?? []).map(({ id }) => id))
  const { clear } = selection
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the view turns from one to the other
  useEffect(() => clear(), [deleted])
  const [current, setCurrent] = useState<{ action: A; ids: readonly string[]; job: JobView } | null>(null)
  const [busy, setBusy] = useState(false)
  const start = async (action: A, ids: readonly string[], reason = '') => {
    setBusy(true)
    const result = await begin(action, ids, reason)
    if (result.ok) return setCurrent({ action, ids, job: result.value })
    setBusy(false)
    toast('Nothing was changed', { description: result.failure.message })
  }
  const over = (job: JobView) => {
    setBusy(false)
    clear()
    page.reload()
    if (!current) return
    const { action, ids } = current
    const changed = job.done - job.failed
    // Who may do a thing may take it back.
    const undo = UNDO[action] as A | undefined
    toast(`${formatCount(changed, 'link', 'links')} ${ACTION_LOOKS[action].done}`, {
      ...(undo && changed > 0 && { action: { label: 'Undo', onClick: () => void start(undo, ids) } }),
    })
    if (job.state === 'done' && job.failed === 0) setCurrent(null)
  }
  return { selection, job: current?.job ?? null, busy, start, over, close: () => setCurrent(null) }
}

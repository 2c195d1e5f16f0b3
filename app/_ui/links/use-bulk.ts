import { useEffect, useState } from 'react'
import { toast } from 'sonner'
import { useTranslations } from '#i18n'
import { type RowSelection, useSelection } from '@/app/_ui/base/use-selection'
import type { CursorPage } from '@/app/_ui/data/cursor-page'
import type { Result } from '@/app/_ui/data/http'
import type { AdminBulkAction } from '@/app/_ui/data/links'
import type { JobView } from '@/lib/jobs/schemas'

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
 * @param deleted whether the list is of deleted links: what can be restored cannot be turned off, and the other way round
 */
export function useBulk<A extends AdminBulkAction>(begin: Begin<A>, page: Page, deleted: boolean): Bulk<A> {
  const t = useTranslations('linkList')
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
    toast(t('bulk.failed'), { description: result.failure.message })
  }
  const over = (job: JobView) => {
    setBusy(false)
    clear()
    page.reload()
    if (!current) return
    const { action, ids } = current
    const name: AdminBulkAction = action
    const changed = job.done - job.failed
    // Who may do a thing may take it back.
    const undo = UNDO[action] as A | undefined
    toast(t(`bulk.done.${name}`, { count: changed }), {
      ...(undo && changed > 0 && { action: { label: t('undo'), onClick: () => void start(undo, ids) } }),
    })
    if (job.state === 'done' && job.failed === 0) setCurrent(null)
  }
  return { selection, job: current?.job ?? null, busy, start, over, close: () => setCurrent(null) }
}

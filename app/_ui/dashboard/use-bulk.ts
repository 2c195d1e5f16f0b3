import { useState } from 'react'
import { toast } from 'sonner'
import { type BulkAction, startBulk } from '@/app/_ui/data/links'
import { formatCount } from '@/app/_ui/data/time'
import type { JobView } from '@/lib/jobs/schemas'

const DONE: Record<BulkAction, string> = {
  enable: 'enabled',
  disable: 'disabled',
  delete: 'deleted',
  restore: 'restored',
}

/** What takes an action back. Not so of the others: some of the links may have been as they are now before. */
const UNDO: Partial<Record<BulkAction, BulkAction>> = { delete: 'restore' }

export interface Bulk {
  /** The job that is shown, under way or with failures to look at. */
  job: JobView | null
  busy: boolean
  start: (action: BulkAction, ids: readonly string[]) => Promise<void>
  over: (job: JobView) => void
  close: () => void
}

/** @param onChanged links are not what they were */
export function useBulk(onChanged: () => void): Bulk {
  const [current, setCurrent] = useState<{ action: BulkAction; ids: readonly string[]; job: JobView } | null>(null)
  const [busy, setBusy] = useState(false)
  const start = async (action: BulkAction, ids: readonly string[]) => {
    setBusy(true)
    const result = await startBulk(action, ids)
    if (result.ok) return setCurrent({ action, ids, job: result.value })
    setBusy(false)
    toast('Nothing was changed', { description: result.failure.message })
  }
  const over = (job: JobView) => {
    setBusy(false)
    onChanged()
    if (!current) return
    const { action, ids } = current
    const changed = job.done - job.failed
    const undo = UNDO[action]
    toast(`${formatCount(changed, 'link', 'links')} ${DONE[action]}`, {
      ...(undo && changed > 0 && { action: { label: 'Undo', onClick: () => void start(undo, ids) } }),
    })
    if (job.state === 'done' && job.failed === 0) setCurrent(null)
  }
  return { job: current?.job ?? null, busy, start, over, close: () => setCurrent(null) }
}

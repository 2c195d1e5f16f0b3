import type { ReactNode } from 'react'
import { Button } from '@/app/_ui/base/button'
import { DialogFailure } from '@/app/_ui/base/dialog-failure'
import type { ServerData } from '@/app/_ui/data/server-data'
import { reasonOf } from './act'

interface Props<T> {
  resource: ServerData<T>
  onClose: () => void
  children: (value: T) => ReactNode
}

/** What a drawer shows once it is read, and until then or instead. */
export function DrawerBody<T>({ resource: { value, stale, failure, reload }, onClose, children }: Props<T>) {
  if (failure) {
    return (
      <DialogFailure message={reasonOf(failure)} onClose={onClose}>
        {failure.kind !== 'gone' && <Button onClick={reload}>Try again</Button>}
      </DialogFailure>
    )
  }
  if (value !== null && !stale) return children(value)
  return (
    <div role="status" aria-label="Loading" className="space-y-4">
      {['h-20', 'h-9 w-2/3', 'h-40', 'h-24'].map((size) => (
        <div key={size} className={`skeleton ${size}`} />
      ))}
    </div>
  )
}

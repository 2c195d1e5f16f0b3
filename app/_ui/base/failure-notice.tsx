import type { Failure } from '@/lib/forms/failure'
import { Button } from './button'

interface Props {
  failure: Failure
  /** There are rows still, from before. */
  stale: boolean
  onAgain: () => void
}

/** A list that could not be read, or not be brought up to date. */
export function ListTrouble({ failure, stale, onAgain }: Props) {
  return (
    <div
      role="alert"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control bg-warn-soft py-1.5 pr-1.5 pl-4 text-sm text-warn"
    >
      <p className="min-w-0 flex-1 basis-60 py-1.5 text-anywhere">
        {stale && 'This list could not be brought up to date. '}
        {failure.message}
      </p>
      <Button size="small" onClick={onAgain}>
        Try again
      </Button>
    </div>
  )
}

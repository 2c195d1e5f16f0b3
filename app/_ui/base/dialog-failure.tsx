import type { ReactNode } from 'react'
import { Button } from './button'
import { FailureMessage } from './failure'

interface Props {
  message: string
  onClose: () => void
  /** Another way on. */
  children: ReactNode
}

/** In place of what a dialog could not show. */
export function DialogFailure({ message, onClose, children }: Props) {
  return (
    <div className="space-y-4">
      <FailureMessage>{message}</FailureMessage>
      <div className="flex justify-end gap-3">
        {children}
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}

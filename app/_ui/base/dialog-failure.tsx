import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
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
  const t = useTranslations('base.action')
  return (
    <div className="space-y-4">
      <FailureMessage>{message}</FailureMessage>
      <div className="flex justify-end gap-3">
        {children}
        <Button look="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </div>
  )
}

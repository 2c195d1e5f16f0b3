import { type ReactNode, useEffect } from 'react'
import { useTranslations } from '#i18n'
import type { FormState } from '@/app/_ui/data/use-form'
import { Button } from './button'
import { FailureMessage } from './failure'
import { Form } from './form'
import { StickyActions } from './sticky-actions'

export interface DialogFormProps {
  form: FormState
  /** What the button says: what will be done. */
  action: string
  /** It takes something away. */
  danger?: boolean
  onClose: () => void
  children: ReactNode
}

/** A form that is all that a dialog holds, or one step of it. @param label what it is called */
export function DialogForm({ label, form, action, danger = false, onClose, children }: DialogFormProps & { label: string }) {
  const t = useTranslations('base.action')
  const { ref } = form
  // Rather than on the button that closes it.
  useEffect(() => ref.current?.querySelector<HTMLElement>('input')?.focus(), [ref])
  return (
    <Form name={null} ref={ref} onSubmit={form.onSubmit} aria-label={label} className="space-y-5">
      {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
      {children}
      <StickyActions>
        <div className="flex w-full flex-wrap justify-end gap-3">
          <Button className="max-sm:grow" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" className="max-sm:grow" look={danger ? 'danger' : 'primary'} busy={form.pending}>
            {action}
          </Button>
        </div>
      </StickyActions>
    </Form>
  )
}

import { useTranslations } from '#i18n'
import type { FormState } from '@/app/_ui/data/use-form'
import { Button } from './button'
import { FailureMessage } from './failure'

interface Props {
  form: Pick<FormState, 'pending' | 'failure'>
  /** What the button says: what will be done. */
  action: string
  /** It takes something away. */
  danger?: boolean
  /** What the other button says. */
  cancel?: string
  onCancel: () => void
}

/** The end of a form in a dialog: what is wrong with all of it, and the two ways on. */
export function FormActions({ form, action, danger = false, cancel, onCancel }: Props) {
  const t = useTranslations('base.action')
  return (
    <>
      {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>{cancel ?? t('cancel')}</Button>
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={form.pending}>
          {action}
        </Button>
      </div>
    </>
  )
}

import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { focusFirstInvalid } from '@/app/_ui/data/use-form'
import { type FieldErrors, textOf } from '@/lib/forms/fields'
import type { LinksView } from './links-view'

type Ranges = Pick<LinksView, 'from' | 'to' | 'minClicks' | 'maxClicks'>

interface Props {
  view: Ranges
  onClose: () => void
  onChoose: (ranges: Ranges) => void
}

/** When links were made, and how often they were clicked. */
export function LinkFiltersDialog({ view, onClose, onChoose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog.
    event.stopPropagation()
    const ranges = rangesOf(new FormData(event.currentTarget))
    const found = errorsOf(ranges)
    if (Object.keys(found).length === 0) return onChoose(ranges)
    flushSync(() => setErrors(found))
    focusFirstInvalid(form.current)
  }
  return (
    <Dialog title="Filters" onClose={onClose}>
      <Form name={null} ref={form} onSubmit={submit}>
        <div className="grid grid-cols-2 gap-4">
          <TextField label="Made from" name="from" type="date" defaultValue={view.from ?? ''} error={errors.from} />
          <TextField label="Made until" name="to" type="date" defaultValue={view.to ?? ''} error={errors.to} />
          <TextField
            label="Clicks from"
            name="minClicks"
            type="number"
            inputMode="numeric"
            min={0}
            defaultValue={view.minClicks ?? ''}
            error={errors.minClicks}
          />
          <TextField
            label="Clicks up to"
            name="maxClicks"
            type="number"
            inputMode="numeric"
            min={0}
            defaultValue={view.maxClicks ?? ''}
            error={errors.maxClicks}
          />
        </div>
        <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Show these links
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function rangesOf(data: FormData): Ranges {
  const count = (name: string) => (textOf(data, name) === '' ? null : Number(textOf(data, name)))
  return {
    from: textOf(data, 'from') || null,
    to: textOf(data, 'to') || null,
    minClicks: count('minClicks'),
    maxClicks: count('maxClicks'),
  }
}

function errorsOf({ from, to, minClicks, maxClicks }: Ranges): FieldErrors {
  const errors: FieldErrors = {}
  const whole = (count: number | null) => count === null || (Number.isSafeInteger(count) && count >= 0)
  if (!whole(minClicks)) errors.minClicks = 'Use a whole number.'
  if (!whole(maxClicks)) errors.maxClicks = 'Use a whole number.'
  else if (minClicks !== null && maxClicks !== null && maxClicks < minClicks) errors.maxClicks = 'Use at least the number before.'
  if (from && to && to < from) errors.to = 'Choose a day after the first.'
  return errors
}

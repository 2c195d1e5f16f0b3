import { type FormEvent, useRef, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { fromLocalInput, toLocalInput } from '@/app/_ui/data/time'
import { focusFirstInvalid } from '@/app/_ui/data/use-form'
import { type FieldErrors, textOf } from '@/lib/forms/fields'

interface Props {
  from: string
  to: string
  onClose: () => void
  onChoose: (from: string, to: string) => void
}

/** Any range, in the time of this browser. */
export function RangeDialog({ from, to, onClose, onChoose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog, to the form around its button.
    event.stopPropagation()
    const data = new FormData(event.currentTarget)
    const [begin, end] = [fromLocalInput(textOf(data, 'from')), fromLocalInput(textOf(data, 'to'))]
    const found = check(begin, end)
    setErrors(found)
    if (begin && end && Object.keys(found).length === 0) onChoose(begin, end)
    else requestAnimationFrame(() => focusFirstInvalid(form.current))
  }
  return (
    <Dialog title="Custom range" description="In the time of this browser." onClose={onClose}>
      <Form name={null} ref={form} onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="From" name="from" type="datetime-local" defaultValue={toLocalInput(from)} error={errors.from} />
          <TextField label="To" name="to" type="datetime-local" defaultValue={toLocalInput(to)} error={errors.to} />
        </div>
        <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Show this range
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function check(from: string | null, to: string | null): FieldErrors {
  if (!from) return { from: 'Choose when it begins.' }
  if (!to) return { to: 'Choose when it ends.' }
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  if (begin >= Date.now()) return { from: 'Choose a time that has passed.' }
  if (end <= begin) return { to: 'Choose an end after the beginning.' }
  if (begin < Date.UTC(1970, 0, 2)) return { from: 'Choose a later year.' }
  if (end >= Date.UTC(2199, 0, 1)) return { to: 'Choose an earlier year.' }
  return {}
}

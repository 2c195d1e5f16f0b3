import { Switch } from 'radix-ui'
import { useId } from 'react'

interface Props {
  label: string
  hint: string
  /** As it is; in a form, as it is at first. */
  on: boolean
  /** In a form, what it is called there. */
  name?: string
  /** Where it acts at once. */
  onChange?: (on: boolean) => void
}

/** Something that is on or off. */
export function SwitchField({ label, hint, on, name, onChange }: Props) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4">
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      </div>
      <Switch.Root
        id={id}
        {...(name && { name })}
        {...(onChange ? { checked: on, onCheckedChange: onChange } : { defaultChecked: on })}
        aria-describedby={`${id}-hint`}
        className="relative h-7 w-12 shrink-0 rounded-full bg-line-strong transition-colors data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-5 translate-x-1 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-6" />
      </Switch.Root>
    </div>
  )
}

import { useId } from 'react'

interface Props {
  label: string
  hint: string
  /** As it is; in a form, as it is at first. */
  on: boolean
  /** In a form, what it is called there. It says `on` or `off`, so that a form without it says neither. */
  name?: string
  /** Where it acts at once. */
  onChange?: (on: boolean) => void
}

/** Something that is on or off; also where no scripts run. */
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
      <input
        id={id}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: the browser tells whether a checkbox is checked
        role="switch"
        name={name}
        {...(onChange ? { checked: on, onChange: (event) => onChange(event.currentTarget.checked) } : { defaultChecked: on })}
        aria-describedby={`${id}-hint`}
        className={
          'flex h-7 w-12 shrink-0 cursor-pointer appearance-none items-center rounded-full bg-line-strong transition-colors checked:bg-accent disabled:cursor-default disabled:opacity-60 ' +
          'before:block before:size-5 before:translate-x-1 before:rounded-full before:bg-surface before:transition-transform checked:before:translate-x-6'
        }
      />
      {name && <input type="hidden" name={name} value="off" />}
    </div>
  )
}

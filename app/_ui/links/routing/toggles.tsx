import { cx } from '@/app/_ui/base/cx'

interface Props {
  label: string
  options: readonly { value: string; label: string }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  className?: string
}

/** A choice of any number of a few short words, all in sight. */
export function Toggles({ label, options, chosen, onChange, className }: Props) {
  return (
    <fieldset className={cx('flex min-w-0 flex-wrap gap-1.5', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map(({ value, label: name }) => {
        const isOn = chosen.includes(value)
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isOn}
            onClick={() => onChange(isOn ? chosen.filter((one) => one !== value) : [...chosen, value])}
            className={cx(
              'inline-flex h-11 items-center rounded-full border px-3.5 text-sm transition-colors sm:h-9',
              isOn ? 'border-accent bg-accent-soft font-medium text-accent' : 'border-line-strong text-muted hover:text-fg',
            )}
          >
            {name}
          </button>
        )
      })}
    </fieldset>
  )
}

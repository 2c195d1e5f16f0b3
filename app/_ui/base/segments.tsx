import { cx } from './cx'

interface Props<T extends string | number> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  className?: string
}

/** A choice of one among a few short words, all in sight. */
export function Segments<T extends string | number>({ label, value, options, onChange, className }: Props<T>) {
  return (
    <fieldset className={cx('flex min-w-0 gap-0.5 rounded-control border border-line bg-surface p-0.5', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={cx(
            'inline-flex h-11 flex-1 items-center justify-center rounded-[7px] px-3 text-sm font-medium whitespace-nowrap transition-colors sm:h-8',
            option.value === value ? 'bg-accent text-accent-fg' : 'text-muted hover:bg-bg hover:text-fg',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}

interface Props {
  label: string
  /** What it is called in its form. */
  name: string
  /** What is chosen at first. */
  value: string | number
  options: readonly { value: string | number; label: string /** Read out, where the label is short. */; long?: string }[]
}

/** A choice of one among a few short words, all in sight: `Segments` for a form, which works without scripts. */
export function RadioSegments({ label, name, value, options }: Props) {
  return (
    <fieldset className="flex gap-0.5 rounded-control border border-line bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={
            'relative inline-flex h-11 flex-1 cursor-pointer items-center justify-center rounded-[7px] px-3 text-sm font-medium whitespace-nowrap text-muted ' +
            'transition-colors hover:bg-bg hover:text-fg has-checked:bg-accent has-checked:text-accent-fg sm:h-8 ' +
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent'
          }
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            defaultChecked={String(option.value) === String(value)}
            aria-label={option.long}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

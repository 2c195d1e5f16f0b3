import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from './cx'

interface Props {
  label: ReactNode
  /** Only read out; the box stands alone. */
  labelHidden?: boolean
  checked: boolean
  /** Some of what it stands for is chosen, and some is not. */
  mixed?: boolean
  disabled?: boolean
  /** @param withShift as when a whole range is meant */
  onChange: (checked: boolean, withShift: boolean) => void
  className?: string
  /** As a form without scripts sends it, if it is ticked. */
  name?: string
  value?: string
}

/** A box to tick, with room around it for a finger. */
export function Checkbox({
  label,
  labelHidden = false,
  checked,
  mixed = false,
  disabled,
  onChange,
  className,
  name,
  value,
}: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed
  }, [mixed])
  return (
    <label
      className={cx(
        'inline-flex min-h-11 cursor-pointer items-center gap-3 text-sm sm:min-h-9',
        // A range is chosen with Shift, and that must not select text.
        'select-none',
        labelHidden && 'w-11 justify-center sm:w-9',
        className,
      )}
    >
      <input
        ref={box}
        type="checkbox"
        name={name}
        value={value}
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget, nativeEvent }) =>
          onChange(currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
        className="size-[18px] shrink-0 cursor-pointer accent-accent sm:size-4"
      />
      <span className={labelHidden ? 'sr-only' : undefined}>{label}</span>
    </label>
  )
}

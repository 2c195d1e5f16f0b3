import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx'

type Look = 'primary' | 'secondary' | 'quiet'

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-accent-fg hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-fg hover:bg-bg',
  quiet: 'text-accent hover:bg-accent-soft',
}

export function buttonClass(look: Look = 'secondary', className?: string): string {
  return cx(
    'inline-flex h-11 items-center justify-center gap-2 rounded-control px-4 text-[15px] font-medium whitespace-nowrap',
    'transition-colors disabled:cursor-default disabled:opacity-70 sm:h-10',
    LOOKS[look],
    className,
  )
}

export function Button({ look, className, type = 'button', ...rest }: ComponentProps<'button'> & { look?: Look }) {
  return <button type={type} className={buttonClass(look, className)} {...rest} />
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  icon: LucideIcon
  /** What it does, and to what: read out in full. */
  label: string
  /** The short form shown on hover. */
  hint: string
}

/** A button that is only an icon; large enough for a finger. */
export function IconButton({ icon: Icon, label, hint, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={hint}
      className={cx(
        'inline-flex size-11 items-center justify-center rounded-control text-muted transition-colors sm:size-10',
        'hover:bg-accent-soft hover:text-accent disabled:cursor-default disabled:opacity-50',
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden="true" className="size-[18px]" />
    </button>
  )
}

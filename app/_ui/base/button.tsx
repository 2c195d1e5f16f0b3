import type { LucideIcon } from 'lucide-react'
import Link from 'next/link'
import type { ComponentProps } from 'react'
import { cx } from './cx'

type Look = 'primary' | 'secondary' | 'quiet' | 'danger'

const LOOKS: Record<Look, string> = {
  primary: 'bg-brand text-brand-fg hover:bg-brand-hover',
  secondary: 'border border-line-strong bg-surface text-fg hover:bg-bg',
  quiet: 'text-accent hover:bg-accent-soft',
  danger: 'border border-danger bg-danger-soft text-danger hover:bg-danger hover:text-bg',
}

type Size = 'normal' | 'small' | 'large'

const SIZES: Record<Size, string> = {
  normal: 'h-11 rounded-control px-4 text-[15px] sm:h-10',
  small: 'h-11 rounded-control px-3 text-sm sm:h-9',
  large: 'h-13 rounded-card px-6 text-base sm:h-12 sm:rounded-control',
}

export function buttonClass(look: Look = 'secondary', className?: string, size: Size = 'normal'): string {
  return cx(
    'inline-flex items-center justify-center gap-2 font-medium whitespace-nowrap',
    'transition-colors disabled:cursor-default disabled:opacity-70 aria-disabled:cursor-default aria-disabled:opacity-70',
    SIZES[size],
    LOOKS[look],
    className,
  )
}

type ButtonProps = ComponentProps<'button'> & {
  look?: Look
  size?: Size
  /** What it does is under way. It stays where the cursor is: a button that is `disabled` would lose it. */
  busy?: boolean
}

export function Button({ look, size, className, type = 'button', busy = false, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={buttonClass(look, className, size)}
      {...rest}
      {...(busy && { 'aria-disabled': true, onClick: (event) => event.preventDefault() })}
    />
  )
}

type LinkButtonProps = ComponentProps<typeof Link> & Pick<ButtonProps, 'look' | 'size'>

/** A way to a page that looks like a button. */
export function LinkButton({ look, size, className, ...link }: LinkButtonProps) {
  return <Link className={buttonClass(look, className, size)} {...link} />
}

interface IconProps {
  icon: LucideIcon
  /** What it does, and to what: read out in full. */
  label: string
  /** The short form shown on hover. */
  hint: string
}

const iconClass = (className?: string) =>
  cx(
    'inline-flex size-11 items-center justify-center rounded-control text-muted transition-colors sm:size-10',
    'hover:bg-accent-soft hover:text-accent disabled:cursor-default disabled:opacity-50 aria-disabled:cursor-default aria-disabled:opacity-50',
    className,
  )

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & IconProps

/** A button that is only an icon; large enough for a finger. */
export function IconButton({ icon: Icon, label, hint, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button type={type} aria-label={label} title={hint} className={iconClass(className)} {...rest}>
      <Icon aria-hidden="true" className="size-[18px]" />
    </button>
  )
}

/** The same for what leads to a page. */
export function IconLink({ icon: Icon, label, hint, href }: IconProps & { href: string }) {
  return (
    <Link href={href} prefetch={false} aria-label={label} title={hint} className={iconClass()}>
      <Icon aria-hidden="true" className="size-[18px]" />
    </Link>
  )
}

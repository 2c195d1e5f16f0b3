'use client'

import { Check, type LucideIcon } from 'lucide-react'
import Link from 'next/link'
import {
  type ComponentProps,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  use,
  useId,
  useRef,
  useState,
} from 'react'
import { Beside } from './beside'
import { cx } from './cx'

/** Closes the menu that an item is in, and gives the cursor back to its button. */
const Close = createContext(() => {})

/** Where the cursor goes when a menu opens: to an item by key, or to the menu itself by mouse or finger. */
type Cursor = 'first' | 'last' | 'menu'

interface Props {
  /** One button. */
  trigger: ReactElement<ComponentProps<'button'>>
  className?: string
  children: ReactNode
}

/** A menu that opens from its button, as the ARIA Authoring Practices describe it. The rest of the page stays in use. */
export function Menu({ trigger, className, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<Cursor | null>(null)
  const close = () => {
    setOpen(null)
    button.current?.focus()
  }
  return (
    <>
      {cloneElement(trigger, {
        id,
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open !== null,
        'aria-controls': open ? `${id}-menu` : undefined,
        // A key that clicks has no clicks to count.
        onClick: ({ detail }) => setOpen(open ? null : detail === 0 ? 'first' : 'menu'),
        onKeyDown: (event) => {
          if (event.key === 'Escape') setOpen(null)
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpen(event.key === 'ArrowDown' ? 'first' : 'last')
        },
      })}
      {open && (
        <Beside
          id={`${id}-menu`}
          role="menu"
          aria-labelledby={id}
          tabIndex={-1}
          button={button}
          align="end"
          onOpen={(menu) => (open === 'menu' ? menu : itemsOf(menu).at(open === 'first' ? 0 : -1))?.focus()}
          onClose={() => setOpen(null)}
          onKeyDown={(event) => moveBy(event, close)}
          // To what else has opened. Another window takes the cursor to nowhere, and brings it back.
          onBlur={({ currentTarget, relatedTarget: to }) => to && !currentTarget.contains(to) && setOpen(null)}
          className={cx('min-w-48 p-1 text-left outline-none', className)}
        >
          <Close value={close}>{children}</Close>
        </Beside>
      )}
    </>
  )
}

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])')]

/** Arrows, Home and End, and letters, which go to the next item that begins with what is typed. */
function moveBy(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const { key, currentTarget: menu, target } = event
  const items = itemsOf(menu)
  const at = items.indexOf(target as HTMLElement)
  const go = (to: HTMLElement | undefined) => {
    event.preventDefault()
    to?.focus()
  }
  // On from the button: a menu is one stop on the way through the page.
  if (key === 'Tab') close()
  else if (key === 'ArrowDown') go(items[Math.min(at + 1, items.length - 1)])
  else if (key === 'ArrowUp') go(items[at === -1 ? items.length - 1 : Math.max(at - 1, 0)])
  else if (key === 'Home' || key === 'PageUp') go(items[0])
  else if (key === 'End' || key === 'PageDown') go(items.at(-1))
  else if (key === ' ' && target instanceof HTMLAnchorElement) {
    event.preventDefault()
    target.click()
  } else if (key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const isMeant = ({ textContent }: HTMLElement) => textContent.trim().toLowerCase().startsWith(key.toLowerCase())
    go([...items.slice(at + 1), ...items.slice(0, at + 1)].find(isMeant))
  }
}

/** A mouse takes the cursor along: there is one item at a time that Enter would choose. */
const takeCursor = ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
  if (pointerType === 'mouse') currentTarget.focus({ preventScroll: true })
}

const itemClass = (danger = false) =>
  cx(
    'flex min-h-11 w-full cursor-pointer items-center gap-2.5 rounded-[7px] px-3 text-left text-sm font-medium whitespace-nowrap outline-none sm:min-h-9',
    danger ? 'text-danger focus:bg-danger-soft' : 'focus:bg-accent-soft focus:text-accent',
    'aria-disabled:cursor-default aria-disabled:opacity-50',
  )

interface ItemProps {
  icon: LucideIcon
  /** It takes something away. */
  danger?: boolean | undefined
  disabled?: boolean
  /** A line below what it says. */
  hint?: string
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon: Icon, danger, disabled = false, hint, onSelect, children }: ItemProps) {
  const close = use(Close)
  const select = () => {
    if (disabled) return
    close()
    onSelect()
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabled || undefined}
      onClick={select}
      onPointerMove={disabled ? undefined : takeCursor}
      className={itemClass(danger)}
    >
      <Icon aria-hidden="true" className={cx('size-4 shrink-0', hint && 'mt-3 self-start')} />
      {hint ? (
        <span className="py-2">
          <span className="block">{children}</span>
          <span className="block text-[13px] font-normal text-muted">{hint}</span>
        </span>
      ) : (
        children
      )}
    </button>
  )
}

/** An item that leads to a page of the app. */
export function MenuLink({ icon: Icon, href, children }: { icon: LucideIcon; href: string; children: ReactNode }) {
  const close = use(Close)
  // In a tab of its own it opens beside the menu.
  const follow = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => ctrlKey || metaKey || shiftKey || close()
  return (
    <Link
      href={href}
      prefetch={false}
      role="menuitem"
      tabIndex={-1}
      onClick={follow}
      onPointerMove={takeCursor}
      className={itemClass()}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {children}
    </Link>
  )
}

interface TickProps {
  role: 'menuitemradio' | 'menuitemcheckbox'
  checked: boolean
  onClick: () => void
  children: ReactNode
}

/** Items that belong together, named above them. */
function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu holds no fieldsets
    <div role="group" aria-label={label}>
      <p aria-hidden="true" className="px-3 pt-1.5 pb-1 text-[13px] text-muted">
        {label}
      </p>
      {children}
    </div>
  )
}

/** What can be ticked. The menu stays open, so that one can look at what became of it. */
function MenuTick({ role, checked, onClick, children }: TickProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of these roles can be checked
    <button
      type="button"
      role={role}
      aria-checked={checked}
      tabIndex={-1}
      onClick={onClick}
      onPointerMove={takeCursor}
      className={itemClass()}
    >
      {children}
    </button>
  )
}

interface ChoicesProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string; icon: LucideIcon }[]
  onChange: (value: V) => void
}

/** A choice of one among a few. */
export function MenuChoices<V extends string>({ label, value, options, onChange }: ChoicesProps<V>) {
  return (
    <MenuGroup label={label}>
      {options.map(({ value: one, label: name, icon: Icon }) => (
        <MenuTick key={one} role="menuitemradio" checked={one === value} onClick={() => onChange(one)}>
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          {name}
          {one === value && <Check aria-hidden="true" className="ml-auto size-4" />}
        </MenuTick>
      ))}
    </MenuGroup>
  )
}

interface ChecksProps<V extends string> {
  label: string
  /** Those that are ticked. */
  values: readonly V[]
  options: readonly { value: V; label: string }[]
  onChange: (values: V[]) => void
}

/** Any of a few, each ticked or not. */
export function MenuChecks<V extends string>({ label, values, options, onChange }: ChecksProps<V>) {
  const toggled = (value: V) => (values.includes(value) ? values.filter((other) => other !== value) : [...values, value])
  return (
    <MenuGroup label={label}>
      {options.map(({ value, label: name }) => (
        <MenuTick key={value} role="menuitemcheckbox" checked={values.includes(value)} onClick={() => onChange(toggled(value))}>
          <span className="size-4 shrink-0">{values.includes(value) && <Check aria-hidden="true" className="size-4" />}</span>
          {name}
        </MenuTick>
      ))}
    </MenuGroup>
  )
}

export function MenuSeparator() {
  return <hr className="mx-1 my-1 h-px border-0 bg-line" />
}

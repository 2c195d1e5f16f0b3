import { Check, type LucideIcon } from 'lucide-react'
import Link from 'next/link'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx'

/** A menu that opens from `trigger`, which must be one button. */
export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    // In its place on the page, and the rest stays in use: it is a menu, no dialog.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        collisionPadding={12}
        // A toast that goes gives the cursor back to where it was, and would close a menu just opened.
        onFocusOutside={(event) => event.preventDefault()}
        className="appear z-30 min-w-48 rounded-control border border-line bg-raised p-1 text-left shadow-lg"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

const itemClass = (danger = false) =>
  cx(
    'flex min-h-11 cursor-pointer items-center gap-2.5 rounded-[7px] px-3 text-sm font-medium whitespace-nowrap outline-none sm:min-h-9',
    danger ? 'text-danger data-[highlighted]:bg-danger-soft' : 'data-[highlighted]:bg-accent-soft data-[highlighted]:text-accent',
    'data-[disabled]:cursor-default data-[disabled]:opacity-50',
  )

interface ItemProps {
  icon: LucideIcon
  /** It takes something away. */
  danger?: boolean | undefined
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon: Icon, danger, disabled = false, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item onSelect={onSelect} disabled={disabled} className={itemClass(danger)}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {children}
    </DropdownMenu.Item>
  )
}

/** An item that leads to a page of the app. */
export function MenuLink({ icon: Icon, href, children }: { icon: LucideIcon; href: string; children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild>
      <Link href={href} prefetch={false} className={itemClass()}>
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        {children}
      </Link>
    </DropdownMenu.Item>
  )
}

interface ChoicesProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string; icon: LucideIcon }[]
  onChange: (value: V) => void
}

/** A choice of one among a few. The menu stays open, so that one can look at what became of it. */
export function MenuChoices<V extends string>({ label, value, options, onChange }: ChoicesProps<V>) {
  return (
    <DropdownMenu.RadioGroup aria-label={label} value={value} onValueChange={(chosen) => onChange(chosen as V)}>
      <DropdownMenu.Label aria-hidden="true" className="px-3 pt-1.5 pb-1 text-[13px] text-muted">
        {label}
      </DropdownMenu.Label>
      {options.map(({ value: one, label: name, icon: Icon }) => (
        <DropdownMenu.RadioItem key={one} value={one} onSelect={(event) => event.preventDefault()} className={itemClass()}>
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          {name}
          <DropdownMenu.ItemIndicator className="ml-auto">
            <Check aria-hidden="true" className="size-4" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

interface ChecksProps<V extends string> {
  label: string
  /** Those that are ticked. */
  values: readonly V[]
  options: readonly { value: V; label: string }[]
  onChange: (values: V[]) => void
}

/** Any of a few, each ticked or not. The menu stays open, as above. */
export function MenuChecks<V extends string>({ label, values, options, onChange }: ChecksProps<V>) {
  const toggled = (value: V) => (values.includes(value) ? values.filter((other) => other !== value) : [...values, value])
  return (
    <DropdownMenu.Group aria-label={label}>
      <DropdownMenu.Label aria-hidden="true" className="px-3 pt-1.5 pb-1 text-[13px] text-muted">
        {label}
      </DropdownMenu.Label>
      {options.map(({ value, label: name }) => (
        <DropdownMenu.CheckboxItem
          key={value}
          checked={values.includes(value)}
          onCheckedChange={() => onChange(toggled(value))}
          onSelect={(event) => event.preventDefault()}
          className={itemClass()}
        >
          <span className="size-4 shrink-0">
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden="true" className="size-4" />
            </DropdownMenu.ItemIndicator>
          </span>
          {name}
        </DropdownMenu.CheckboxItem>
      ))}
    </DropdownMenu.Group>
  )
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />
}

import type { ReactNode } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Moment } from '@/app/_ui/base/moment'

/** Names with what they stand for, one below the other. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line text-sm">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-2.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right tabular-nums text-anywhere">{children}</dd>
    </div>
  )
}

interface ActionProps {
  /** What it does, and to what: read out in full. */
  label: string
  onClick: () => void
  children: ReactNode
}

/** A button behind what a fact is: its words, not its edges, are in line with the facts above and below. */
export function FactAction({ label, onClick, children }: ActionProps) {
  return (
    <Button size="small" look="quiet" className="-mx-3" aria-label={label} onClick={onClick}>
      {children}
    </Button>
  )
}

/** A time; nothing where there is none. */
export function TimeFact({ name, iso }: { name: string; iso: string | null }) {
  return (
    iso && (
      <Fact name={name}>
        <Moment iso={iso} exact />
      </Fact>
    )
  )
}

/** A heading within a drawer, with what stands below it. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-7">
      <h3 className="mb-1 text-[15px] font-semibold">{title}</h3>
      {children}
    </section>
  )
}

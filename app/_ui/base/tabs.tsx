import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface Tab<T extends string> {
  value: T
  label: ReactNode
  content: ReactNode
}

interface Props<T extends string> {
  /** What the tabs are about. */
  label: string
  value: T
  tabs: readonly Tab<T>[]
  onChange: (value: T) => void
}

/** Parts of one page, one at a time. Pages of their own are links instead: see SubNav. */
export function Tabs<T extends string>({ label, value, tabs, onChange }: Props<T>) {
  const choose = (chosen: string) => {
    const tab = tabs.find((it) => it.value === chosen)
    if (tab) onChange(tab.value)
  }
  return (
    <Radix.Root value={value} onValueChange={choose}>
      <Radix.List aria-label={label} className="mb-5 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={
              '-mb-px h-11 border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted ' +
              'hover:text-fg focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-fg sm:h-10'
            }
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}

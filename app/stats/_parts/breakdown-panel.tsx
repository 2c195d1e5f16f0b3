import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import type { LinkAccess } from '@/app/_ui/data/stats'
import type { Facet, Stats } from '@/lib/stats/schemas'
import { FACET_HINTS, FACET_NAMES, KIND_NAMES, othersOf } from './labels'
import type { ViewControl } from './use-view'
import { ValueRows } from './value-rows'
import { ValuesDialog } from './values-dialog'

const SHOWN = 8

interface Props {
  access: LinkAccess
  stats: Stats
  control: ViewControl
  title: string
  facets: Facet[]
}

/** Where clicks come from by one measure, or by several in tabs. A row chosen filters the page. */
export function BreakdownPanel({ title, facets, ...props }: Props) {
  const [first] = facets
  const unit = <span className="text-[13px] text-muted">{KIND_NAMES[props.control.view.kind].clicks}</span>
  const opened = (facets.includes('source') && props.control.view.filters.source ? 'referrer' : first) ?? ''
  if (facets.length === 1 && first) {
    return (
      <Card title={title} hint={FACET_HINTS[first]} action={unit}>
        <Values facet={first} {...props} />
      </Card>
    )
  }
  return (
    // Of a source that is filtered by, what one wants to see are its hosts.
    <Tabs.Root key={opened} defaultValue={opened} asChild>
      <div className="flex min-w-0 flex-col">
        <Card title={title} hint={first && FACET_HINTS[first]} className="flex-1" action={unit}>
          <TabList title={title} facets={facets} />
          {facets.map((facet) => (
            <Tabs.Content key={facet} value={facet} tabIndex={-1}>
              <Values facet={facet} {...props} />
            </Tabs.Content>
          ))}
        </Card>
      </div>
    </Tabs.Root>
  )
}

function TabList({ title, facets }: { title: string; facets: Facet[] }) {
  return (
    <Tabs.List aria-label={title} className="-mt-2 mb-3 flex flex-wrap gap-x-1 border-b border-line">
      {facets.map((facet) => (
        <Tabs.Trigger
          key={facet}
          value={facet}
          className="-mb-px h-11 rounded-t-[7px] border-b-2 border-transparent px-2 text-sm font-medium text-muted hover:text-fg data-[state=active]:border-accent data-[state=active]:text-fg sm:h-9"
        >
          {FACET_NAMES[facet].replace(/^UTM (.)/, (_, letter: string) => letter.toUpperCase())}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  )
}

function Values({ facet, access, stats, control }: Omit<Props, 'title' | 'facets'> & { facet: Facet }) {
  const [open, setOpen] = useState(false)
  const values = stats.breakdown[facet]
  const nothing = values.every(({ value }) => value === '')
  if (values.length === 0 || (nothing && facet.startsWith('utm_'))) {
    return <p className="py-8 text-center text-sm text-muted">{emptyText(facet)}</p>
  }
  return (
    <>
      <ValueRows
        facet={facet}
        values={values.slice(0, SHOWN)}
        others={othersOf(stats, facet)}
        total={stats.totals.clicks}
        control={control}
      />
      {values.length > SHOWN && (
        <Button size="small" look="quiet" className="mt-2 -ml-3" onClick={() => setOpen(true)}>
          Show more<span className="sr-only">: {FACET_NAMES[facet]}</span>
        </Button>
      )}
      {open && <ValuesDialog facet={facet} access={access} stats={stats} control={control} onClose={() => setOpen(false)} />}
    </>
  )
}

const emptyText = (facet: Facet) =>
  facet.startsWith('utm_')
    ? `No click carried a ${facet}. Add ?${facet}=… to the short link where you share it, to tell places apart.`
    : 'No clicks here yet.'

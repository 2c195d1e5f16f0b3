import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import type { LinkAccess } from '@/app/_ui/data/stats'
import type { Dimension } from '@/lib/clicks/dimensions'
import type { Stats } from '@/lib/stats/schemas'
import { DIMENSION_NAMES } from './labels'
import { peopleOf } from './people'
import type { ViewControl } from './use-view'
import { ValueRows } from './value-rows'
import { ValuesDialog } from './values-dialog'

const SHOWN = 8

interface Props {
  access: LinkAccess
  stats: Stats
  control: ViewControl
  title: string
  dimensions: Dimension[]
}

/** Where clicks come from by one measure, or by several in tabs. A row chosen filters the page. */
export function BreakdownPanel({ title, dimensions, ...props }: Props) {
  const [first] = dimensions
  if (dimensions.length === 1 && first) {
    return (
      <Card title={title} action={<Unit />}>
        <Values dimension={first} {...props} />
      </Card>
    )
  }
  return (
    <Tabs.Root defaultValue={first ?? ''} asChild>
      <div className="flex min-w-0 flex-col">
        <Card title={title} className="flex-1" action={<Unit />}>
          <TabList title={title} dimensions={dimensions} />
          {dimensions.map((dimension) => (
            <Tabs.Content key={dimension} value={dimension} tabIndex={-1}>
              <Values dimension={dimension} {...props} />
            </Tabs.Content>
          ))}
        </Card>
      </div>
    </Tabs.Root>
  )
}

function Unit() {
  return <span className="text-[13px] text-muted">Clicks of people</span>
}

function TabList({ title, dimensions }: { title: string; dimensions: Dimension[] }) {
  return (
    <Tabs.List aria-label={title} className="-mt-2 mb-3 flex flex-wrap gap-x-1 border-b border-line">
      {dimensions.map((dimension) => (
        <Tabs.Trigger
          key={dimension}
          value={dimension}
          className="-mb-px h-11 rounded-t-[7px] border-b-2 border-transparent px-2 text-sm font-medium text-muted hover:text-fg data-[state=active]:border-accent data-[state=active]:text-fg sm:h-9"
        >
          {DIMENSION_NAMES[dimension].replace(/^UTM (.)/, (_, letter: string) => letter.toUpperCase())}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  )
}

function Values({ dimension, access, stats, control }: Omit<Props, 'title' | 'dimensions'> & { dimension: Dimension }) {
  const [open, setOpen] = useState(false)
  const values = stats.breakdown[dimension]
  const nothing = values.every(({ value }) => value === '')
  if (values.length === 0 || (nothing && dimension.startsWith('utm_'))) {
    return <p className="py-8 text-center text-sm text-muted">{emptyText(dimension)}</p>
  }
  return (
    <>
      <ValueRows
        dimension={dimension}
        values={values.slice(0, SHOWN)}
        others={stats.others[dimension]}
        people={peopleOf(stats)}
        control={control}
      />
      {values.length > SHOWN && (
        <Button size="small" look="quiet" className="mt-2 -ml-3" onClick={() => setOpen(true)}>
          Show more<span className="sr-only">: {DIMENSION_NAMES[dimension]}</span>
        </Button>
      )}
      {open && (
        <ValuesDialog dimension={dimension} access={access} stats={stats} control={control} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

const emptyText = (dimension: Dimension) =>
  dimension.startsWith('utm_')
    ? `No click carried a ${dimension}. Add ?${dimension}=… to the short link where you share it, to tell places apart.`
    : 'No person has clicked yet.'

import { type LucideIcon, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Card } from './card'

interface Props {
  title: string
  /** Stands for the chart on the button that leads back to it. */
  icon: LucideIcon
  /** Before that button. */
  action?: ReactNode
  chart: ReactNode
  /** The same numbers, for those who want to read them. */
  table: ReactNode
  /** A `figcaption`. */
  caption: ReactNode
}

/** A chart that can be read as a table too. */
export function ChartCard({ title, icon, action, chart, table, caption }: Props) {
  const [asTable, setAsTable] = useState(false)
  const Icon = asTable ? icon : Table2
  return (
    <Card
      title={title}
      action={
        <div className="flex flex-wrap items-center gap-2">
          {action}
          <button
            type="button"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
            className="inline-flex h-11 items-center gap-1.5 rounded-control px-2.5 text-sm font-medium text-muted hover:bg-accent-soft hover:text-accent sm:h-8"
          >
            <Icon aria-hidden="true" className="size-4" />
            {asTable ? 'As chart' : 'As table'}
          </button>
        </div>
      }
    >
      <figure>
        {asTable ? table : chart}
        {caption}
      </figure>
    </Card>
  )
}

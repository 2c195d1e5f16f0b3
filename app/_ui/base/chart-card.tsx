import { type LucideIcon, Table2 } from 'lucide-react'
import { type PointerEvent, type ReactNode, type Ref, useState } from 'react'
import { useTranslations } from '#i18n'
import { useFormat } from '@/app/_ui/data/format'
import { Card } from './card'
import { cx } from './cx'
import { SCRIPTS_ONLY, WithoutScripts } from './without-scripts'

interface Props {
  title: string
  /** Stands for the chart on the button that leads back to it. */
  icon: LucideIcon
  /** Before that button. */
  action?: ReactNode
  /** Above the chart. */
  head?: ReactNode
  chart: ReactNode
  /** The same numbers, for those who want to read them. */
  table: ReactNode
  /** A `figcaption`. */
  caption: ReactNode
  /** Below all of it. */
  foot?: ReactNode
}

/** A chart that can be read as a table too. */
export function ChartCard({ title, icon, action, head, chart, table, caption, foot }: Props) {
  const t = useTranslations('base.chart')
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
            {asTable ? t('showChart') : t('showTable')}
          </button>
        </div>
      }
    >
      {head}
      <figure>
        {asTable ? (
          table
        ) : (
          <>
            <div className={SCRIPTS_ONLY}>{chart}</div>
            <WithoutScripts>{table}</WithoutScripts>
          </>
        )}
        {caption}
      </figure>
      {foot}
    </Card>
  )
}

interface FrameProps {
  ref: Ref<HTMLDivElement>
  height: number
  /** How far from its left edge the pointer is; null: nowhere on it. */
  onPoint: (x: number | null) => void
  children: ReactNode
}

/** Around a chart that says more of what the pointer is over. */
export function ChartFrame({ ref, height, onPoint, children }: FrameProps) {
  const follow = (event: PointerEvent<HTMLDivElement>) =>
    onPoint(event.clientX - event.currentTarget.getBoundingClientRect().left)
  return (
    <div
      ref={ref}
      className="relative touch-pan-y"
      style={{ height }}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={() => onPoint(null)}
    >
      {children}
    </div>
  )
}

interface TableProps {
  /** What the chart is called. */
  title: string
  /** Class of how high it grows. */
  height: string
  /** Of the columns: that of the times, and those of the numbers. */
  names: readonly string[]
  /** The oldest first. */
  rows: readonly { key: string; name: string; values: readonly number[] }[]
}

/** The numbers of a chart. Newest first: what happened last is what one looks up. */
export function ChartTable({ title, height, names, rows }: TableProps) {
  const t = useTranslations('base.chart')
  const format = useFormat()
  const cell = 'border-b border-line px-3 py-2'
  return (
    <section
      aria-label={t('table', { title })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className={`overflow-auto rounded-control border border-line ${height}`}
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            {names.map((name, column) => (
              <th
                key={name}
                scope="col"
                className={cx(cell, 'font-medium', column === 0 ? 'text-left' : 'text-right tabular-nums')}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ key, name, values }) => (
            <tr key={key}>
              <th scope="row" className={`${cell} text-left font-normal`}>
                {name}
              </th>
              {values.map((value, column) => (
                <td key={names[column + 1]} className={`${cell} text-right tabular-nums`}>
                  {format.number(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { Checkbox } from './checkbox'
import { cx } from './cx'
import { rememberRow } from './use-row-keys'
import type { RowSelection } from './use-selection'

export interface Column<T> {
  key: string
  title: string
  cell: (row: T) => ReactNode
  /**
   * Where the page is narrow each row is a card: there it has a line of its own, or no name before it, or a line below
   * the others, or the end of their line.
   */
  narrow?: 'line' | 'bare' | 'below' | 'end'
  numeric?: boolean
  /** What a number counts, said after it where no title is above it. */
  unit?: (row: T) => string
  /** Classes of its width in a wide table: widths are fixed, so that long texts are cut rather than the table stretched. */
  width?: string
  /** The column sorts: which way it does now, and what a press on its title asks for. */
  sort?: { direction: 'ascending' | 'descending' | null; onSort: () => void }
}

export interface TableProps<T> {
  /** What the table holds, for those who cannot see it. */
  caption: string
  columns: readonly Column<T>[]
  /** null while the first are on their way. */
  rows: readonly T[] | null
  keyOf: (row: T) => string
  /** What a row is called, where its box and its buttons are read out. */
  nameOf: (row: T) => string
  selection?: RowSelection
  /** What can be done with the rows that are selected. */
  bar?: ReactNode
  /** What can be done with a row. */
  actions?: (row: T) => ReactNode
  /** They are one small button: in the corner of the card where rows are cards. */
  cornerActions?: boolean
  /** Classes of the width of the actions. */
  actionsWidth?: string
  /** Each row is a card at any width, several side by side where there is room. */
  cards?: boolean
  /** What sorts them where no titles do. */
  sorting?: ReactNode
  /** The rows are those of another view; its own are on their way. */
  stale?: boolean
  /** Shown in place of no rows. */
  empty: ReactNode
}

/** A table that becomes a list of cards on a narrow screen. */
export function DataTable<T>(props: TableProps<T>) {
  const t = useTranslations('base.table')
  const { caption, columns, rows, keyOf, selection, actions, cards = false, stale = false, empty } = props
  if (rows?.length === 0 && !stale)
    return (
      <>
        {props.bar}
        <div className="rounded-card border border-dashed border-line-strong">{empty}</div>
      </>
    )
  return (
    <table
      aria-busy={rows === null || stale}
      data-cards={cards || undefined}
      className={cx(
        'block w-full text-sm transition-opacity wide:table wide:table-fixed',
        !cards && 'rounded-card border border-line bg-surface',
        'wide:border-separate wide:border-spacing-0',
        stale && 'opacity-60',
      )}
    >
      <caption className="sr-only">{caption}</caption>
      {/* Where rows are cards it holds what chooses and sorts them, or nothing at all. */}
      <thead
        className={cx('block border-line wide:table-header-group', !cards && Boolean(selection || props.sorting) && 'border-b')}
      >
        <tr className="flex flex-wrap items-center wide:table-row">
          {selection && <SelectAll keys={rows?.map(keyOf) ?? []} selection={selection} bar={props.bar} />}
          {props.sorting && <td className={cx('ml-auto block py-1 wide:hidden', !cards && 'pr-3')}>{props.sorting}</td>}
          {columns.map((column) => (
            <Title key={column.key} column={column} />
          ))}
          {actions && (
            <th scope="col" className={cx('hidden border-line wide:table-cell wide:border-b', props.actionsWidth)}>
              <span className="sr-only">{t('actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody
        className={cards ? 'mt-1 grid gap-3 sm:grid-cols-2 lg:grid-cols-3' : 'block divide-y divide-line wide:table-row-group'}
      >
        {rows?.map((row) => <Row key={keyOf(row)} row={row} {...props} />) ?? (
          <SkeletonRows columns={columns.length + (selection ? 1 : 0) + (actions ? 1 : 0)} />
        )}
      </tbody>
    </table>
  )
}

function SelectAll({ keys, selection, bar }: { keys: string[]; selection: RowSelection; bar: ReactNode }) {
  const t = useTranslations('base.table')
  const count = keys.filter((key) => selection.chosen.has(key)).length
  const all = keys.length > 0 && count === keys.length
  return (
    <th
      scope="col"
      // The bar does not name the boxes below.
      aria-label={t('selectPage')}
      className="block px-1 text-left align-middle font-normal wide:table-cell wide:w-11 wide:border-b wide:border-line"
    >
      <Checkbox
        label={
          <>
            <span aria-hidden="true" className="wide:hidden">
              {t('selectAll')}
            </span>
            <span className="sr-only">{t('selectPage')}</span>
          </>
        }
        checked={all}
        mixed={count > 0 && !all}
        disabled={keys.length === 0}
        onChange={() => selection.togglePage(!all)}
        className="px-3 text-muted wide:w-9 wide:justify-center wide:gap-0 wide:px-0"
      />
      {bar}
    </th>
  )
}

function Title<T>({ column }: { column: Column<T> }) {
  const { title, sort, numeric, width } = column
  const Icon = sort?.direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={sort?.direction ?? undefined}
      className={cx(
        'hidden border-line px-3 py-1.5 font-medium text-muted wide:table-cell wide:border-b',
        numeric ? 'text-right' : 'text-left',
        width,
      )}
    >
      {sort ? (
        <button
          type="button"
          onClick={sort.onSort}
          className={cx(
            '-mx-2 inline-flex min-h-8 items-center gap-1 rounded-control px-2 hover:text-fg',
            sort.direction && 'text-fg',
            // The arrow keeps its room, and the title ends where the numbers do.
            numeric && 'flex-row-reverse',
          )}
        >
          {title}
          <Icon aria-hidden="true" className={cx('size-3.5', !sort.direction && 'invisible')} />
        </button>
      ) : (
        title
      )}
    </th>
  )
}

const NARROW = {
  line: 'w-full min-w-0 wide:w-auto',
  named: 'flex min-h-6 items-center gap-1',
  bare: 'flex min-h-6 items-center',
  below: 'order-1 flex min-h-6 w-full min-w-0 items-center wide:w-auto',
  end: 'ml-auto flex min-h-6 items-center',
}

function Row<T>({
  row,
  columns,
  keyOf,
  nameOf,
  selection,
  actions,
  cornerActions = false,
  cards = false,
}: TableProps<T> & { row: T }) {
  const t = useTranslations('base.table')
  const key = keyOf(row)
  const chosen = selection?.chosen.has(key) ?? false
  const cell = 'wide:table-cell wide:border-b wide:border-line wide:px-3 wide:py-2 wide:align-middle wide:group-last:border-0'
  return (
    <tr
      // Where single keys put the cursor; the bar of what is selected must not hide it.
      data-row={key}
      tabIndex={-1}
      // Also from its menu, which is elsewhere on the page.
      onClickCapture={({ target }) => target instanceof Element && target.closest('a[href]') && rememberRow(key)}
      className={cx(
        'group relative flex scroll-mb-24 flex-wrap content-start items-start gap-x-3 py-3 wide:table-row',
        'focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent',
        cornerActions ? 'pr-12' : 'pr-3',
        selection ? 'pl-12' : 'pl-4',
        cards && 'min-w-0 rounded-card border border-line',
        chosen ? 'bg-accent-soft' : cards ? 'bg-surface' : 'wide:hover:bg-bg',
      )}
    >
      {selection && (
        <td className={cx('absolute top-1 left-1 block wide:static wide:px-1!', cell)}>
          <Checkbox
            label={t('select', { name: nameOf(row) })}
            labelHidden
            checked={chosen}
            onChange={(on, withShift) => selection.toggle(key, on, withShift)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.key}
          className={cx(NARROW[column.narrow ?? 'named'], column.numeric && 'tabular-nums wide:text-right', cell)}
        >
          {!column.narrow && !column.unit && (
            <span aria-hidden="true" className="text-[13px] text-muted wide:hidden">
              {column.title}
            </span>
          )}
          {column.cell(row)}
          {column.unit && <span className="text-[13px] text-muted wide:hidden">{column.unit(row)}</span>}
        </td>
      ))}
      {actions && (
        <td
          className={cx(
            'whitespace-nowrap wide:px-1! wide:text-right',
            cornerActions ? 'absolute top-1 right-1 wide:static' : 'order-2 w-full pt-1 wide:w-auto wide:pt-2',
            cell,
          )}
        >
          {actions(row)}
        </td>
      )}
    </tr>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  return ['100%', '80%', '90%', '70%', '85%', '75%'].map((width) => (
    <tr key={width} className="block p-4 wide:table-row">
      <td colSpan={columns} className="block wide:table-cell wide:px-4 wide:py-4">
        <div className="skeleton h-4" style={{ width }} />
        <div className="skeleton mt-2 h-3 w-1/3 wide:hidden" />
      </td>
    </tr>
  ))
}

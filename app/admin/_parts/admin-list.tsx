import type { ReactNode } from 'react'
import { Button } from '@/app/_ui/base/button'
import { type Column, DataTable } from '@/app/_ui/base/data-table'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { Pager } from '@/app/_ui/base/pager'
import type { RowSelection } from '@/app/_ui/base/use-selection'
import type { CursorPage } from '@/app/_ui/data/cursor-page'
import type { ListControl } from '@/app/_ui/data/list-view'
import { AdminFailure } from './admin-failure'

interface Props<T extends { id: string }, V extends { cursor: string | null }> {
  caption: string
  control: ListControl<V>
  page: CursorPage<T>
  columns: readonly Column<T>[]
  nameOf: (row: T) => string
  selection?: RowSelection
  actions?: (row: T) => ReactNode
  cornerActions?: boolean
  actionsWidth?: string
  /** What narrows the list is taken off; null: nothing does. */
  onShowAll: (() => void) | null
  /** In place of a list that has nothing in it at all. */
  empty: ReactNode
}

/** A list with its pages, and all that may be in their place. */
export function AdminList<T extends { id: string }, V extends { cursor: string | null }>(props: Props<T, V>) {
  const { control, page, onShowAll, empty, ...table } = props
  const rows = page.rows ?? []
  const unread = page.failure !== null && page.rows === null
  const nextCursor = page.stale || page.looking ? null : page.nextCursor
  return (
    <>
      {page.failure && <AdminFailure failure={page.failure} stale={page.rows !== null} onAgain={page.reload} />}
      {!unread && (
        <DataTable
          {...table}
          rows={rows.length === 0 && page.looking ? null : rows}
          keyOf={({ id }) => id}
          stale={page.stale}
          empty={<Nothing control={control} more={page.nextCursor !== null} onShowAll={onShowAll} empty={empty} />}
        />
      )}
      <p role="status" className="mt-3 text-center text-[13px] text-muted empty:hidden">
        {page.looking && page.rows !== null ? 'Looking further…' : ''}
      </p>
      <Pager
        label={`Pages: ${table.caption}`}
        onPrevious={control.previous && turn(control.previous)}
        onNext={nextCursor === null ? null : turn(() => control.next(nextCursor))}
      />
    </>
  )
}

const turn = (go: () => void) => () => {
  go()
  window.scrollTo({ top: 0 })
}

type NothingProps<V extends { cursor: string | null }> = Pick<Props<{ id: string }, V>, 'control' | 'onShowAll' | 'empty'> & {
  more: boolean
}

function Nothing<V extends { cursor: string | null }>({ control, more, onShowAll, empty }: NothingProps<V>) {
  if (more) return <EmptyState title="Nothing found so far" text="There is more to look through. Go on to the next page." />
  if (control.view.cursor !== null) return <EmptyState title="Nothing more" text="This page is past the end of the list." />
  if (onShowAll === null) return empty
  return (
    <EmptyState title="Nothing matches" text="Search for something else, or take filters off.">
      <Button look="primary" onClick={onShowAll}>
        Show everything
      </Button>
    </EmptyState>
  )
}

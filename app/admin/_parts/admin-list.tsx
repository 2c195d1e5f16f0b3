import { Button } from '@/app/_ui/base/button'
import type { TableProps } from '@/app/_ui/base/data-table'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { PagedTable } from '@/app/_ui/base/paged-table'
import type { CursorPage } from '@/app/_ui/data/cursor-page'
import type { ListControl } from '@/app/_ui/data/list-view'
import { AdminFailure } from './admin-failure'

interface Props<T extends { id: string }, V extends { cursor: string | null }>
  extends Omit<TableProps<T>, 'rows' | 'keyOf' | 'stale'> {
  control: ListControl<V>
  page: CursorPage<T>
  /** What narrows the list is taken off; null: nothing does. */
  onShowAll: (() => void) | null
}

/** A list with its pages, and all that may be in their place. @param props `empty`: for a list that has nothing in it at all */
export function AdminList<T extends { id: string }, V extends { cursor: string | null }>(props: Props<T, V>) {
  const { control, page, onShowAll, empty } = props
  const nothing = <Nothing control={control} more={page.nextCursor !== null} onShowAll={onShowAll} empty={empty} />
  return (
    <>
      {page.failure && <AdminFailure failure={page.failure} stale={page.rows !== null} onAgain={page.reload} />}
      <PagedTable {...props} label={`Pages: ${props.caption}`} looking="Looking further…" empty={nothing} />
    </>
  )
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

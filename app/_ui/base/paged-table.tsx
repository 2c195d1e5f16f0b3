import { useEffect, useRef } from 'react'
import type { CursorPage } from '@/app/_ui/data/cursor-page'
import type { ListControl } from '@/app/_ui/data/list-view'
import { DataTable, type TableProps } from './data-table'
import { Pager } from './pager'
import { focusRemembered } from './use-row-keys'

interface Props<T> extends Omit<TableProps<T>, 'rows' | 'keyOf' | 'stale'> {
  page: CursorPage<T>
  control: Pick<ListControl<never>, 'next' | 'previous'>
  /** What the pages are of. */
  label: string
  /** Said while the page is being filled. */
  looking: string
}

/** A page of a list, and the way to the others; nothing while none could be read. */
export function PagedTable<T extends { id: string }>({ page, control, label, looking, ...table }: Props<T>) {
  const rows = page.rows ?? []
  const main = useRef<HTMLDivElement>(null)
  const turned = useRef<{ from: Element | null; rows: readonly T[] | null } | null>(null)
  const turn = (go: () => void) => () => {
    turned.current = { from: document.activeElement, rows: page.rows }
    go()
    window.scrollTo({ top: 0 })
  }
  // After turning the page one reads on from its first row, unless the cursor went elsewhere meanwhile.
  useEffect(() => {
    if (turned.current === null || page.stale || page.rows === turned.current.rows) return
    const { activeElement, body } = document
    if (activeElement === body || activeElement === turned.current.from)
      main.current?.querySelector<HTMLElement>('[data-row]')?.focus({ preventScroll: true })
    turned.current = null
  }, [page.rows, page.stale])
  const isHere = page.rows !== null
  useEffect(() => {
    if (isHere) focusRemembered()
  }, [isHere])
  const nextCursor = page.stale || page.looking ? null : page.nextCursor
  return (
    <div ref={main}>
      {!(page.failure && page.rows === null) && (
        <DataTable {...table} rows={rows.length === 0 && page.looking ? null : rows} keyOf={({ id }) => id} stale={page.stale} />
      )}
      <p role="status" className="mt-3 text-center text-[13px] text-muted empty:hidden">
        {page.looking && page.rows !== null ? looking : ''}
      </p>
      <Pager
        label={label}
        onPrevious={control.previous && turn(control.previous)}
        onNext={nextCursor === null ? null : turn(() => control.next(nextCursor))}
      />
    </div>
  )
}

import { useTranslations } from '#i18n'
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
  const t = useTranslations('admin.list')
  const { control, page, onShowAll, empty } = props
  const nothing = <Nothing control={control} more={page.nextCursor !== null} onShowAll={onShowAll} empty={empty} />
  return (
    <>
      {page.failure && <AdminFailure failure={page.failure} stale={page.rows !== null} onAgain={page.reload} />}
      <PagedTable {...props} label={t('pages', { list: props.caption })} looking={t('searching')} empty={nothing} />
    </>
  )
}

type NothingProps<V extends { cursor: string | null }> = Pick<Props<{ id: string }, V>, 'control' | 'onShowAll' | 'empty'> & {
  more: boolean
}

function Nothing<V extends { cursor: string | null }>({ control, more, onShowAll, empty }: NothingProps<V>) {
  const t = useTranslations('admin.list')
  if (more) return <EmptyState title={t('nothingYet.title')} text={t('nothingYet.text')} />
  if (control.view.cursor !== null) return <EmptyState title={t('end.title')} text={t('end.text')} />
  if (onShowAll === null) return empty
  return (
    <EmptyState title={t('noMatch.title')} text={t('noMatch.text')}>
      <Button look="primary" onClick={onShowAll}>
        {t('showAll')}
      </Button>
    </EmptyState>
  )
}

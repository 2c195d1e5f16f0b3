import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { PagedTable } from '@/app/_ui/base/paged-table'
import type { RowSelection } from '@/app/_ui/base/use-selection'
import type { CursorPage } from '@/app/_ui/data/cursor-page'
import { getSparklines } from '@/app/_ui/data/links'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useServerData } from '@/app/_ui/data/server-data'
import { ListSorting } from '@/app/_ui/links/link-cells'
import type { LinksControl } from '@/app/_ui/links/links-view'
import type { Look } from '@/lib/links/look'
import type { LinkView } from '@/lib/links/schemas'
import { EmptyLinks } from './empty-links'
import { LinkActions, type LinkActionsControl } from './link-actions'
import { useLinkColumns } from './link-columns'

interface Props {
  control: LinksControl
  look: Look
  page: CursorPage<LinkView>
  selection: RowSelection
  /** What can be done with those that are selected. */
  bar: ReactNode
  actions: LinkActionsControl
  onCreate: () => void
}

/** A page of links, and the way to the others. */
export function LinkTable({ control, look, page, selection, bar, actions, onCreate }: Props) {
  const t = useTranslations('dashboard.links')
  const isTrend = look.columns.includes('clicks') && look.columns.includes('trend')
  const daysOf = useDays(isTrend ? (page.rows ?? []) : [])
  const columns = useLinkColumns(control, look, daysOf)
  const deleted = control.view.state === 'deleted'
  return (
    <PagedTable
      caption={t(deleted ? 'deletedCaption' : 'caption')}
      label={t('pages')}
      looking={t('looking')}
      page={page}
      control={control}
      columns={columns}
      cards={look.layout === 'cards'}
      nameOf={({ shortUrl }) => readableUrl(shortUrl)}
      sorting={deleted ? undefined : <ListSorting control={control} />}
      selection={selection}
      bar={bar}
      actions={(link) => <LinkActions link={link} deleted={deleted} control={actions} />}
      actionsWidth={deleted ? 'md:w-44' : 'md:w-34'}
      empty={<EmptyLinks control={control} more={page.nextCursor !== null} onCreate={onCreate} />}
    />
  )
}

/** Clicks of the last 30 days of the links in sight. Where they cannot be read the list does without. */
function useDays(links: readonly LinkView[]): (id: string) => number[] | undefined {
  const ids = links.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
  const days = useServerData(['sparklines', ids], async (signal) =>
    ids.length === 0 ? { ok: true, value: { days: {} } } : getSparklines(ids, signal),
  )
  return (id) => days.value?.days[id]
}

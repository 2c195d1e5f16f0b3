import { DataTable } from '@/app/_ui/base/data-table'
import { Pager } from '@/app/_ui/base/pager'
import type { RowSelection } from '@/app/_ui/base/use-selection'
import { getSparklines } from '@/app/_ui/data/links'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useServerData } from '@/app/_ui/data/server-data'
import type { LinksControl } from '@/app/_ui/links/use-links-view'
import type { LinkView } from '@/lib/links/schemas'
import { EmptyLinks } from './empty-links'
import { LinkActions, type LinkActionsControl } from './link-actions'
import { linkColumns } from './link-columns'
import type { LinkPageControl } from './use-link-page'

interface Props {
  control: LinksControl
  page: LinkPageControl
  selection: RowSelection
  actions: LinkActionsControl
  onCreate: () => void
}

/** A page of links, and the way to the others. */
export function LinkTable({ control, page, selection, actions, onCreate }: Props) {
  const links = page.rows ?? []
  const daysOf = useDays(links)
  const deleted = control.view.state === 'deleted'
  if (page.failure && page.rows === null) return null
  return (
    <>
      <DataTable
        caption={deleted ? 'Your deleted links' : 'Your links'}
        columns={linkColumns(control, daysOf)}
        rows={links.length === 0 && page.looking ? null : links}
        keyOf={({ id }) => id}
        nameOf={({ shortUrl }) => readableUrl(shortUrl)}
        selection={selection}
        stale={page.stale}
        actions={(link) => <LinkActions link={link} deleted={deleted} control={actions} />}
        actionsWidth={deleted ? 'md:w-32' : 'md:w-34'}
        empty={<EmptyLinks control={control} more={page.nextCursor !== null} onCreate={onCreate} />}
      />
      <p role="status" className="mt-3 text-center text-[13px] text-muted empty:hidden">
        {page.looking && page.rows !== null ? 'Looking through older links…' : ''}
      </p>
      <Pages control={control} nextCursor={page.stale || page.looking ? null : page.nextCursor} />
    </>
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

function Pages({ control, nextCursor }: { control: LinksControl; nextCursor: string | null }) {
  const turn = (go: () => void) => () => {
    go()
    window.scrollTo({ top: 0 })
  }
  return (
    <Pager
      label="Pages of links"
      onPrevious={control.previous && turn(control.previous)}
      onNext={nextCursor === null ? null : turn(() => control.next(nextCursor))}
    />
  )
}

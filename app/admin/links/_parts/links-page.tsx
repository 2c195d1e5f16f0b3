'use client'

import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { PageHead } from '@/app/_ui/base/page-head'
import { useRowKeys } from '@/app/_ui/base/use-row-keys'
import { countAllLinks, type LinkAction, listAllLinks, startAdminBulk } from '@/app/_ui/data/admin'
import { useCursorPage } from '@/app/_ui/data/cursor-page'
import { useListView } from '@/app/_ui/data/list-view'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { BulkBar } from '@/app/_ui/links/bulk-bar'
import { ListSorting } from '@/app/_ui/links/link-cells'
import { ListHead } from '@/app/_ui/links/list-head'
import { useBulk } from '@/app/_ui/links/use-bulk'
import { useTotal } from '@/app/_ui/links/use-total'
import { AdminList } from '@/app/admin/_parts/admin-list'
import { useOpenRow } from '@/app/admin/_parts/use-open-row'
import { ExportDialog } from './export-dialog'
import { useLinkColumns } from './link-columns'
import { LinkDrawer } from './link-drawer'
import { LinkFilters } from './link-filters'
import { LinkMenu } from './link-menu'
import { BanLinkDialog, useLinkActions } from './use-link-actions'
import { apiQuery, EMPTY_VIEW, isNarrowed, parseView, viewQuery } from './view'

const ACTIONS: readonly LinkAction[] = ['enable', 'disable', 'ban', 'unban', 'delete']
const ACTIONS_ON_DELETED: readonly LinkAction[] = ['restore']

/** Everyone's links. */
export function LinksPage() {
  const t = useTranslations('admin.links')
  const list = useTranslations('linkList')
  const title = useRef<HTMLHeadingElement>(null)
  const exported = useTranslations('linksExport.all')
  const [exporting, setExporting] = useState(false)
  const [banningMany, setBanningMany] = useState(false)
  const control = useListView(parseView, viewQuery)
  const { view, change } = control
  const query = apiQuery(view)
  const page = useTotal(useCursorPage('all links', query, listAllLinks), 'all links total', query, countAllLinks)
  const links = page.rows ?? []
  const inside = useOpenRow()
  const actions = useLinkActions(page.reload)
  const deleted = view.state === 'deleted'
  const bulk = useBulk(startAdminBulk, page, query, { deleted, isOwn: false })
  const { selection } = bulk
  useRowKeys(links, selection, { enter: ({ id }) => inside.open(id) })
  const banMany = (action: LinkAction) => {
    if (action === 'ban') setBanningMany(true)
    return action === 'ban'
  }
  const owner = links.find((link) => link.owner?.id === view.owner)?.owner

  return (
    <>
      <PageHead ref={title} title={t(deleted ? 'deletedTitle' : 'title')}>
        <Button size="small" onClick={() => setExporting(true)}>
          <Download aria-hidden="true" className="size-4" />
          {exported('open')}
        </Button>
      </PageHead>
      <LinkFilters control={control} ownerName={owner?.name ?? t('filter.oneAccount')} />
      {bulk.job && <JobProgress key={bulk.job.number} job={bulk.job} onOver={bulk.over} onClose={bulk.close} />}
      <ListHead total={page.total} />
      <AdminList
        caption={t(deleted ? 'deletedCaption' : 'caption')}
        control={control}
        page={page}
        columns={useLinkColumns(control, inside.open)}
        nameOf={({ shortUrl }) => readableUrl(shortUrl)}
        sorting={deleted ? undefined : <ListSorting control={control} />}
        selection={selection}
        bar={
          selection.chosen.size > 0 && (
            <BulkBar
              bulk={bulk}
              actions={deleted ? ACTIONS_ON_DELETED : ACTIONS}
              onAct={banMany}
              onCursorLost={() => title.current?.focus()}
            />
          )
        }
        actions={(link) => (
          <LinkMenu link={link} onOpen={() => inside.open(link.id)} onAct={(action) => actions.run(link, action)} />
        )}
        cornerActions
        actionsWidth="md:w-14"
        onShowAll={isNarrowed(view) ? () => change(EMPTY_VIEW) : null}
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
      />
      {inside.id !== null && <LinkDrawer id={inside.id} onChanged={page.reload} onClose={inside.close} />}
      {actions.dialog}
      {exporting && <ExportDialog onClose={() => setExporting(false)} />}
      {banningMany && (
        <BanLinkDialog
          title={list('bulk.confirm.ban', { count: bulk.count.count, more: bulk.count.more ? 'more' : 'exact' })}
          count={bulk.count.count}
          onBan={async (reason) => {
            await bulk.start('ban', { reason })
            return null
          }}
          onClose={() => setBanningMany(false)}
        />
      )}
    </>
  )
}

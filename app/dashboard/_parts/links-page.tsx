'use client'

import { Bookmark, ChartColumn, Plus, Tag, Upload } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useCallback, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button, LinkButton } from '@/app/_ui/base/button'
import { FailureNotice } from '@/app/_ui/base/failure-notice'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { useKeys } from '@/app/_ui/base/keys'
import { onDemand } from '@/app/_ui/base/on-demand'
import { PageHead } from '@/app/_ui/base/page-head'
import { focusBeside, useRowKeys } from '@/app/_ui/base/use-row-keys'
import { ButtonOrLink, SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { useAskedFor } from '@/app/_ui/data/address'
import { useCursorPage } from '@/app/_ui/data/cursor-page'
import { countLinks, listLinks, startBulk } from '@/app/_ui/data/links'
import { useListView } from '@/app/_ui/data/list-view'
import { useNewLinks } from '@/app/_ui/data/new-links'
import { BulkBar } from '@/app/_ui/links/bulk-bar'
import { linksQuery, listQuery, parseLinksView } from '@/app/_ui/links/links-view'
import { ListHead } from '@/app/_ui/links/list-head'
import { LookMenu } from '@/app/_ui/links/look-menu'
import { scopePath } from '@/app/_ui/links/scope-path'
import { statsPath } from '@/app/_ui/links/stats-path'
import { useBulk } from '@/app/_ui/links/use-bulk'
import { useTotal } from '@/app/_ui/links/use-total'
import type { PreferencesView } from '@/lib/accounts/schemas'
import type { ShortHost } from '@/lib/domains/short-host'
import { GIVEN } from '@/lib/forms/given'
import type { Look } from '@/lib/links/look'
import type { LinkView } from '@/lib/links/schemas'
import { FileButton } from './file-button'
import { LinkDialogs, type Open } from './link-dialogs'
import { LinkFilters } from './link-filters'
import { LinkTable } from './link-table'
import { SheetButton } from './sheet-button'
import { useLinkActions } from './use-link-actions'
import { useListPreferences } from './use-preferences'

const LabelsDialog = onDemand(() => import('./labels-dialog').then((module) => module.LabelsDialog))
const ViewsDialog = onDemand(() => import('./views-dialog').then((module) => module.ViewsDialog))

export interface LinksPageProps {
  /** The domains for new links. */
  hosts: readonly ShortHost[]
  /** What the account chose. */
  preferences: PreferencesView
  /** How the list looks at first. */
  look: Look
}

/** All links of the account. */
export function LinksPage({ hosts, preferences, look: sentLook }: LinksPageProps) {
  const router = useRouter()
  const t = useTranslations('dashboard.links')
  const labels = useTranslations('dashboard.labels')
  const title = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const control = useListView(parseLinksView, linksQuery)
  const { look, setLook, views } = useListPreferences(preferences, sentLook)
  const [viewsOpen, setViewsOpen] = useState(false)
  const [labelsOpen, setLabelsOpen] = useState(false)
  const { view } = control
  const deleted = view.state === 'deleted'
  const query = listQuery(view)
  const page = useTotal(useCursorPage('own links', query, listLinks), 'own links total', query, countLinks)
  const bulk = useBulk(startBulk, page, query, { deleted, isOwn: true })
  const { selection } = bulk
  // What is gone takes the cursor with it; the next best place is the row that moves up, or the title of the page.
  const toTitle = useCallback(() => title.current?.focus(), [])
  const actions = useLinkActions(page, (id) => focusBeside(id) || toTitle())
  const create = () => setOpen({ dialog: 'new' })
  const edit = (link: LinkView) => setOpen({ dialog: 'edit', link })
  const qr = (link: LinkView) => setOpen({ dialog: 'qr', link })
  useKeys({ c: create, v: () => setViewsOpen(true) })
  useRowKeys(page.rows ?? [], selection, deleted ? {} : { e: edit, q: qr, enter: (link) => router.push(statsPath(link)) })
  useAskedFor('create', (given) => setOpen({ dialog: 'new', given }), GIVEN)
  useAskedFor('spoken', () => setOpen({ dialog: 'spoken' }))
  useAskedFor('import', () => setOpen({ dialog: 'import' }))
  useNewLinks(page.reload)

  return (
    <>
      <PageHead ref={title} title={t(deleted ? 'deletedTitle' : 'title')}>
        <ButtonOrLink href="/dashboard/import" onClick={() => setOpen({ dialog: 'import' })}>
          <Upload aria-hidden="true" className="-ml-1 size-[18px]" />
          {t('import')}
        </ButtonOrLink>
        <ButtonOrLink href="/" look="primary" onClick={create}>
          <Plus aria-hidden="true" className="-ml-1 size-[18px]" />
          {t('create')}
        </ButtonOrLink>
      </PageHead>
      <div className={SCRIPTS_ONLY}>
        <LinkFilters control={control} />
        {deleted && <p className="mb-4 text-sm text-muted">{t('deletedHint')}</p>}
        {bulk.job && <JobProgress key={bulk.job.number} job={bulk.job} onOver={bulk.over} onClose={bulk.close} />}
        {page.failure && <FailureNotice failure={page.failure} stale={page.rows !== null} onAgain={page.reload} />}
        <ListHead total={page.total}>
          <div className="-mr-3 flex flex-wrap max-sm:-ml-3 max-sm:[&_svg]:hidden">
            <LinkButton size="small" look="quiet" href={scopePath(view)} prefetch={false}>
              <ChartColumn aria-hidden="true" className="size-4" />
              {labels('statistics')}
            </LinkButton>
            <Button size="small" look="quiet" aria-haspopup="dialog" onClick={() => setLabelsOpen(true)}>
              <Tag aria-hidden="true" className="size-4" />
              {labels('button')}
            </Button>
            <Button size="small" look="quiet" aria-haspopup="dialog" onClick={() => setViewsOpen(true)}>
              <Bookmark aria-hidden="true" className="size-4" />
              {t('views')}
            </Button>
            <LookMenu look={look} onChoose={setLook} />
          </div>
        </ListHead>
        <LinkTable
          control={control}
          look={look}
          page={page}
          selection={selection}
          bar={
            selection.chosen.size > 0 && (
              <BulkBar
                bulk={bulk}
                actions={
                  deleted ? ['restore'] : ['enable', 'disable', view.archived === 'true' ? 'unarchive' : 'archive', 'delete']
                }
                {...(!deleted && {
                  more: (off) => (
                    <>
                      <FileButton bulk={bulk} off={off} />
                      <SheetButton bulk={bulk} off={off} />
                    </>
                  ),
                })}
                onCursorLost={toTitle}
              />
            )
          }
          actions={{ ...actions, edit, qr }}
          onCreate={create}
        />
      </div>
      {labelsOpen && <LabelsDialog onChanged={page.reload} onClose={() => setLabelsOpen(false)} />}
      {viewsOpen && (
        <ViewsDialog control={control} saved={views} look={look} onLook={setLook} onClose={() => setViewsOpen(false)} />
      )}
      <LinkDialogs open={open} hosts={hosts} page={page} onClose={() => setOpen(null)} onOpen={setOpen} />
    </>
  )
}

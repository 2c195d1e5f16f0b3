'use client'

import { Plus } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { DataTable } from '@/app/_ui/base/data-table'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { Pager } from '@/app/_ui/base/pager'
import { useSelection } from '@/app/_ui/base/use-selection'
import { readableUrl } from '@/app/_ui/data/idn'
import { getSparklines, startBulk } from '@/app/_ui/data/links'
import { useResource } from '@/app/_ui/data/resource'
import { QrDialog } from '@/app/_ui/links/qr-dialog'
import type { LinkView } from '@/lib/links/schemas'
import { BulkBar } from './bulk-bar'
import { EditDrawer } from './edit-drawer'
import { EmptyLinks } from './empty-links'
import { LinkActions } from './link-actions'
import { linkColumns } from './link-columns'
import { LinkFilters } from './link-filters'
import { ListTrouble } from './list-trouble'
import { NewLinkDialog } from './new-link-dialog'
import { useBulk } from './use-bulk'
import { useLinkActions } from './use-link-actions'
import { useLinkPage } from './use-link-page'
import { useLinksView } from './use-links-view'

type Open = { dialog: 'new' } | { dialog: 'edit' | 'qr'; link: LinkView }

/** All links of the account. @param host of the short URLs, as shown before a custom code */
export function LinksPage({ host }: { host: string }) {
  const title = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const control = useLinksView()
  const { view } = control
  const page = useLinkPage(view)
  const links = page.rows ?? []
  const selection = useSelection(links.map(({ id }) => id))
  // What is gone takes the cursor with it; the next best place is the title of the page.
  const afterRemoval = useCallback(() => title.current?.focus(), [])
  const actions = useLinkActions(page, afterRemoval)
  const bulk = useBulk(startBulk, () => {
    selection.clear()
    page.reload()
  })
  const daysOf = useDays(links)
  const deleted = view.state === 'deleted'
  // What can be restored cannot be disabled, and the other way round.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the view turns from one to the other
  useEffect(() => selection.clear(), [deleted])
  const close = () => setOpen(null)
  const create = () => setOpen({ dialog: 'new' })

  return (
    <>
      <div className="mb-5 flex items-center justify-between gap-4">
        <h1 ref={title} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
          {deleted ? 'Deleted links' : 'Links'}
        </h1>
        <Button look="primary" onClick={create}>
          <Plus aria-hidden="true" className="-ml-1 size-[18px]" />
          New link
        </Button>
      </div>
      <LinkFilters control={control} />
      {deleted && <p className="mb-4 text-sm text-muted">A deleted link can be restored until its code is given away again.</p>}
      {bulk.job && <JobProgress key={bulk.job.number} job={bulk.job} onOver={bulk.over} onClose={bulk.close} />}
      {page.failure && <ListTrouble failure={page.failure} stale={page.rows !== null} onAgain={page.reload} />}
      {!(page.failure && page.rows === null) && (
        <DataTable
          caption={deleted ? 'Your deleted links' : 'Your links'}
          columns={linkColumns(control, daysOf)}
          rows={links.length === 0 && page.looking ? null : links}
          keyOf={({ id }) => id}
          nameOf={({ shortUrl }) => readableUrl(shortUrl)}
          selection={selection}
          stale={page.stale}
          actions={(link) => (
            <LinkActions
              link={link}
              deleted={deleted}
              control={{
                ...actions,
                edit: (chosen) => setOpen({ dialog: 'edit', link: chosen }),
                qr: (chosen) => setOpen({ dialog: 'qr', link: chosen }),
              }}
            />
          )}
          actionsWidth={deleted ? 'md:w-32' : 'md:w-34'}
          empty={<EmptyLinks control={control} more={page.nextCursor !== null} onCreate={create} />}
        />
      )}
      <p role="status" className="mt-3 text-center text-[13px] text-muted empty:hidden">
        {page.looking && page.rows !== null ? 'Looking through older links…' : ''}
      </p>
      {selection.chosen.size > 0 && (
        <BulkBar
          count={selection.chosen.size}
          actions={deleted ? ['restore'] : ['enable', 'disable', 'delete']}
          busy={bulk.busy}
          onAct={(action) => void bulk.start(action, [...selection.chosen])}
          onClear={() => {
            selection.clear()
            afterRemoval()
          }}
        />
      )}
      <Pages control={control} nextCursor={page.stale || page.looking ? null : page.nextCursor} />
      {open?.dialog === 'new' && <NewLinkDialog host={host} onCreated={page.reload} onClose={close} />}
      {open?.dialog === 'edit' && <EditDrawer link={open.link} onSaved={page.replace} onClose={close} />}
      {open?.dialog === 'qr' && <QrDialog link={open.link} onClose={close} />}
    </>
  )
}

/** Clicks of the last 30 days of the links in sight. Where they cannot be read the list does without. */
function useDays(links: readonly LinkView[]): (id: string) => number[] | undefined {
  const ids = links.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
  const days = useResource(ids.join(), async (signal) =>
    ids.length === 0 ? { ok: true, value: { days: {} } } : getSparklines(ids, signal),
  )
  return (id) => days.value?.days[id]
}

function Pages({ control, nextCursor }: { control: ReturnType<typeof useLinksView>; nextCursor: string | null }) {
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

import { useEffect } from 'react'
import { onDemand } from '@/app/_ui/base/on-demand'
import type { CursorPage } from '@/app/_ui/data/cursor-page'
import { dismissDraftToast } from '@/app/_ui/links/draft-toast'
import type { ShortHost } from '@/lib/domains/short-host'
import type { Given } from '@/lib/forms/given'
import type { LinkView } from '@/lib/links/schemas'

const NewLinkDialog = onDemand(() => import('./new-link-dialog').then((module) => module.NewLinkDialog))
const EditDrawer = onDemand(() => import('./edit-drawer').then((module) => module.EditDrawer))
const QrDialog = onDemand(() => import('@/app/_ui/links/qr/qr-dialog').then((module) => module.QrDialog))
const ImportLinksDialog = onDemand(() => import('@/app/_ui/links/import-links-dialog').then((module) => module.ImportLinksDialog))

export type Open = { dialog: 'new'; given?: Given } | { dialog: 'spoken' | 'import' } | { dialog: 'edit' | 'qr'; link: LinkView }

interface Props {
  /** Which one is open; null: none. */
  open: Open | null
  hosts: readonly ShortHost[]
  page: CursorPage<LinkView>
  onClose: () => void
  /** Opens one. */
  onOpen: (open: Open) => void
}

/** What opens over the list of links. */
export function LinkDialogs({ open, hosts, page, onClose, onOpen }: Props) {
  useEffect(() => () => dismissDraftToast(), [])
  switch (open?.dialog) {
    case 'new':
    case 'spoken':
      return (
        <NewLinkDialog
          spoken={open.dialog === 'spoken'}
          given={open.dialog === 'new' ? open.given : undefined}
          hosts={hosts}
          onCreated={page.reload}
          onClose={onClose}
          onContinue={() => onOpen({ dialog: 'new' })}
        />
      )
    case 'import':
      return <ImportLinksDialog hosts={hosts} onOver={page.reload} onClose={onClose} />
    case 'edit':
      return (
        <EditDrawer
          key={open.link.id}
          link={open.link}
          onSaved={page.replace}
          onClose={onClose}
          onContinue={() => onOpen(open)}
        />
      )
    case 'qr':
      return <QrDialog link={open.link} owned onClose={onClose} />
    default:
      return null
  }
}
